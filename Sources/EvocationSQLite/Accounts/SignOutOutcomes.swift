internal import Evocation

/// The outcomes of sign-outs of several files that this process knows.
///
/// This process may have the deciding file open in a mode in which it cannot be opened again.
final class SignOutOutcomes: Sendable {
  static let ofProcess = SignOutOutcomes()

  private static let mostKept = 64

  private let known = Lock<[(id: String, path: String, isDecided: Bool)]>([])

  /// Returns what the file at a path has decided; nil if unknown.
  func isDecided(_ id: String, by path: String) -> Bool? {
    known.withLock { known in known.last { $0.id == id && $0.path == path }?.isDecided }
  }

  /// Records what the file at a path has decided.
  func note(_ id: String, by path: String, isDecided: Bool) {
    known.withLock { known in
      known.append((id, path, isDecided))
      if known.count > Self.mostKept { known.removeFirst() }
    }
  }
}
