/// Does something at a time that any thread may change; one task sleeps until then.
///
/// An earlier time replaces a later one, and not the reverse: it costs less to wake too early and
/// plan again than to cancel a task and its timer at each change. It also leaves no gap between two
/// threads that plan at the same time. So whoever is woken looks at what is due.
package final class Alarm: Sendable {
  private struct Sleeper {
    let end: Duration
    let task: Task<Void, Never>
  }

  private let time: TimeSource
  private let sleeper = Lock<Sleeper?>(nil)

  package init(_ time: TimeSource) {
    self.time = time
  }

  deinit { sleeper.withLock { $0?.task }?.cancel() }

  /// Calls the action at a time, or earlier if an earlier call of this function asked for that.
  ///
  /// It is called on any thread, outside the task of the caller. Each call of this function passes
  /// an action that does the same.
  package func ring(by end: Duration, _ action: @escaping @Sendable () -> Void) {
    sleeper.change { sleeper -> Sleeper? in
      if let sleeper, sleeper.end <= end { return nil }
      defer { sleeper = Sleeper(end: end, task: sleeping(until: end, action)) }
      return sleeper
    } afterwards: {
      $0?.task.cancel()
    }
  }

  /// Ends the waiting, until somebody plans again.
  package func stop() {
    sleeper.change { sleeper in
      defer { sleeper = nil }
      return sleeper?.task
    } afterwards: {
      $0?.cancel()
    }
  }

  private func sleeping(
    until end: Duration, _ action: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    // Detached, because the alarm belongs to no call, and its action may write.
    Task.detached { [weak self, time] in
      // A sleep that fails was canceled, because nobody waits any more, or another task does.
      guard (try? await time.sleepUntil(end)) != nil else { return }
      let isPlanned = self?.sleeper.withLock { sleeper in
        guard sleeper?.end == end else { return false }
        sleeper = nil
        return true
      }
      if isPlanned == true { action() }
    }
  }
}
