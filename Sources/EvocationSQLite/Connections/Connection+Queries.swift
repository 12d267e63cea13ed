extension Connection {
  /// Gives the statement of this text with its values, which the caller has to reset.
  func bound(
    _ sql: String, _ values: [SQLValue], _ action: String = "Preparing a statement"
  ) throws -> Statement {
    let statement = try statement(sql, action)
    try check(statement.bind(values), "Binding a value")
    return statement
  }

  /// Gives the first value of the first row, or nil when there is no row.
  func first(_ sql: String, _ values: [SQLValue] = []) throws -> SQLValue? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try step(statement, "Reading the schema") ? statement.value(at: 0) : nil
  }

  /// Runs a statement for what it does.
  func run(_ sql: String, _ values: [SQLValue], _ action: String) throws {
    try rows(sql, values, action) { _ in true }
  }

  /// Runs a statement, and calls `body` at each row until it has enough.
  func rows(
    _ sql: String, _ values: [SQLValue], _ action: String, _ body: (Statement) throws -> Bool
  ) throws {
    let statement = try bound(sql, values, action)
    defer { statement.reset() }
    while try step(statement, action), try body(statement) {}
  }
}
