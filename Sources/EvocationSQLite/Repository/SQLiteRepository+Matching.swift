public import Evocation

extension SQLiteRepository {
  /// Counts the models that match, without reading them.
  ///
  /// ```swift
  /// let count = try await cars.count(Criteria.Key("year") >= 2000)
  /// ```
  ///
  /// A limit and an offset apply before the count.
  ///
  /// - Parameter criteria: Which models to count; all of them by default.
  /// - Returns: The number of matching models.
  /// - Throws: `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that
  ///   do not fit the model; ``SQLiteError``; `CancellationError`.
  public func count(_ criteria: Criteria = Criteria()) async throws -> Int {
    Int(try await number(table.selection.count(criteria.resolved(against: table.plan.schema))))
  }

  /// Returns whether any model matches.
  ///
  /// It stops at the first match, and reads no model, so it also finds rows that cannot be decoded.
  ///
  /// - Parameter criteria: Which models to look for.
  /// - Returns: Whether at least one model matches.
  /// - Throws: As ``count(_:)`` does.
  public func exists(_ criteria: Criteria) async throws -> Bool {
    let table = table
    if let key = table.key(of: criteria) {
      return try await database.reading(isShort: true) {
        try $0.first(table.selectOne, [key], action: table.reading) != nil
      }
    }
    return try await number(
      table.selection.existence(criteria.resolved(against: table.plan.schema))) != 0
  }

  /// Returns the one number of a query's result.
  private func number(_ query: SQLQuery) async throws -> Int64 {
    let number = try await database.reading {
      try $0.first(query.text, query.values, action: "Counting models")
    }
    guard case .integer(let number) = number else { return 0 }
    return number
  }

  /// Removes the models that match, in one transaction, and returns how many there were.
  ///
  /// ```swift
  /// let removed = try await cars.removeAll(matching: Criteria.Key("year") < 1990)
  /// ```
  ///
  /// With a limit and an offset it removes that part of the order. It reads the models only if the
  /// repository has observers, and removes those that it cannot decode too.
  ///
  /// - Parameter criteria: Which models to remove.
  /// - Returns: The number of removed models.
  /// - Throws: `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that
  ///   do not fit the model; ``SQLiteError``; `CancellationError`.
  @discardableResult
  public func removeAll(matching criteria: Criteria) async throws -> Int {
    let resolved = try criteria.resolved(against: table.plan.schema)
    let removal = try table.selection.removal(resolved)
    let query = try table.selection.query(resolved)
    let keys = try table.selection.keys(resolved)
    let table = table
    return try await transaction { part in
      let connection = part.connection
      var changes = StoreChanges<Model>(isMixed: !part.isObserved)
      if part.isObserved {
        try table.forEachRow(query, connection) { model, _ in
          if let model { changes.removed.append(model) } else { changes.isMixed = true }
          return true
        }
      }
      let lists = PageTable(connection, table.plan)
      let ids = try lists.hasLists ? table.firstIDs(keys, connection) : []
      try connection.run(removal.text, removal.values, action: "Removing models")
      let count = Int(connection.changes)
      if ids.count > PageTable.fewIDs {
        try PageTable.takeOutMissing(
          ofTable: table.plan.table, key: table.plan.keyName, connection: connection)
      } else if !ids.isEmpty {
        try lists.unlist(ids)
      }
      if count > 0 { part.report(changes) }
      return count
    }.value
  }
}

extension ModelTable {
  /// Returns the ids that a query finds, and one more than are recorded if there are more.
  fileprivate func firstIDs(_ keys: SQLQuery, _ connection: Connection) throws -> [SQLValue] {
    var ids: [SQLValue] = []
    try connection.rows(keys.text, keys.values, action: "Removing models") { row in
      ids.append(row.value(at: 0))
      return ids.count <= PageTable.fewIDs
    }
    return ids
  }
}
