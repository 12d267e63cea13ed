internal import Foundation

/// A migration as the file records it.
struct AppliedMigration: Hashable {
  let name: String
  let checksum: String
  /// Another checksum that it may have been applied with; nil if there is none.
  var formerChecksum: String?

  /// Returns the migrations that were applied to the file, in their order.
  static func all(_ connection: Connection) throws -> [AppliedMigration] {
    guard try connection.hasOwnTables() else { return [] }
    var count: Int64 = 0
    return try connection.all(
      "SELECT position, name, checksum FROM evocation_migrations ORDER BY position", [],
      action: "Reading the migrations"
    ) { statement in
      count += 1
      // With a gap in the numbers, the next migration would run twice or in another order.
      guard statement.value(at: 0) == .integer(count),
        let name = statement.text(at: 1), let checksum = statement.text(at: 2)
      else {
        throw SQLiteError(
          .damaged,
          "Reading the migrations in \(connection.file) failed: evocation_migrations does not hold the "
            + "names and checksums of the applied migrations, numbered from 1, so something else "
            + "wrote there; restore the file from a backup, or repair that table.")
      }
      return AppliedMigration(name: name, checksum: checksum)
    }
  }

  /// Records that the migration was applied, after `position` others.
  func write(after position: Int, _ connection: Connection) throws {
    try connection.makeOwnTables()
    _ = try connection.first(
      "INSERT INTO evocation_migrations VALUES (?, ?, ?, ?)",
      [
        .integer(Int64(position + 1)), .text(name), .text(checksum),
        .real(Date.now.timeIntervalSinceReferenceDate),
      ])
  }
}
