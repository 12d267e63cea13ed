/// A change of a database's tables that is made once.
///
/// ```swift
/// let migrations = [
///   SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear"),
///   SQLiteMigration("write names in lower case", version: "1") { db in
///     for row in try db.rows("SELECT id, name FROM car") {
///       guard case .text(let name)? = row["name"], let id = row["id"] else { continue }
///       try db.execute("UPDATE car SET name = ? WHERE id = ?", [name.lowercased(), id])
///     }
///   },
/// ]
/// try database.migrate(migrations)
/// ```
///
/// The file records which migrations were applied, with their order and content, so do not change a
/// migration once it was released, and add new ones at the end. ``SQLiteDatabase/migrate(_:)``
/// applies them.
public struct SQLiteMigration: Sendable {
  /// Identifies the migration, in the file and in errors.
  public let name: String

  /// Shows whether the migration is still the one that was applied.
  let checksum: String

  /// The work of the migration, in its transaction.
  let body: @Sendable (borrowing SQLiteAccess) throws -> Void

  /// Makes a migration of SQL statements, which run in their order.
  ///
  /// White space and comments may change later; anything else in the statements may not.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - statements: One statement each.
  public init(_ name: String, _ statements: String...) {
    self.name = name
    checksum = "sql " + Checksum.of(statements)
    body = { access in
      for statement in statements { try access.execute(statement) }
    }
  }

  /// Makes a migration of a closure.
  ///
  /// The code of a closure cannot be compared, so its version stands for it.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - version: Any text; a later one that differs is reported as a changed migration.
  ///   - body: What the migration does; it throws to take it all back.
  public init(
    _ name: String, version: String,
    _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Void
  ) {
    self.name = name
    checksum = "version " + version
    self.body = body
  }

  /// Makes a migration that renames a model's table, with what waits to be sent of it.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - table: The table's name until now.
  ///   - new: Its name from now on.
  public init(_ name: String, renaming table: String, to new: String) {
    self.init(name, version: "renaming \(table) to \(new)") { try $0.renameTable(table, to: new) }
  }
}
