internal import Evocation

extension SQLiteRepository {
  /// How many pages of a list that was replaced are deleted at a time.
  private static var pagesSweptAtOnce: Int64 { 20 }

  /// The model's id as a list holds it.
  ///
  /// - Throws: `CacheError.notListable`.
  func item(_ model: Model) throws -> SQLValue {
    let plan = table.plan
    let id = table.id(model)
    guard plan.key.count == 1, plan.columns[plan.key[0]].name == "id", id.scalars.count == 1 else {
      throw CacheError.notListable(model: plan.model)
    }
    return SQLValue(id.scalars[0])
  }

  /// What models have to match, in SQL; nil for none.
  func condition(_ criteria: Criteria?) throws -> SQLQuery? {
    guard let criteria else { return nil }
    let resolved = try criteria.resolved(against: table.plan.schema)
    return try resolved.predicate.map { try SQLPredicate(plan: table.plan).condition($0) }
      ?? .always
  }

  /// Runs a transaction on models and lists, which writes the stamp where its ledger is this one.
  func commitList(
    _ stamp: FetchStamp,
    _ body:
      @escaping @Sendable (ModelTable<Model>, Connection, Bool) throws -> (
        FetchRecord, TableChanges<Model>
      )
  ) async throws {
    let hub = hub
    let isOwn = stamp.ledger.identity == fetchLedger.identity
    let record = try await commit(isShort: false) { table, connection in
      try ListTables(connection, table.plan).make()
      let (record, changes) = try body(table, connection, hub.isObserved)
      if isOwn {
        let ledger = FetchTable(connection)
        try ledger.make()
        try ledger.write(record, for: stamp.tag)
      }
      return (record, changes)
    }
    if !isOwn {
      try await FetchStamp(tag: stamp.tag, record: record, ledger: stamp.ledger).write()
    }
    sweep()
  }

  /// Runs a transaction on lists alone.
  func changeLists(_ body: @escaping @Sendable (ListTables) throws -> Void) async throws {
    let (plan, watch) = (table.plan, database.watch)
    try await database.writing { connection in
      try watch.transaction(connection) { connection in
        let lists = ListTables(connection, plan)
        try lists.make()
        try body(lists)
      }
    }
  }

  /// Deletes what is left of lists that were replaced, a little at a time, while nobody waits.
  ///
  /// What is not deleted, because the app ended, is so the next time.
  func sweep() {
    let (database, plan) = (database, table.plan)
    Task {
      var isMore = true
      while isMore {
        isMore = try await database.writing { connection in
          let given = "SELECT 1 FROM evocation_lists WHERE tag IS NULL"
          guard try connection.first(given) != nil else { return false }
          return try database.watch.transaction(connection) {
            try ListTables($0, plan).sweep(pages: Self.pagesSweptAtOnce)
          }
        }
      }
    }
  }
}

extension ModelTable {
  /// Removes the models that match and that a list alone has; gives those.
  func removeSurplus(
    of list: Int64, _ condition: SQLQuery?, keeping kept: Set<ModelID>, _ lists: ListTables
  ) throws -> [Model] {
    guard let condition else { return [] }
    let surplus = try read(
      lists.surplus(of: list, matching: condition), lists.connection
    ).filter { kept.isEmpty || !kept.contains(id($0)) }
    return surplus.isEmpty ? [] : try removeAll(surplus, lists.connection)
  }
}

extension TableChanges {
  /// Adds what another step of the same transaction changed.
  mutating func add(_ other: TableChanges) {
    stored += other.stored
    updated += other.updated
    removed += other.removed
    isMixed = isMixed || other.isMixed
  }
}
