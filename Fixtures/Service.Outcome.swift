#if os(macOS) || os(Linux)
  import Foundation

  extension Service {
    /// How a start ended, which whoever is first decides, once.
    final class Outcome: @unchecked Sendable {  // the lock guards what was decided
      enum Decision {
        case started, cancelled, tooLate
      }

      private let lock = NSLock()
      private var decided: Decision?

      /// What was decided, nil while nobody has.
      var decision: Decision? { lock.withLock { decided } }

      /// Whether this is the decision.
      func decide(_ decision: Decision) -> Bool {
        lock.withLock {
          guard decided == nil else { return false }
          decided = decision
          return true
        }
      }
    }
  }
#endif
