/// Actions that are due at a time, unless they are removed before.
///
/// One alarm is for all of them. A task for each action would cost two changes of threads, and would
/// leave its timer with the system until it fires: a thousand requests a second with half a minute
/// each would leave thirty thousand timers.
package final class Deadlines: Sendable {
  private struct State {
    var actions: [Int: (time: Duration, action: @Sendable () -> Void)] = [:]
    var last = 0
  }

  private let time: TimeSource
  private let alarm: Alarm
  private let state = Lock(State())

  package init(_ time: TimeSource) {
    self.time = time
    alarm = Alarm(time)
  }

  /// The present time, as deadlines count it.
  package var now: Duration { time.now() }

  /// Adds an action at a time, which is called on any thread.
  ///
  /// - Returns: Its number, to remove it by.
  package func add(at time: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    let number = state.withLock { state in
      state.last &+= 1
      state.actions[state.last] = (time, action)
      return state.last
    }
    wake(by: time)
    return number
  }

  /// Removes an action; it does nothing if the action was called already.
  package func remove(_ number: Int) {
    state.change { $0.actions.removeValue(forKey: number) }
  }

  private func wake(by time: Duration) {
    alarm.ring(by: time) { [weak self] in self?.callDue() }
  }

  private func callDue() {
    let now = now
    let (due, next) = state.withLock { state in
      let due = state.actions.filter { $0.value.time <= now }
      for number in due.keys { state.actions[number] = nil }
      return (due, state.actions.values.lazy.map(\.time).min())
    }
    if let next { wake(by: next) }
    for (_, entry) in due.sorted(by: { $0.key < $1.key }) { entry.action() }
  }
}
