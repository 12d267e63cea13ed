internal import CEvocationSQLite
internal import Foundation

extension SQLiteError {
  /// Creates the error for a result code.
  ///
  /// `action` is what failed, such as "Writing the table \"car\"".
  init(_ resultCode: Int32, _ action: String, file: String, message: String) {
    let code = Code(resultCode: resultCode)
    self.init(
      code, "\(action) in \(file) failed: \(Self.reason(code, message)).", resultCode: resultCode)
  }

  /// Creates the error for a failed system call.
  init(_ failure: SystemFailure, _ action: String, resultCode: Int32? = nil, file: String) {
    self.init(
      failure.code, "\(action) in \(file) failed: \(failure.reason).", resultCode: resultCode,
      isTransient: failure.isTransient)
  }

  /// Creates the error for the last failure on a connection.
  init(failureOf handle: OpaquePointer, _ action: String, file: String) {
    // SQLite keeps the system's error number for a file that does not open, but not for a failed
    // write.
    let number = errno
    let code = sqlite3_extended_errcode(handle)
    let message = String(cString: sqlite3_errmsg(handle))
    if let failure = Self.failure(code, number, handle: handle) {
      self.init(failure, action, resultCode: code, file: file)
    } else {
      let found = message == Self.unknownFormat ? SQLITE_CORRUPT : code
      self.init(found, action, file: file, message: message)
    }
  }

  /// Returns the system's failure behind a result code; nil if there is none.
  private static func failure(
    _ code: Int32, _ number: Int32, handle: OpaquePointer
  ) -> SystemFailure? {
    switch code & 0xFF {
    case SQLITE_IOERR: SystemFailure(number) ?? .disk(number)
    // SQLite reports a read that the system failed to do as damage.
    case SQLITE_CORRUPT: SystemFailure.isOfDisk(number) ? .disk(number) : nil
    case SQLITE_CANTOPEN:
      sqlite3_db_filename(handle, "main").flatMap {
        SystemFailure.ofOpening(
          String(cString: $0), number, creates: sqlite3_db_readonly(handle, "main") == 0)
      }
    default: nil
    }
  }

  /// SQLite's message for a header with an unknown format, which has no result code.
  private static var unknownFormat: String { "unsupported file format" }

  private static func reason(_ code: Code, _ message: String) -> String {
    switch code {
    case .cannotOpen: "SQLite cannot open the file; check that its folder exists and is writable"
    case .notADatabase:
      "the file is not an SQLite database, and Evocation did not change it; use another path"
    case .damaged: "the file is damaged; restore it from a backup"
    case .readOnly:
      "SQLite cannot write the database; check the permissions of the file and its folder"
    case .busy:
      "another connection kept it busy longer than the timeout; try again, or raise busyTimeout"
    case .locked: "another statement of this process uses the table; try again"
    case .full: "the disk is full; free space and try again"
    case .diskFailed: SystemFailure.disk(0).reason
    case .constraint: uniqueness(message) ?? message
    default: message
    }
  }

  /// Rephrases SQLite's message about a duplicate value, which names columns or an index.
  private static func uniqueness(_ message: String) -> String? {
    let start = "UNIQUE constraint failed: "
    guard message.hasPrefix(start) else { return nil }
    return "the values of \(message.dropFirst(start.count)) have to be unique, and two rows would "
      + "have the same; change one of them"
  }
}

extension SQLiteError.Code {
  init(resultCode: Int32) {
    switch resultCode & 0xFF {
    case SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_CORRUPT: self = .damaged
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_BUSY: self = .busy
    case SQLITE_LOCKED: self = .locked
    case SQLITE_FULL: self = .full
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_IOERR: self = .diskFailed
    case SQLITE_MISUSE, SQLITE_RANGE, SQLITE_ERROR: self = .misuse
    case let code: self = .other(code)
    }
  }
}
