public import Evocation

/// An error of SQLite, or of the file that it was given.
///
/// It prints as one sentence: what failed, on which file or table, why, and the mend. What the user
/// keeps in the database is never part of it.
///
/// ```swift
/// do {
///   database = try SQLiteDatabase(path: path)
/// } catch let error as SQLiteError where error.code == .cannotOpen {
///   print(error)
/// }
/// ```
public struct SQLiteError: Error, Sendable {
  /// The kind of failure.
  public let code: Code

  /// SQLite's extended result code, or nil when the failure was found before SQLite was asked.
  public let resultCode: Int32?

  /// One sentence: what failed, on what, why, and the mend.
  public let description: String

  /// The error that a migration threw; nil for any code but `migrationFailed`.
  public let underlying: (any Error)?

  private let isTransient: Bool

  init(
    _ code: Code, resultCode: Int32? = nil, _ description: String,
    underlying: (any Error)? = nil, isTransient: Bool = false
  ) {
    self.code = code
    self.resultCode = resultCode
    self.description = description
    self.underlying = underlying
    self.isTransient = isTransient || code == .busy || code == .locked
  }
}

extension SQLiteError {
  /// What a call is told that comes to a database after it was closed.
  static var closed: SQLiteError {
    SQLiteError(.closed, "The call failed: the database was closed; make another SQLiteDatabase.")
  }
}

extension SQLiteError: CustomStringConvertible {}

extension SQLiteError: ClassifiedError {
  /// A busy or locked database is transient, a disk that failed, and too many open files; everything
  /// else stays wrong.
  public var failureKind: FailureKind {
    if let underlying = underlying as? any ClassifiedError { return underlying.failureKind }
    return isTransient ? .transient : .permanent
  }
}
