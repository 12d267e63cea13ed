import Dispatch
import Evocation
import Foundation

/// Ends the process when a test stands still, unless it is let go of before.
///
/// A thread that waits for a lock cannot be cancelled, so a time limit alone would not end the run.
///
/// ```swift
/// let guardian = Standstill()
/// defer { guardian.isOver() }
/// ```
struct Standstill {
  private let hasEnded = Lock(false)

  init(_ name: String = #function) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) { [hasEnded] in
      guard !hasEnded.withLock({ $0 }) else { return }
      print("It stands still: \(name).")
      exit(EXIT_FAILURE)
    }
  }

  /// The test has come to its end.
  func isOver() {
    hasEnded.withLock { $0 = true }
  }
}
