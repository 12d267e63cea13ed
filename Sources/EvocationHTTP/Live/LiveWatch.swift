import Evocation

/// Notices that a connection has been silent for too long.
///
/// Each sign of the service only moves the time. One deadline looks whether it has come, because a
/// stream may send thousands of pieces a second.
final class LiveWatch: Sendable {
  private typealias Late = @Sendable (Duration) -> Void

  private struct State {
    /// The time of the end, its length, and what happens then; nil while nothing is expected.
    var wait: Wait?
    /// The time of the deadline, and its number.
    var planned: Duration?
    var number: Int?
    var isStopped = false
  }

  private struct Wait {
    var end: Duration
    var length: Duration
    var isFirst: Bool
    var late: Late
  }

  private let deadlines: Deadlines
  private let state = Lock(State())

  init(_ deadlines: Deadlines) {
    self.deadlines = deadlines
  }

  /// Expects a sign within a time from now on, in place of everything expected before.
  func expect(within length: Duration, _ late: @escaping @Sendable (Duration) -> Void) {
    plan(Wait(end: deadlines.now.adding(length), length: length, isFirst: false, late: late))
  }

  /// Does the same, and does not move the time if this was already called.
  func expectFirst(within length: Duration, _ late: @escaping @Sendable (Duration) -> Void) {
    plan(Wait(end: deadlines.now.adding(length), length: length, isFirst: true, late: late))
  }

  /// Expects nothing for a while.
  func pause() {
    state.withLock { $0.wait = nil }
  }

  /// Ends the watch.
  func stop() {
    let number = state.change { state -> (Int?, Wait?) in
      defer { state = State(isStopped: true) }
      return (state.number, state.wait)
    } afterwards: {
      $0.0
    }
    number.map(deadlines.remove)
  }

  private func plan(_ wait: Wait) {
    let (end, old) = state.withLock { state -> (Duration?, Int?) in
      guard !state.isStopped else { return (nil, nil) }
      if wait.isFirst, state.wait?.isFirst == true { return (nil, nil) }
      state.wait = wait
      if let planned = state.planned, planned <= wait.end { return (nil, nil) }
      state.planned = wait.end
      defer { state.number = nil }
      return (wait.end, state.number)
    }
    old.map(deadlines.remove)
    if let end { add(at: end) }
  }

  private func add(at end: Duration) {
    let number = deadlines.add(at: end) { [weak self] in self?.look() }
    let isStopped = state.withLock { state in
      state.number = number
      return state.isStopped
    }
    if isStopped { deadlines.remove(number) }
  }

  /// Plans again if a sign has come since the deadline was planned.
  private func look() {
    let now = deadlines.now
    let (next, late) = state.withLock { state -> (Duration?, Wait?) in
      state.planned = nil
      guard let wait = state.wait else { return (nil, nil) }
      guard wait.end > now else {
        state.wait = nil
        return (nil, wait)
      }
      state.planned = wait.end
      return (wait.end, nil)
    }
    if let next { add(at: next) }
    if let late { late.late(late.length) }
  }
}
