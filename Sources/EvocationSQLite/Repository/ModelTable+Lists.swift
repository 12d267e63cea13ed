internal import Evocation
internal import Foundation

/// Changes lists together with their models.
extension ModelTable {
  /// Applies a write in the connection's transaction, and returns the changes of the models.
  ///
  /// If the list continues differently after the write, it changes the record to match.
  func perform(
    _ write: ListWrite<Model>, _ lists: ListTables, _ record: inout FetchRecord?,
    tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    let drafts = ListDraftTable<Model>(lists)
    switch write {
    case .page(let page) where page.place == .replacing:
      return try replace(page, lists, tellingApart: tellingApart)
    case .page(let page): return try add(page, lists, &record, tellingApart: tellingApart)
    case .draftPage(let page, let draft): try drafts.save(page, draft)
    case .takeDraft(let list, let criteria, let kept):
      return try take(
        drafts, of: list, removing: criteria, keeping: Set(kept.map(id)), lists,
        tellingApart: tellingApart)
    case .deleteDraft(let list): try drafts.delete(list)
    case .cut(let list):
      if let row = try lists.row(list), try !lists.cut(row) { try lists.giveUp(row.number) }
    case .delete(let list, let criteria, let kept):
      try drafts.delete(list)
      guard let number = try lists.number(list) else { break }
      let removed = try removeSurplus(of: number, criteria, keeping: Set(kept.map(id)), lists)
      try lists.giveUp(number)
      return StoreChanges(removed: removed)
    }
    return StoreChanges()
  }

  /// Replaces a whole list with a page.
  private func replace(
    _ page: ListPage<Model>, _ lists: ListTables, tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    let kept = Set(page.kept.map(id))
    var rows = PutRows(self, lists.connection, tellingApart: tellingApart)
    let listed = try put(page.models, keeping: kept, lists.connection, &rows)
    var (old, new) = try lists.replace(page.list)
    let changes = try finish(
      rows, removing: page.removing, of: old, keeping: kept.union(listed.map(id)), lists)
    var ignored: PageRecord?
    try lists.add(
      listed.map(item), page.requirements, .next, keeping: nil, to: &new, &ignored)
    return changes
  }

  /// Adds a page at an end of a list.
  private func add(
    _ page: ListPage<Model>, _ lists: ListTables, _ record: inout FetchRecord?, tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    var rows = PutRows(self, lists.connection, tellingApart: tellingApart)
    let listed = try put(
      page.models, keeping: Set(page.kept.map(id)), lists.connection, &rows)
    let changes = try rows.finish()
    guard var row = try lists.row(page.list) else {
      throw lists.damage("the store does not have it")
    }
    try lists.check(row)
    var pages = record?.pages
    try lists.add(
      listed.map(item), page.requirements, page.place == .before ? .previous : .next,
      keeping: page.keptPages, to: &row, &pages)
    record?.pages = pages
    return changes
  }

  /// Replaces a list with its draft, which was fetched separately.
  private func take(
    _ drafts: ListDraftTable<Model>, of list: String, removing criteria: Criteria?,
    keeping kept: Set<ModelID>, _ lists: ListTables, tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    var rows = PutRows(self, lists.connection, tellingApart: tellingApart)
    var pages: [(items: [SQLValue], requirements: Data)] = []
    var listedIDs = kept
    try drafts.forEachPage(of: list) { models, requirements in
      let listed = try put(models, keeping: kept, lists.connection, &rows)
      listedIDs.formUnion(listed.map(id))
      pages.append((try listed.map(item), requirements))
    }
    var (old, new) = try lists.replace(list)
    let changes = try finish(rows, removing: criteria, of: old, keeping: listedIDs, lists)
    var ignored: PageRecord?
    for page in pages {
      try lists.add(page.items, page.requirements, .next, keeping: nil, to: &new, &ignored)
    }
    try drafts.delete(list)
    return changes
  }

  /// Inserts or updates the models of a page, except those to keep, and returns the models to list.
  ///
  /// Of the kept models, it returns those that exist.
  private func put(
    _ models: [Model], keeping kept: Set<ModelID>, _ connection: Connection,
    _ rows: inout PutRows<Model>
  ) throws -> [Model] {
    let models = lastOfEach(models)
    guard !kept.isEmpty else {
      try rows.write(models)
      return models
    }
    try rows.write(models.filter { !kept.contains(id($0)) })
    let finder = try finder(connection)
    return try models.filter { try !kept.contains(id($0)) || finder.held($0) != nil }
  }

  /// Removes the models that only the replaced list had, and then writes the rows that wait for
  /// that.
  ///
  /// Both happen before anything is listed: a row that is inserted later would leave its lists.
  private func finish(
    _ rows: consuming PutRows<Model>, removing criteria: Criteria?, of old: Int64?,
    keeping kept: Set<ModelID>, _ lists: ListTables
  ) throws -> StoreChanges<Model> {
    let removed = try old.map { try removeSurplus(of: $0, criteria, keeping: kept, lists) }
    var changes = try rows.finish()
    changes.add(StoreChanges(removed: removed ?? []), id)
    return changes
  }

  /// Removes the models that match and that no other list has, and returns them.
  private func removeSurplus(
    of list: Int64, _ criteria: Criteria?, keeping kept: Set<ModelID>, _ lists: ListTables
  ) throws -> [Model] {
    guard let criteria else { return [] }
    let resolved = try criteria.resolved(against: plan.schema)
    let condition =
      try resolved.predicate.map { try SQLPredicate(plan: plan).condition($0) } ?? .always
    let surplus = try read(
      lists.surplus(of: list, matching: condition), lists.connection
    ).filter { kept.isEmpty || !kept.contains(id($0)) }
    return surplus.isEmpty ? [] : try removeAll(surplus, lists.connection)
  }

  /// Returns the model's id as a list stores it.
  ///
  /// - Throws: `CacheError.notListable`.
  private func item(_ model: Model) throws -> SQLValue {
    let id = id(model)
    guard plan.key.count == 1, plan.columns[plan.key[0]].name == "id", id.scalars.count == 1 else {
      throw CacheError.notListable(model: plan.model)
    }
    return SQLValue(id.scalars[0])
  }
}
