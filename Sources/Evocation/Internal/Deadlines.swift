/// Actions that are due at a time, unless they are removed before.
///
/// One task waits for the next action. A task for each action would cost two changes of threads,
/// and would leave its timer with the system until it fires: a thousand requests a second with half
/// a minute each would leave thirty thousand timers.
package final class Deadlines: Sendable {
  private struct State {
    var actions: [Int: (time: Duration, action: @Sendable () -> Void)] = [:]
    var last = 0
    /// The task that waits, and until when; that may be earlier than all remaining actions.
    var sleeper: (task: Task<Void, Never>, end: Duration)?
  }

  private let time: TimeSource
  private let state = Lock(State())

  package init(_ time: TimeSource) {
    self.time = time
  }

  /// The present time, as deadlines count it.
  package var now: Duration { time.now() }

  /// Adds an action at a time, which is called on any thread.
  ///
  /// - Returns: Its number, to remove it by.
  package func add(at time: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    // Canceled outside the lock, because that runs the clock's code.
    let (number, sleeper) = state.withLock { state in
      state.last &+= 1
      state.actions[state.last] = (time, action)
      return (state.last, wait(until: time, &state))
    }
    sleeper?.cancel()
    return number
  }

  /// Removes an action; it does nothing if the action was called already.
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

  /// Starts a task that waits until a time, unless one waits until an earlier time.
  ///
  /// - Returns: The task that waited too long.
  private func wait(until end: Duration, _ state: inout State) -> Task<Void, Never>? {
    if let sleeper = state.sleeper, sleeper.end <= end { return nil }
    let late = state.sleeper?.task
    let task = Task { [weak self, time] in
      // A sleep that fails was canceled: another task waits, or no action is left.
      guard (try? await time.sleepUntil(end)) != nil else { return }
      self?.wake(after: end)
    }
    state.sleeper = (task, end)
    return late
  }

  private func wake(after end: Duration) {
    let due = state.withLock { state -> [@Sendable () -> Void] in
      // A task that was canceled as it woke does nothing, because another one waits in its place.
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
