extension Connection {
  /// Returns the statement of your app's SQL, prepared if it is new.
  ///
  /// A statement that was prepared is known to be allowed, so only a new one is looked at.
  func statement(_ sql: String, of app: AppSQL) throws -> Statement {
    if let known = idleStatement(sql), known.admission.rawValue >= app.rawValue { return known }
    (admission, refusal, reported) = (app, nil, StatementTables(sql))
    defer { (admission, refusal, reported) = (.own, nil, nil) }
    do {
      let statement = try prepare(sql) { "Preparing a statement" }
      statement.admission = app
      statement.tables = reported.map { ($0, preparations: 0) }
      keep(statement, for: sql)
      return statement
    } catch {
      guard let refusal else { throw error }
      throw SQLiteError(refusal, of: self)
    }
  }
}

extension SQLiteError {
  /// The error of a statement that writes where the app only reads.
  static func writes(in connection: Connection) -> SQLiteError {
    SQLiteError(
      .readOnly,
      "Running a statement in \(connection.file) failed: it writes, and read only reads; use write."
    )
  }

  fileprivate init(_ refusal: AppSQL.Refusal, of connection: Connection) {
    switch refusal {
    case .write: self = .writes(in: connection)
    case .transaction:
      self.init(
        .misuse,
        "Running a statement in \(connection.file) failed: read is a transaction already; leave "
          + "BEGIN, COMMIT and ROLLBACK to it.")
    case .connection(let statement):
      self.init(
        .misuse,
        "Running a statement in \(connection.file) failed: \(statement) would change one connection "
          + "of the database and no other; put it into connectionStatements of the configuration.")
    }
  }
}
