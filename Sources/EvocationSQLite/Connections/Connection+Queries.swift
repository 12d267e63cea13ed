extension Connection {
  /// Returns the statement of this text with its values bound.
  ///
  /// The caller must reset it.
  func bound(
    _ sql: String, _ values: [SQLValue], action: String = "Preparing a statement"
  ) throws -> Statement {
    let statement = try statement(sql, action)
    try check(statement.bind(values), "Binding a value")
    return statement
  }

  /// Returns the first value of the first row, or nil if there is no row.
  func first(
    _ sql: String, _ values: [SQLValue] = [], action: String = "Reading the schema"
  ) throws -> SQLValue? {
    let statement = try bound(sql, values)
    defer { statement.reset() }
    return try step(statement, action) ? statement.value(at: 0) : nil
  }

  /// Returns the first value of the first row; nil if it is not a whole number.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
    if case .integer(let number)? = try first(sql, values) { number } else { nil }
  }

  /// Returns what `read` makes of the first row; nil if there is no row.
  func first<Value>(
    _ sql: String, _ values: [SQLValue], action: String,
    _ read: (Statement) throws -> Value?
  ) throws -> Value? {
    var found: Value?
    try rows(sql, values, action: action) { statement in
      found = try read(statement)
      return false
    }
    return found
  }

  /// Returns what `read` makes of each row, without nil.
  func all<Value>(
    _ sql: String, _ values: [SQLValue], action: String,
    _ read: (Statement) throws -> Value?
  ) throws -> [Value] {
    var found: [Value] = []
    try rows(sql, values, action: action) { statement in
      if let value = try read(statement) { found.append(value) }
      return true
    }
    return found
  }

  /// Returns the texts in the first column of all rows.
  func texts(_ sql: String, _ values: [SQLValue] = []) throws -> [String] {
    try all(sql, values, action: "Reading the schema") { $0.text(at: 0) }
  }

  /// Runs a statement, and ignores its rows.
  func run(_ sql: String, _ values: [SQLValue], action: String) throws {
    try rows(sql, values, action: action) { _ in true }
  }

  /// Runs a statement, and calls `body` for each row until it returns false.
  func rows(
    _ sql: String, _ values: [SQLValue], action: String, _ body: (Statement) throws -> Bool
  ) throws {
    let statement = try bound(sql, values, action: action)
    defer { statement.reset() }
    while try step(statement, action), try body(statement) {}
  }
}
