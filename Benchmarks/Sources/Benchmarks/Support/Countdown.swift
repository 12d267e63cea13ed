import Synchronization

/// Lets one task wait for a number of events.
///
/// It counts without a lock, because its cost is part of the measurement.
final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let continuation: CheckedContinuation<Void, Never>

  private init(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) {
    left = Atomic(count)
    self.continuation = continuation
  }

  /// Runs `body` with a countdown, and returns when the countdown has reached zero.
  static func run(_ count: Int, _ body: (Countdown) -> Void) async {
    await withCheckedContinuation { body(Countdown(count, $0)) }
  }

  /// Counts one event.
  func tick() {
    let count = left.subtract(1, ordering: .acquiringAndReleasing).newValue
    if count == 0 { continuation.resume() }
  }
}
