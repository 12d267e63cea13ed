internal import CEvocationSQLite

/// Tables that a transaction has changed without writing them itself.
struct ChangedTables {
  /// The names in lowercase; nil if any table may be among them.
  private(set) var names: Set<String>? = []

  mutating func add(_ tables: StatementTables?) {
    guard let tables else { return names = nil }
    names?.formUnion(tables.alsoChanged)
  }

  /// Takes a table out, and returns whether it was changed.
  mutating func remove(_ table: String) -> Bool {
    names == nil || names?.remove(table) != nil
  }
}

extension Connection {
  /// Lets SQLite report what each statement uses while it prepares the statement.
  ///
  /// It stays on: SQLite prepares all statements again when it is set.
  func reportTables() {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, trigger in
        guard let connection = Connection.of(context), connection.reported != nil else {
          return SQLITE_OK
        }
        return connection.report(
          action, first.map { String(cString: $0) } ?? "",
          second: second.map { String(cString: $0) }, trigger: trigger.map { String(cString: $0) })
      }, context)
  }

  private func report(
    _ action: Int32, _ first: String, second: String?, trigger: String?
  ) -> Int32 {
    if let refusal = admission.refusal(action, first, argument: second) {
      self.refusal = refusal
      return SQLITE_DENY
    }
    reported?.add(action, first, column: second, trigger: trigger)
    return SQLITE_OK
  }

  /// Returns the tables that a statement uses now, for which it may have to be prepared once more.
  func tables(of statement: Statement) throws -> StatementTables {
    // SQLite prepares a statement again after a change of the schema.
    let preparations = sqlite3_stmt_status(
      statement.handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    if let known = statement.tables, known.preparations == preparations { return known.tables }
    let sql = sqlite3_sql(statement.handle).map { String(cString: $0) } ?? ""
    reported = StatementTables(sql)
    defer { reported = nil }
    _ = try prepare(sql) { "Preparing a statement" }
    let tables = reported ?? StatementTables(sql)
    statement.tables = (tables, preparations)
    return tables
  }

  /// Adds the tables that a statement reads to those that somebody asks for.
  func recordTables(of statement: Statement) throws {
    guard observedTables != nil else { return }
    let read = try tables(of: statement).read
    observedTables?.formUnion(read)
  }

  /// Records what a statement changed that has ended, and more than it says.
  ///
  /// SQLite counts the rows that triggers and foreign keys change in the total alone.
  @inline(never)
  func recordChanges(of statement: Statement) {
    let total = totalChanges
    if total - countedChanges != changes {
      var changed = alsoChanged ?? ChangedTables()
      changed.add(try? tables(of: statement))
      alsoChanged = changed
    }
    countedChanges = total
  }
}
