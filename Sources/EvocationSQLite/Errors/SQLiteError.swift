public import Evocation
public import Foundation

/// A failure of SQLite, of its file, or of the way in which you called the database.
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
public struct SQLiteError: Error, Sendable, LocalizedError {
  /// The kind of failure.
  public let code: Code

  /// SQLite's extended result code; nil if Evocation found the failure without SQLite.
  public let resultCode: Int32?

  /// One sentence for the developer: what failed, on what, why, and the fix.
  public let description: String

  /// The error that a migration threw, or with which a model type refused a row; nil for others.
  public let underlying: (any Error)?

  private let isTransient: Bool

  init(
    _ code: Code, _ description: String, resultCode: Int32? = nil,
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
  /// The error of a call to a closed database.
  static var closed: SQLiteError {
    SQLiteError(
      .closed, "The call failed: your app closed the database; open another SQLiteDatabase.")
  }

  /// The error of a write to a database that only reads its file.
  static func onlyRead(_ file: String) -> SQLiteError {
    SQLiteError(
      .readOnly,
      "Writing the database in \(file) failed: its configuration has isReadOnly; open it without, or "
        + "write to another file.")
  }

  /// The error of a database in memory that would stay empty.
  static var nothingToRead: SQLiteError {
    SQLiteError(
      .misuse,
      "Opening the database in memory failed: its configuration has isReadOnly, and there is nothing "
        + "to read; open a file, or leave isReadOnly out.")
  }

  /// The error of a call to a suspended database, which has released its file.
  static var suspended: SQLiteError {
    SQLiteError(
      .suspended,
      "The call failed: the database is suspended while your app is not active; call resume() and "
        + "try again.", isTransient: true)
  }
}

extension SQLiteError: CustomStringConvertible {}

extension SQLiteError: ClassifiedError {
  /// Whether a retry may succeed.
  ///
  /// `transient` for a busy, locked or suspended database, a failed disk, too many open files, and
  /// a file that the system could not create but now can. A failed migration has the kind of its
  /// ``underlying`` error, if that has one. Every other failure is `permanent`.
  public var failureKind: FailureKind {
    if let underlying = underlying as? any ClassifiedError { return underlying.failureKind }
    return isTransient ? .transient : .permanent
  }
}

extension SQLiteError {
  /// The kind of a failure; later versions may add more.
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

    /// The file cannot be opened or created.
    public static var cannotOpen: Code { Code(.cannotOpen) }

    /// The file is not a database.
    public static var notADatabase: Code { Code(.notADatabase) }

    /// The file is a database, but its content is damaged.
    public static var damaged: Code { Code(.damaged) }

    /// The file is not writable, or the call may only read.
    public static var readOnly: Code { Code(.readOnly) }

    /// Another connection held the database for longer than the busy timeout.
    public static var busy: Code { Code(.busy) }

    /// Another statement of this process holds a table.
    public static var locked: Code { Code(.locked) }

    /// The disk is full, or the database has reached its maximum size.
    public static var full: Code { Code(.full) }

    /// The system failed to read or write the file; a retry may succeed.
    public static var diskFailed: Code { Code(.diskFailed) }

    /// A constraint or a trigger of the table rejects the write.
    public static var constraint: Code { Code(.constraint) }

    /// A table or a row of it does not fit the model, or a migration differs from the applied one.
    public static var schemaMismatch: Code { Code(.schemaMismatch) }

    /// A newer version of this library or of the app wrote the file.
    public static var newerSchema: Code { Code(.newerSchema) }

    /// A migration failed and was undone; the error's `underlying` has the cause.
    public static var migrationFailed: Code { Code(.migrationFailed) }

    /// The call is wrong, such as invalid SQL or the wrong number of values.
    public static var misuse: Code { Code(.misuse) }

    /// A backup found a file at its path, which it does not replace.
    public static var targetExists: Code { Code(.targetExists) }

    /// The database is suspended until the app is active or calls `resume()`.
    public static var suspended: Code { Code(.suspended) }

    /// The database is closed.
    public static var closed: Code { Code(.closed) }

    /// Any other failure, with SQLite's primary result code.
    public static func other(_ resultCode: Int32) -> Code { Code(.other(resultCode)) }
  }
}
