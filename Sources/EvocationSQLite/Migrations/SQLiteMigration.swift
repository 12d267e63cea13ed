public import Evocation
internal import Foundation

/// A change of a database's tables that runs once.
///
/// ```swift
/// let migrations = [
///   SQLiteMigration("call the model year so", "ALTER TABLE car RENAME COLUMN year TO modelYear"),
///   SQLiteMigration("write names in lower case") { db in
///     for row in try db.rows("SELECT id, name FROM car") {
///       guard case .text(let name)? = row["name"], let id = row["id"] else { continue }
///       try db.execute("UPDATE car SET name = ? WHERE id = ?", [name.lowercased(), id])
///     }
///   },
/// ]
/// try database.migrate(migrations)
/// ```
///
/// The file records the names of the migrations that were applied, in their order. Do not change a
/// migration after you released it, because Evocation knows it by its name alone, and add new ones
/// at the end. ``SQLiteDatabase/migrate(_:)`` applies them.
public struct SQLiteMigration: Sendable {
  /// Identifies the migration, in the file and in errors.
  public let name: String

  /// The work of the migration, in its transaction.
  let body: @Sendable (borrowing SQLiteAccess) throws -> Void

  /// Creates a migration from SQL statements, which run in their order.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - statements: The SQL, with one statement in each text.
  public init(_ name: String, _ statements: String...) {
    self.name = name
    body = { access in
      for statement in statements { try access.execute(statement) }
    }
  }

  /// Creates a migration from a closure.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - body: The work of the migration. If it throws, the whole migration is undone.
  public init(
    _ name: String, _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Void
  ) {
    self.name = name
    self.body = body
  }

  /// Creates a migration that renames a model's table, together with its unsent writes.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - table: The present name of the table.
  ///   - new: The new name of the table.
  public init(_ name: String, renaming table: String, to new: String) {
    self.init(name) { try $0.renameTable(table, to: new) }
  }

  /// Creates a migration that renames a property of a model, together with that of its unsent writes.
  ///
  /// ```swift
  /// SQLiteMigration("rename year", renaming: "year", of: "car", to: "modelYear")
  /// ```
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - property: The coding key of the property in the file, which is the name of its column.
  ///   - table: The name of the table.
  ///   - new: The coding key that the property has now.
  public init(_ name: String, renaming property: String, of table: String, to new: String) {
    self.init(name) { try $0.renameProperty(property, of: table, to: new) }
  }

  /// Creates a migration that gives a model's rows ids of another type, with everything in the file that
  /// names them.
  ///
  /// ```swift
  /// let numbers = SQLiteMigration("number the topics", rekeying: "topic", as: Int.self) {
  ///   Int($0.dropFirst("topic-".count))
  /// }
  /// ```
  ///
  /// Columns with a foreign key to the table change too, and so do lists and unsent writes. See
  /// ``SQLiteAccess/changeIDs(of:to:references:_:)``.
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - table: The name of the table, whose key is one column.
  ///   - type: The type of the new ids.
  ///   - references: Columns that have ids of the table without a foreign key, each after its table.
  ///   - id: Returns the new id for the text of an old one; nil if there is none, which fails.
  public init<ID: CriteriaValue & Codable>(
    _ name: String, rekeying table: String, as type: ID.Type,
    references: KeyValuePairs<String, String> = [:],
    _ id: @escaping @Sendable (String) throws -> ID?
  ) {
    self.init(name) { try $0.changeIDs(of: table, to: type, references: references, id) }
  }

  /// Creates a migration that changes the ids of a model's rows from texts to UUIDs, with everything in
  /// the file that names them.
  ///
  /// ```swift
  /// let uuids = SQLiteMigration("ids are UUIDs", rekeying: "note", references: ["comment": "note"])
  /// ```
  ///
  /// - Parameters:
  ///   - name: Identifies the migration.
  ///   - table: The name of the table, whose key is one column.
  ///   - references: Columns that have ids of the table without a foreign key, each after its table.
  public init(
    _ name: String, rekeying table: String, references: KeyValuePairs<String, String> = [:]
  ) {
    self.init(name, rekeying: table, as: UUID.self, references: references) { UUID(uuidString: $0) }
  }
}
