extension Connection {
  /// Runs a statement for what it does.
  func run(_ sql: String, _ values: [SQLValue], _ action: String) throws {
    try rows(sql, values, action) { _ in true }
  }

  /// Runs a statement, and calls `body` at each row until it has enough.
  func rows(
    _ sql: String, _ values: [SQLValue], _ action: String, _ body: (Statement) throws -> Bool
  ) throws {
    let statement = try statement(sql, action)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      try check(statement.bind(value, at: Int32(index + 1)), "Binding a value")
    }
    while try step(statement, action), try body(statement) {}
  }
}
