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
    let isLast = state.change { state in
      (state.actions.removeValue(forKey: number), state.actions.isEmpty)
    } afterwards: { _, isLast in
      isLast
    }
    guard isLast else { return }
    alarm.stop()
    // Another one may have been added before the alarm was stopped.
    wakeForNext()
  }

  private func wake(by time: Duration) {
    alarm.ring(by: time) { [weak self] in self?.callDue() }
  }

  private func wakeForNext() {
    let next = state.withLock { $0.actions.values.lazy.map(\.time).min() }
    if let next { wake(by: next) }
  }

  private func callDue() {
    let now = now
    let due = state.withLock { state in
      let due = state.actions.filter { $0.value.time <= now }
      for number in due.keys { state.actions[number] = nil }
      return due
    }
    wakeForNext()
    for (_, entry) in due.sorted(by: { $0.key < $1.key }) { entry.action() }
  }
}
