internal import Evocation
internal import Foundation

/// Finishes a sign-out of several files whose process was killed, when one of them is opened.
///
/// The file is emptied, and then the others, as far as they exist, are files of Evocation, and have
/// not been emptied for this sign-out.
struct SignOutRecovery {
  let file: DatabaseFile
  let configuration: SQLiteDatabase.Configuration

  /// Carries out the intents that the connection's file has.
  func finish(_ connection: Connection) throws {
    for (id, intent) in try SignOutTable(connection).pending() {
      var isWhole = true
      let isDecided = try intent?.first.map { first in
        try ifOurs(path(first)) { try SignOutTable($0).isDone(id) }
      }
      if let intent, isDecided ?? true {
        try empty(id, intent.tables, unsent: intent.unsent, connection: connection)
        for fellow in intent.fellows ?? [] {
          let isEmptied = try? ifOurs(path(fellow.path)) { connection in
            try empty(id, fellow.tables, unsent: intent.unsent, connection: connection)
            return true
          }
          // A file that cannot be opened now is emptied when this one is opened again.
          if isEmptied != true { isWhole = false }
        }
      }
      if isWhole { try connection.transaction { try SignOutTable($0).end(id) } }
    }
  }

  private func empty(
    _ id: String, _ tables: [String], unsent: StoreEmptying.UnsentWrites,
    connection: Connection
  ) throws {
    try connection.durably {
      try connection.transaction { try SignOutTable($0).carryOut(id, tables, unsent: unsent) }
    }
  }

  /// Returns the path of a file from its path relative to this one's folder.
  private func path(_ relative: String) -> String {
    let own = file.resolved
    let end = own.lastIndex(of: "/") ?? own.startIndex
    return own[...end] + relative
  }

  /// Runs the body on a connection to an existing file of Evocation; true if there is none.
  private func ifOurs(_ path: String, _ body: (Connection) throws -> Bool) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return true }
    do {
      let connection = try Connection.openExisting(DatabaseFile(path), configuration)
      defer { connection.close() }
      let isOurs = "SELECT 1 FROM sqlite_schema WHERE name = 'evocation_format'"
      guard try connection.first(isOurs) != nil else { return true }
      try connection.upgrade()
      return try body(connection)
    } catch let error as SQLiteError where error.code == .notADatabase || error.code == .damaged {
      return true
    }
  }
}
