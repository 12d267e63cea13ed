internal import Foundation

/// A change of a database's tables that runs once.
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
/// The file records which migrations were applied, with their order and content. Do not change a
/// migration after you released it, and add new ones at the end. ``SQLiteDatabase/migrate(_:)``
/// applies them.
public struct SQLiteMigration: Sendable {
  /// Identifies the migration, in the file and in errors.
  public let name: String

  /// Shows whether the migration is still the one that was applied.
  let checksum: String

  /// The checksum that it had if its text was in double quotes, as SQLite took it before; nil if that
  /// is not known.
  let formerChecksum: String?

  /// The work of the migration, in its transaction.
  let body: @Sendable (borrowing SQLiteAccess) throws -> Void

  /// Creates a migration from SQL statements, which run in their order.
  ///
  /// You may later change white space and comments in the statements, and put text into single quotes
  /// that was in double quotes, but nothing else.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - statements: The SQL, with one statement in each text.
  public init(_ name: String, _ statements: String...) {
    self.name = name
    checksum = "sql " + Checksum.of(statements)
    formerChecksum =
      "sql " + Checksum.of(statements.map { $0.replacingOccurrences(of: "'", with: "\"") })
    body = { access in
      for statement in statements { try access.execute(statement) }
    }
  }

  /// Creates a migration from a closure.
  ///
  /// Evocation cannot compare the code of a closure, so it compares the version instead.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - version: Any text. If it differs later, Evocation reports a changed migration.
  ///   - body: The work of the migration. If it throws, the whole migration is undone.
  public init(
    _ name: String, version: String,
    _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Void
  ) {
    self.name = name
    (checksum, formerChecksum) = ("version " + version, nil)
    self.body = body
  }

  /// Creates a migration that renames a model's table, together with its unsent writes.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - table: The present name of the table.
  ///   - new: The new name of the table.
  public init(_ name: String, renaming table: String, to new: String) {
    self.init(name, version: "renaming \(table) to \(new)") { try $0.renameTable(table, to: new) }
  }
}
