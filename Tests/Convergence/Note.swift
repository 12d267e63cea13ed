import Evocation

/// The model of the simulation.
///
/// Its text names the write that made it, its version the service's effect.
struct Note: Codable, Identifiable, Sendable, Hashable, CustomStringConvertible {
  /// Below zero until the service has given it an id of its own.
  var id: Int
  /// The number of the write, and how often it was merged since.
  var text: String
  /// What the service counts; zero for what it never had.
  var version: Int

  /// The number of the write that made it.
  var write: Int { Int(text.prefix { $0.isNumber }) ?? 0 }

  var description: String { "\(id):\(text)@\(version)" }
}

/// What goes wrong on the way to the service, or there.
struct ServiceError: ConflictError {
  let failureKind: FailureKind
  var retryAfter: Duration?
  /// What the service has, where it says so.
  var note: Note?

  var current: (any Sendable)? { note }
}

/// The end of a simulated process, or the failure of its disk.
enum StoreError: Error {
  case processEnded
  case diskFull
}
