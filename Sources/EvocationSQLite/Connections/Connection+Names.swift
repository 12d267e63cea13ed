internal import CEvocationSQLite

/// How SQLite reads a name in double quotes that no table has.
///
/// By default it takes the name for a text, so a column that another process has dropped would equal
/// its own name, and a removal by it would remove other rows. On every connection such a name is an
/// error.
extension Connection {
  /// Runs `body`, which changes the schema or copies it, with SQLite's default.
  ///
  /// For these statements SQLite reads all definitions again, and those in an app's file may have
  /// text in double quotes. A table that is renamed or altered makes SQLite rewrite all of them with
  /// single quotes.
  func takingNamesForText<Value>(_ body: () throws -> Value) throws -> Value {
    try takeNamesForText()
    defer { try? refuseNamesForText() }
    return try body()
  }

  func takeNamesForText() throws {
    try check(evocation_sqlite_take_names_for_text(handle, 1), "Changing the schema")
  }

  func refuseNamesForText(_ action: String = "Changing the schema") throws {
    try check(evocation_sqlite_take_names_for_text(handle, 0), action)
  }
}

/// Triggers and views that were made while SQLite took such names for text.
extension Connection {
  /// Makes SQLite rewrite them with single quotes, if one of them would fail otherwise.
  ///
  /// It does so for all definitions of a file when any column is renamed, even to the name that it has.
  /// If the file cannot be written now, their statements fail until it is opened again.
  func rewriteNamesAsText() throws {
    let sql = """
      SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view') AND instr(sql, \
      '"')
      """
    let definitions = try all(sql, [], action: "Reading the schema") { statement in
      (statement.text(at: 0) == "view", statement.text(at: 1) ?? "", statement.text(at: 2) ?? "")
    }
    guard
      try definitions.contains(where: { isView, name, table in
        try (isView ? ["SELECT * FROM \(name.quoted)"] : writes(to: table)).contains(where: isText)
      }),
      let (table, column) = try first(
        """
        SELECT found.name, part.name FROM sqlite_schema AS found, pragma_table_info(found.name) AS \
        part WHERE found.sql LIKE 'CREATE TABLE%' AND found.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """, [], action: "Reading the schema",
        { row in row.text(at: 0).flatMap { table in row.text(at: 1).map { (table, $0) } } })
    else { return }
    let name = column.quoted
    try? runWithoutWaiting { connection in
      try connection.transaction { connection in
        try connection.takingNamesForText {
          try connection.execute(
            "ALTER TABLE \(table.quoted) RENAME COLUMN \(name) TO \(name)", "Changing the schema")
        }
      }
    }
  }

  /// Returns statements that run every trigger of a table.
  private func writes(to table: String) throws -> [String] {
    let columns = try texts("SELECT name FROM pragma_table_info(?)", [.text(table)])
    let equations = columns.map { "\($0.quoted) = \($0.quoted)" }.joined(separator: ", ")
    let name = table.quoted
    return [
      "INSERT INTO \(name) DEFAULT VALUES", "UPDATE \(name) SET \(equations)",
      "DELETE FROM \(name)",
    ]
  }

  /// Whether a statement can be prepared only if names are taken for text.
  private func isText(_ sql: String) throws -> Bool {
    if canPrepare(sql) { return false }
    return try takingNamesForText { canPrepare(sql) }
  }

  private func canPrepare(_ sql: String) -> Bool {
    (try? prepare(sql) { "Reading the schema" }) != nil
  }
}
