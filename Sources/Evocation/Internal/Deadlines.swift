/// What is to be done when its time has come, unless it is called off before.
///
/// One task waits for whatever comes first. A task for each would cost two changes of threads and
/// leave its timer with the system until it fires, so that a thousand requests a second with half
/// a minute each would leave thirty thousand.
package final class Deadlines: Sendable {
  private struct State {
    var actions: [Int: (time: Duration, action: @Sendable () -> Void)] = [:]
    var last = 0
    /// Who waits, and until when; it may be earlier than anything that is still wanted.
    var sleeper: (task: Task<Void, Never>, end: Duration)?
  }

  private let time: TimeSource
  private let state = Lock(State())

  package init(_ time: TimeSource) {
    self.time = time
  }

  /// The present time, as deadlines count it.
  package var now: Duration { time.now() }

  /// Has something done at a time; it is called on a thread of its own choosing.
  ///
  /// - Returns: Its number, to call it off by.
  package func add(at time: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    // Cancelled outside the lock, because that runs code of the clock's.
    let (number, sleeper) = state.withLock { state in
      state.last &+= 1
      state.actions[state.last] = (time, action)
      return (state.last, wait(until: time, &state))
    }
    sleeper?.cancel()
    return number
  }

  /// Calls something off; nothing happens when it was done already.
  package func remove(_ number: Int) {
    // Released outside the lock, because that may run a deinit of the app's.
    let (gone, sleeper) = state.withLock { state in
      let gone = state.actions.removeValue(forKey: number)
      guard state.actions.isEmpty else { return (gone, nil as Task<Void, Never>?) }
      defer { state.sleeper = nil }
      return (gone, state.sleeper?.task)
    }
    sleeper?.cancel()
    withExtendedLifetime(gone) {}
  }

  /// Has somebody wait until a time, unless somebody waits until an earlier one.
  ///
  /// - Returns: Who waited for too long.
  private func wait(until end: Duration, _ state: inout State) -> Task<Void, Never>? {
    if let sleeper = state.sleeper, sleeper.end <= end { return nil }
    let late = state.sleeper?.task
    let task = Task { [weak self, time] in
      // A sleep that fails was cancelled: another waits, or nothing is wanted any more.
      guard (try? await time.sleepUntil(end)) != nil else { return }
      self?.wake(after: end)
    }
    state.sleeper = (task, end)
    return late
  }

  private func wake(after end: Duration) {
    let due = state.withLock { state -> [@Sendable () -> Void] in
      // One that was cancelled as it woke does nothing: another waits in its place.
      guard state.sleeper?.end == end else { return [] }
      state.sleeper = nil
      let due = state.actions.filter { $0.value.time <= end }
      for number in due.keys { state.actions[number] = nil }
      if let next = state.actions.values.lazy.map(\.time).min() { _ = wait(until: next, &state) }
      return due.sorted { $0.key < $1.key }.map(\.value.action)
    }
    for action in due { action() }
  }
}
