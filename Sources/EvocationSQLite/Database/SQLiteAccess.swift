public import Evocation

/// Runs SQL inside a closure of ``SQLiteDatabase/read(_:)`` or ``SQLiteDatabase/write(_:)``.
///
/// It is valid only inside the closure, and cannot leave it. SQLite binds the values as parameters,
/// so they never become part of the SQL. Nil is `NULL`. Values have the form in which
/// ``SQLiteRepository`` stores them: a date as seconds since 2001, a UUID as 16 bytes, a decimal as
/// text.
///
/// ```swift
/// try await database.write { db in
///   try db.execute("UPDATE car SET year = ? WHERE id = ?", [2003, id])
/// }
/// ```
public struct SQLiteAccess: ~Copyable {
  let connection: Connection
  private let mayWrite: Bool

  init(_ connection: Connection, mayWrite: Bool) {
    self.connection = connection
    self.mayWrite = mayWrite
  }

  /// Runs one statement, and ignores the rows that it returns.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a question mark for each value.
  ///   - values: The values, in the order of the question marks.
  /// - Returns: The number of rows that it inserted, updated or deleted.
  /// - Throws: ``SQLiteError`` or `CancellationError`.
  @discardableResult
  public borrowing func execute(
    _ sql: String, _ values: [(any CriteriaValue)?] = []
  ) throws -> Int {
    guard Self.begins(sql, with: "alter") else { return try run(sql, values) }
    // No closure: the optimizer of Swift 6.3 ends when it inlines one that makes an access.
    try connection.takeNamesForText()
    defer { try? connection.refuseNamesForText() }
    return try run(sql, values)
  }

  private borrowing func run(_ sql: String, _ values: [(any CriteriaValue)?]) throws -> Int {
    let statement = try prepare(sql, values)
    defer { end(statement) }
    let before = connection.totalChanges
    while try connection.step(statement, "Running a statement") {}
    try connection.recordTables(of: statement)
    return connection.totalChanges == before ? 0 : Int(connection.changes)
  }

  /// Renames a model's table, together with its unsent writes.
  ///
  /// A plain `ALTER TABLE` of a table with unsent writes fails at the end of its migration.
  ///
  /// - Throws: ``SQLiteError``, with the code `schemaMismatch` if a table of the new name has
  ///   unsent writes; `CancellationError`.
  public borrowing func renameTable(_ table: String, to new: String) throws {
    try execute("ALTER TABLE \(table.quoted) RENAME TO \(new.quoted)")
    try EntryTables.rename(table.lowercased(), to: new.lowercased(), connection: connection)
  }

  /// Renames a property of a model, together with that of its unsent writes.
  ///
  /// After a plain `ALTER TABLE`, unsent writes would have the property under its old coding key.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public borrowing func renameProperty(_ property: String, of table: String, to new: String) throws
  {
    try execute("ALTER TABLE \(table.quoted) RENAME COLUMN \(property.quoted) TO \(new.quoted)")
    try EntryTables.rename(property, of: table.lowercased(), to: new, connection: connection)
  }

  /// Runs one statement and returns its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a question mark for each value.
  ///   - values: The values, in the order of the question marks.
  /// - Returns: All rows. An empty result is not an error.
  /// - Throws: ``SQLiteError`` or `CancellationError`.
  public borrowing func rows(
    _ sql: String, _ values: [(any CriteriaValue)?] = []
  ) throws -> [SQLiteRow] {
    let statement = try prepare(sql, values)
    defer { end(statement) }
    // The first step may find that a table has more columns.
    var columns: [String]?
    var rows: [SQLiteRow] = []
    while try connection.step(statement, "Running a statement") {
      let names = columns ?? statement.columnNames
      columns = names
      rows.append(SQLiteRow(names, statement))
    }
    try connection.recordTables(of: statement)
    return rows
  }

  /// Runs `body` in a savepoint: if it throws, only its writes are undone.
  ///
  /// ```swift
  /// try db.execute("INSERT INTO note VALUES (1, 'kept')")
  /// try? db.savepoint {
  ///   try db.execute("INSERT INTO note VALUES (2, 'taken back')")
  ///   throw Refusal()
  /// }
  /// ```
  ///
  /// Savepoints nest, and the transaction commits their writes. A cancellation, a full disk or a
  /// damaged file may undo the whole transaction. Later statements then throw, and so does
  /// ``SQLiteDatabase/write(_:)``.
  ///
  /// - Parameter body: The writes. It runs on the queue of the transaction.
  /// - Returns: What `body` returns.
  /// - Throws: ``SQLiteError``, `CancellationError`, or what `body` throws.
  @discardableResult
  public borrowing func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    try connection.checkCancellation()
    try connection.checkTransaction()
    return try connection.savepoint(body)
  }

  private borrowing func end(_ statement: Statement) {
    statement.reset()
    connection.recordWrites(of: statement)
  }

  private borrowing func prepare(
    _ sql: String, _ values: [(any CriteriaValue)?]
  ) throws -> Statement {
    try connection.checkCancellation()
    try connection.checkTransaction()
    let statement = try connection.statement(sql, of: admission)
    guard !Self.begins(sql, with: "vacuum") else {
      throw SQLiteError(
        .misuse,
        "Running a statement in \(connection.file) failed: VACUUM cannot run within a transaction; use "
          + "vacuum(), or backup(to:) in place of VACUUM INTO.")
    }
    if mayWrite { connection.migrating?.append(sql) }
    // A pragma that writes is refused before, so one that is left only asks.
    guard mayWrite || statement.isReadOnly || Self.begins(sql, with: "pragma") else {
      throw SQLiteError.writes(in: connection)
    }
    guard values.count == Int(statement.parameterCount) else {
      throw SQLiteError(
        .misuse,
        "Running a statement in \(connection.file) failed: it has \(statement.parameterCount) "
          + "parameters, and \(values.count) values were given."
      )
    }
    let bound = values.map { SQLValue($0?.criteriaValue ?? .null) }
    try connection.check(statement.bind(bound), "Binding a value")
    return statement
  }

  private var admission: AppSQL {
    if !mayWrite { return .read }
    return connection.migrating == nil ? .write : .migration
  }

  private static func begins(_ sql: String, with keyword: String) -> Bool {
    let start = sql.utf8.drop { $0 <= 0x20 }.prefix(keyword.utf8.count)
    // This bit separates lowercase from uppercase characters.
    return start.elementsEqual(keyword.utf8) { $0 | 0x20 == $1 }
  }
}
