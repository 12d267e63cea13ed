internal import Foundation

/// A migration as the file records it.
struct AppliedMigration: Hashable {
  let name: String
  let checksum: String

  /// Returns the migrations that were applied to the file, in their order.
  static func all(_ connection: Connection) throws -> [AppliedMigration] {
    guard try connection.hasOwnTables() else { return [] }
    let statement = try connection.statement(
      "SELECT position, name, checksum FROM evocation_migrations ORDER BY position")
    defer { statement.reset() }
    var applied: [AppliedMigration] = []
    while try connection.step(statement, "Reading the migrations") {
      // With a gap in the numbers, the next migration would run twice or in another order.
      guard statement.value(at: 0) == .integer(Int64(applied.count + 1)),
        case .text(let name) = statement.value(at: 1),
        case .text(let checksum) = statement.value(at: 2)
      else { throw Self.unreadable(connection.file) }
      applied.append(AppliedMigration(name: name, checksum: checksum))
    }
    return applied
  }

  private static func unreadable(_ file: String) -> SQLiteError {
    SQLiteError(
      .damaged,
      "Reading the migrations in \(file) failed: evocation_migrations does not hold the names and "
        + "checksums of the applied migrations, numbered from 1, so something else wrote there; "
        + "restore the file from a backup, or repair that table.")
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
