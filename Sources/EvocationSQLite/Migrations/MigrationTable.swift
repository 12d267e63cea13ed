internal import Foundation

/// The file's record of which migrations were applied.
struct MigrationTable: ~Copyable {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the names of the applied migrations, in their order.
  func names() throws -> [String] {
    guard try connection.hasOwnTables() else { return [] }
    var count: Int64 = 0
    return try connection.all(
      "SELECT position, name FROM evocation_migrations ORDER BY position", [],
      action: "Reading the migrations"
    ) { statement in
      count += 1
      // With a gap in the numbers, the next migration would run twice or in another order.
      guard statement.value(at: 0) == .integer(count), let name = statement.text(at: 1) else {
        throw SQLiteError(
          .damaged,
          "Reading the migrations in \(connection.file) failed: evocation_migrations does not hold the "
            + "names of the applied migrations, numbered from 1, so something else wrote there; "
            + "restore the file from a backup, or repair that table.")
      }
      return name
    }
  }

  /// Records that a migration was applied, after `position` others.
  func add(_ name: String, after position: Int) throws {
    try connection.makeOwnTables()
    // 2.0.0-beta.1 made a column for a checksum, which a row cannot be without.
    let columns = try connection.texts("SELECT name FROM pragma_table_info('evocation_migrations')")
    let former = columns.contains("checksum") ? (", checksum", ", ''") : ("", "")
    try connection.run(
      """
      INSERT INTO evocation_migrations (position, name, appliedAt\(former.0)) VALUES (?, ?, ?\(former.1))
      """,
      [
        .integer(Int64(position + 1)), .text(name),
        .real(Date.now.timeIntervalSinceReferenceDate),
      ], action: "Recording the migration")
  }
}
