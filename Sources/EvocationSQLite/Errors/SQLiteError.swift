public import Evocation

/// An error of SQLite, or of the file that it was given.
///
/// It prints as one sentence for the developer: what failed, on which file or table, why, and the fix.
/// Its `localizedDescription` is a sentence for the person who uses the app. User data are never part
/// of either.
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

  /// One sentence for the developer: what failed, on what, why, and the fix.
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
  /// The error of a call to a database that was closed.
  static var closed: SQLiteError {
    SQLiteError(
      .closed, "The call failed: your app closed the database; open another SQLiteDatabase.")
  }

  /// The error of a call to a database that has closed its file for a while.
  static var suspended: SQLiteError {
    SQLiteError(
      .suspended,
      "The call failed: the database is suspended while your app is not active; call resume() and "
        + "try again.", isTransient: true)
  }
}

extension SQLiteError: CustomStringConvertible {}

extension SQLiteError: ClassifiedError {
  /// Transient for a busy, locked or suspended database, a failed disk and too many open files; else permanent.
  public var failureKind: FailureKind {
    if let underlying = underlying as? any ClassifiedError { return underlying.failureKind }
    return isTransient ? .transient : .permanent
  }
}

extension SQLiteError {
  /// The kind of failure; more may be added.
  public struct Code: Sendable, Hashable {
    enum Storage: Sendable, Hashable {
      case cannotOpen, notADatabase, damaged, readOnly, busy, locked, full, constraint, diskFailed
      case schemaMismatch, newerSchema, migrationFailed, misuse, closed, suspended, targetExists
      case other(Int32)
    }

    let storage: Storage

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The file cannot be opened or made.
    public static var cannotOpen: Code { Code(.cannotOpen) }

    /// The file is not a database.
    public static var notADatabase: Code { Code(.notADatabase) }

    /// The file is a database whose content is damaged.
    public static var damaged: Code { Code(.damaged) }

    /// The file, or this access to it, does not allow writing.
    public static var readOnly: Code { Code(.readOnly) }

    /// Another connection held the database for longer than the busy timeout.
    public static var busy: Code { Code(.busy) }

    /// Another statement of this process holds a table.
    public static var locked: Code { Code(.locked) }

    /// The disk, or the size that the database is limited to, is full.
    public static var full: Code { Code(.full) }

    /// The system failed to read or write the file; trying again may help.
    public static var diskFailed: Code { Code(.diskFailed) }

    /// A constraint of the table refuses the write.
    public static var constraint: Code { Code(.constraint) }

    /// A table does not have the model's columns, or a migration is not the one that was applied.
    public static var schemaMismatch: Code { Code(.schemaMismatch) }

    /// The file was written by a newer version of this library or of the app.
    public static var newerSchema: Code { Code(.newerSchema) }

    /// A migration failed and was undone; the error's `underlying` says why.
    public static var migrationFailed: Code { Code(.migrationFailed) }

    /// The call is wrong: invalid SQL, or the wrong number of values.
    public static var misuse: Code { Code(.misuse) }

    /// A file is there already that a backup may not replace.
    public static var targetExists: Code { Code(.targetExists) }

    /// The database is suspended until the app is active, or resumes it.
    public static var suspended: Code { Code(.suspended) }

    /// The database was closed.
    public static var closed: Code { Code(.closed) }

    /// Anything else, by SQLite's primary result code.
    public static func other(_ resultCode: Int32) -> Code { Code(.other(resultCode)) }
  }
}
