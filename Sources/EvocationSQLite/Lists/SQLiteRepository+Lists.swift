public import Evocation

/// The lists lie in tables of the same file, whose names begin with `evocation_list`.
///
/// Triggers take a removed model out of every list, whoever removes it. What `REPLACE` removes without
/// a word, and what is lost when the table is made anew, leaves them when the SQL was run through the
/// database, and else when it is missed.
extension SQLiteRepository: ListStore {
  /// Reads a part of a list, of one state of the database.
  ///
  /// It costs what the part has, and a little for the pages before it.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  public func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
    for isMended in [false, true] {
      if isMended { try await changeLists { try $0.mend(list) } }
      switch try await look(at: list, range) {
      case .missing: return nil
      case .part(let part): return part
      case .faulty: continue
      }
    }
    throw ListDamage(
      model: table.plan.model, reason: "it does not have the models that it says")
  }

  private func look(at list: String, _ range: Range<Int>?) async throws -> ListLook<Model> {
    let table = table
    return try await database.long(database.reader) { connection in
      let lists = ListTables(connection, table.plan)
      return try lists.unlessMissing {
        try connection.snapshot { _ in
          guard let row = try lists.row(list) else { return .missing }
          return try lists.part(row, range, table).map(ListLook.part) ?? .faulty
        }
      } ?? .missing
    }
  }

  /// How many pages a list has; nil without such a list.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  public func pageCount(of list: String) async throws -> Int? {
    let plan = table.plan
    return try await database.long(database.reader) { connection in
      let lists = ListTables(connection, plan)
      return try lists.unlessMissing {
        try connection.snapshot { _ in
          guard let row = try lists.row(list) else { return nil }
          try lists.check(row)
          return Int(clamping: row.last - row.first + 1)
        }
      }
    }
  }

  /// How far the list is fetched that is to take a list's place.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func draft(of list: String) async throws -> ListDraft? {
    let plan = table.plan
    return try await database.shortRead { connection in
      let lists = ListTables(connection, plan)
      return try lists.unlessMissing { try ListDraftTable<Model>(lists).draft(of: list) }
    }
  }

  /// Saves a page with its models and the stamp, in one transaction.
  ///
  /// - Throws: `CacheError.notListable`; `ListDamage` for a further page; ``SQLiteError``;
  ///   `CancellationError`. Nothing is saved then.
  public func savePage(_ page: ListPage<Model>, stamp: FetchStamp) async throws {
    let removal = try condition(page.removing)
    let models = table.lastOfEach(page.models)
    let kept = Set(page.kept.map(table.id))
    try await commitList(stamp) { table, connection, isObserved in
      let lists = ListTables(connection, table.plan)
      var (listed, changes) = try table.put(
        models, keeping: kept, connection, tellingApart: isObserved)
      let items = try listed.map(self.item)
      var record = stamp.record
      let direction: PageDirection = page.place == .start ? .previous : .next
      if page.place != .only {
        guard var row = try lists.row(page.list) else { throw lists.damage("it is not there") }
        try lists.check(row)
        try lists.add(
          items, page.requirements, direction, keeping: page.keptPages, to: &row, &record.pages)
        return (record, changes)
      }
      var (old, new) = try lists.replace(page.list)
      try lists.add(items, page.requirements, .next, keeping: nil, to: &new, &record.pages)
      if let old {
        changes.removed = try table.removeSurplus(of: old, removal, keeping: kept, lists)
      }
      return (record, changes)
    }
  }

  /// Puts the draft with its models in the list's place with the stamp, in one transaction.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`. The old list stays then, and the draft.
  public func takeDraft(
    of list: String, removing criteria: Criteria?, stamp: FetchStamp
  ) async throws {
    try await takeDraft(of: list, removing: criteria, keeping: [], stamp: stamp)
  }

  /// Does the same, and leaves some models as they are, in one transaction.
  public func takeDraft(
    of list: String, removing criteria: Criteria?, keeping models: [Model], stamp: FetchStamp
  ) async throws {
    let removal = try condition(criteria)
    let kept = Set(models.map(table.id))
    try await commitList(stamp) { table, connection, isObserved in
      let lists = ListTables(connection, table.plan)
      let drafts = ListDraftTable<Model>(lists)
      var changes = TableChanges<Model>()
      var (old, new) = try lists.replace(list)
      var ignored: PageRecord?
      try drafts.forEachPage(of: list) { models, requirements in
        let models = table.lastOfEach(models)
        let (listed, put) = try table.put(
          models, keeping: kept, connection, tellingApart: isObserved)
        changes.add(put)
        let items = try listed.map(self.item)
        try lists.add(items, requirements, .next, keeping: nil, to: &new, &ignored)
      }
      try drafts.delete(list)
      if let old {
        changes.removed = try table.removeSurplus(of: old, removal, keeping: kept, lists)
      }
      return (stamp.record, changes)
    }
  }

  /// Leaves only the first page of a list, or nothing when that was dropped.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func cutList(_ list: String) async throws {
    try await changeLists { lists in
      guard let row = try lists.row(list), try !lists.cut(row) else { return }
      try lists.giveUp(row.number)
    }
  }

  /// Deletes a list, and which models that no other list has.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func deleteList(_ list: String, removing criteria: Criteria?) async throws {
    let removal = try condition(criteria)
    try await commit(isShort: false) { table, connection in
      let lists = ListTables(connection, table.plan)
      try lists.make()
      try ListDraftTable<Model>(lists).delete(list)
      guard let number = try lists.number(list) else { return ((), TableChanges()) }
      let removed = try table.removeSurplus(of: number, removal, keeping: [], lists)
      try lists.giveUp(number)
      return ((), TableChanges(removed: removed))
    }
    sweep()
  }

  /// Keeps a page of the list that is to take another's place.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func saveDraftPage(_ page: ListPage<Model>, draft: ListDraft) async throws {
    try await changeLists { lists in
      try ListDraftTable(lists).save(page, draft)
    }
  }

  /// Deletes what was kept of a list that was to take another's place.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func deleteDraft(of list: String) async throws {
    guard try await draft(of: list) != nil else { return }
    try await changeLists { lists in
      try ListDraftTable<Model>(lists).delete(list)
    }
  }
}

/// What a look at a list has found.
private enum ListLook<Model: Sendable>: Sendable {
  case missing
  case part(ListPart<Model>)
  /// It has fewer or more models than it says.
  case faulty
}
