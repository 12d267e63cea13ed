import Evocation
import EvocationTesting
import Foundation

/// A clock that stands still, and does what the test says when its time is read, or its date.
final class CallingClock: DateClock {
  let base = ManualClock()
  private let callsForDate: Bool
  private let reading = Lock<(@Sendable () -> Void)?>(nil)
  private let isInside = Lock(false)

  init(callsForDate: Bool = false) { self.callsForDate = callsForDate }

  func whenRead(_ body: (@Sendable () -> Void)?) { reading.withLock { $0 = body } }

  /// Done once: it may lead here again.
  private func call() {
    let isFirst = isInside.withLock { isInside in
      defer { isInside = true }
      return !isInside
    }
    guard isFirst else { return }
    reading.withLock { $0 }?()
    isInside.withLock { $0 = false }
  }

  var now: ManualClock.Instant {
    if !callsForDate { call() }
    return base.now
  }

  var date: Date {
    if callsForDate { call() }
    return base.date
  }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
