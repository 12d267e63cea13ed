internal import Evocation

/// What was decided of sign-outs of several files, as far as this process knows.
///
/// The file that decides may be open in this process in a way that keeps it from being opened once more.
final class SignOutOutcomes: Sendable {
  static let ofProcess = SignOutOutcomes()

  private static let mostKept = 64

  private let known = Lock<[(id: String, path: String, isDecided: Bool)]>([])

  /// What the file at a path has decided; nil where that is not known.
  func isDecided(_ id: String, by path: String) -> Bool? {
    known.withLock { known in known.last { $0.id == id && $0.path == path }?.isDecided }
  }

  /// Remembers what the file at a path has decided.
  func note(_ id: String, by path: String, isDecided: Bool) {
    known.withLock { known in
      known.append((id, path, isDecided))
      if known.count > Self.mostKept { known.removeFirst() }
    }
  }
}
