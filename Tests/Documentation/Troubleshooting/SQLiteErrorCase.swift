import Evocation
import Foundation

@testable import EvocationSQLite

/// The codes of `SQLiteError`: a new one does not compile without a row of the page.
enum SQLiteErrorCase: CaseIterable {
  case cannotOpen, notADatabase, damaged, readOnly, busy, locked, full, constraint, diskFailed
  case schemaMismatch, newerSchema, migrationFailed, misuse, closed, suspended, targetExists, other

  private struct Car: Codable, Identifiable, Sendable {
    var id: Int
    var year: Int
  }

  init(_ code: SQLiteError.Code.Storage) {
    self =
      switch code {
      case .cannotOpen: .cannotOpen
      case .notADatabase: .notADatabase
      case .damaged: .damaged
      case .readOnly: .readOnly
      case .busy: .busy
      case .locked: .locked
      case .full: .full
      case .constraint: .constraint
      case .diskFailed: .diskFailed
      case .schemaMismatch: .schemaMismatch
      case .newerSchema: .newerSchema
      case .migrationFailed: .migrationFailed
      case .misuse: .misuse
      case .closed: .closed
      case .suspended: .suspended
      case .targetExists: .targetExists
      case .other: .other
      }
  }

  init?(of error: any Error) {
    guard let error = error as? SQLiteError else { return nil }
    self.init(error.code.storage)
  }

  static func rows() async throws -> [ErrorRow] {
    var rows: [ErrorRow] = []
    for each in allCases {
      let error = try await each.error
      rows.append(ErrorRow(.sqlite, "SQLiteError.Code.\(each)", error, each.cause))
    }
    return rows
  }

  /// The error as SQLite or Evocation makes it.
  private var error: SQLiteError {
    get async throws {
      switch self {
      case .cannotOpen: failure(14, "Opening the database")
      case .notADatabase: failure(26, "Opening the database")
      case .damaged: failure(11, "Reading the table \"car\"")
      case .readOnly: failure(8, "Writing the table \"car\"")
      case .busy: failure(5, "Writing the table \"car\"")
      case .locked: failure(6, "Writing the table \"car\"")
      case .full: failure(13, "Writing the table \"car\"")
      case .constraint:
        failure(19, "Writing the table \"car\"", "UNIQUE constraint failed: car.plate")
      case .diskFailed: failure(10, "Reading the table \"car\"")
      case .other: failure(22, "Reading the table \"car\"", "large file support is disabled")
      case .schemaMismatch:
        try await thrown { database in
          _ = try await database.write {
            try $0.execute("CREATE TABLE car (id INTEGER PRIMARY KEY, year TEXT)")
          }
          _ = try SQLiteRepository<Car>(database)
        }
      case .newerSchema:
        try await thrown { database in
          _ = try database.migrate([SQLiteMigration("add colors", "CREATE TABLE color (name)")])
          _ = try database.migrate([])
        }
      case .migrationFailed:
        try await thrown { database in
          _ = try database.migrate([
            SQLiteMigration("add colors", "INSERT INTO color VALUES ('red')")
          ])
        }
      case .misuse:
        try await thrown { _ = try await $0.write { try $0.execute("") } }
      case .closed:
        try await thrown { database in
          await database.close()
          _ = try await database.write { try $0.execute("DELETE FROM car") }
        }
      case .suspended:
        try await thrown { database in
          await database.suspend()
          _ = try await database.write { try $0.execute("DELETE FROM car") }
        }
      case .targetExists:
        try await thrown { database in
          try await database.backup(to: (database.path ?? "") + ".copy")
          try await database.backup(to: (database.path ?? "") + ".copy")
        }
      }
    }
  }

  private func failure(_ result: Int32, _ action: String, _ message: String = "") -> SQLiteError {
    SQLiteError(result, action, file: "\"/app/cars.sqlite\"", message: message)
  }

  /// What a closure throws with a database in a folder of its own.
  private func thrown(_ body: (SQLiteDatabase) async throws -> Void) async throws -> SQLiteError {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try SQLiteDatabase(path: folder.appending(path: "cars.sqlite").path())
    do {
      try await body(database)
    } catch let error as SQLiteError {
      await database.close()
      return error.replacing(folder.path() + "/", with: "/app/")
    }
    throw CocoaError(.featureUnsupported)
  }

  private var cause: String {
    switch self {
    case .cannotOpen:
      "The folder does not exist, the path names no file, or the process has too many open files."
    case .notADatabase: "The file has another format, or it is encrypted."
    case .damaged: "A disk, or a program that copied the open file, damaged it."
    case .readOnly: "The file or its folder is read-only, or the connection is."
    case .busy: "Another process wrote for longer than `busyTimeout`."
    case .locked: "A statement that your app did not finish uses the table."
    case .full: "The device has no space left, or the database has reached its page limit."
    case .constraint: "A unique index, a foreign key, a check or a trigger refuses the row."
    case .diskFailed: "The system could not read or write the file, which may pass."
    case .schemaMismatch:
      "The model or a released migration changed, and the table in the file did not follow."
    case .newerSchema: "An older version of your app opens a file of a newer version."
    case .migrationFailed: "A statement of the migration failed, or its closure threw an error."
    case .misuse:
      "SQL with a mistake, a call inside another that waits for it, or a wrong configuration."
    case .closed: "Your app uses a database, or a repository on it, after `close()`."
    case .suspended:
      "The app is in the background, so that the system does not end it for a locked file."
    case .targetExists: "The path of a backup has a file already."
    case .other: "SQLite reports a result code that has no name here."
    }
  }
}

extension SQLiteError {
  /// The same error of a file in another folder.
  fileprivate func replacing(_ folder: String, with other: String) -> SQLiteError {
    SQLiteError(
      code, description.replacing(folder, with: other), resultCode: resultCode,
      underlying: underlying)
  }
}
