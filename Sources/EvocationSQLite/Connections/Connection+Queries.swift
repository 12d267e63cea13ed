extension Connection {
  /// Returns the statement of this text with its values bound.
  ///
  /// The caller must reset it.
  func bound(
    _ sql: String, _ values: [SQLValue], _ action: String = "Preparing a statement"
  ) throws -> Statement {
    let statement = try statement(sql, action)
    try check(statement.bind(values), "Binding a value")
    return statement
  }

  /// Returns the first value of the first row, or nil if there is no row.
  func first(
    _ sql: String, _ values: [SQLValue] = [], _ action: String = "Reading the schema"
  ) throws -> SQLValue? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try step(statement, action) ? statement.value(at: 0) : nil
  }

  /// Runs a statement, and ignores its rows.
  func run(_ sql: String, _ values: [SQLValue], _ action: String) throws {
    try rows(sql, values, action) { _ in true }
  }

  /// Runs a statement, and calls `body` for each row until it returns false.
  func rows(
    _ sql: String, _ values: [SQLValue], _ action: String, _ body: (Statement) throws -> Bool
  ) throws {
    let statement = try bound(sql, values, action)
    defer { statement.reset() }
    while try step(statement, action), try body(statement) {}
  }
}
