import CEvocationSQLite

@testable import EvocationSQLite

/// Holds a backup where it begins to copy the rows of a table, in the middle of its one statement.
final class HeldCopy: Sendable {
  let gate = ThreadGate()
  private let table: String

  init(of table: String) { self.table = table }

  /// Backs up, and holds that in the middle.
  func backup(_ database: SQLiteDatabase, to path: String) async throws {
    try await database.backup(to: path) { connection in
      sqlite3_set_authorizer(
        connection.handle,
        { context, action, name, _, _, _ in
          guard let context, let name, action == SQLITE_INSERT else { return SQLITE_OK }
          let held = Unmanaged<HeldCopy>.fromOpaque(context).takeUnretainedValue()
          if String(cString: name) == held.table { held.hold() }
          return SQLITE_OK
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  private func hold() {
    gate.arrive()
    gate.waitForRelease()
  }
}
