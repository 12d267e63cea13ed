internal import Evocation
internal import Foundation

/// Changes lists together with their models.
extension ModelTable {
  /// Applies a write in the connection's transaction, and returns the changes of the models.
  ///
  /// If the list continues differently after the write, it changes the record to match.
  func perform(
    _ write: ListWrite<Model>, _ connection: Connection, record: inout FetchRecord?,
    tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    let lists = PageTable(connection, plan)
    try PageTable.settle(connection)
    switch write {
    case .page(let page) where page.place == .replacing:
      return try replace(
        page.list, lists, removing: page.removing, keeping: page.kept, tellingApart: tellingApart
      ) { try $0(page.models, page.requirements) }
    case .page(let page): return try add(page, lists, record: &record, tellingApart: tellingApart)
    case .collect(let page, let pages): try pages.add(page)
    case .replace(let list, let pages, let criteria, let kept):
      return try replace(
        list, lists, removing: criteria, keeping: kept, tellingApart: tellingApart
      ) { body in try pages.forEach { try body($0.models, $0.requirements) } }
    case .cut(let list): try lists.cut(list)
    case .delete(let list, let criteria, let kept):
      let changes = try removeSurplus(of: list, criteria, keeping: Set(kept.map(id)), lists: lists)
      try lists.delete(list)
      return changes
    }
    return StoreChanges()
  }

  /// Replaces a whole list with pages.
  private func replace(
    _ list: String, _ lists: PageTable, removing criteria: Criteria?, keeping kept: [Model],
    tellingApart: Bool, _ forEachPage: (([Model], Data) throws -> Void) throws -> Void
  ) throws -> StoreChanges<Model> {
    let kept = Set(kept.map(id))
    let rows = try PendingRows(self, lists.connection, tellingApart: tellingApart)
    var pages: [(ids: [ModelID], requirements: Data)] = []
    try forEachPage { models, requirements in
      let listed = try put(models, keeping: kept, connection: lists.connection, rows: rows)
      pages.append((listed.map(id), requirements))
    }
    // Rows may wait until the models are removed that only the replaced list had.
    let removed = try removeSurplus(
      of: list, criteria, keeping: kept.union(pages.flatMap(\.ids)), lists: lists)
    var changes = try rows.finish()
    changes.add(removed, id)
    try lists.delete(list)
    // The list has a model once, on its last page.
    var later: Set<ModelID> = []
    for (number, page) in pages.enumerated().reversed() {
      let ids = page.ids.filter { later.insert($0).inserted }
      try lists.insert(ids.map(item), page.requirements, at: Int64(number), of: list)
    }
    return changes
  }

  /// Adds a page at an end of a list.
  private func add(
    _ page: ListPage<Model>, _ lists: PageTable, record: inout FetchRecord?, tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    guard let pages = try lists.pages(of: page.list) else {
      throw lists.damage("the store does not have it")
    }
    let ids = try page.models.map { try item(id($0)) }
    let others = try lists.mayHave(ids, pages)
    let rows = try PendingRows(self, lists.connection, tellingApart: tellingApart)
    let listed = try put(
      page.models, keeping: Set(page.kept.map(id)), connection: lists.connection, rows: rows)
    let changes = try rows.finish()
    if let others { try lists.takeOut(others, of: page.list) }
    var next = record?.pages
    try lists.add(listed.map { try item(id($0)) }, page, to: pages, record: &next)
    record?.pages = next
    return changes
  }

  /// Inserts or updates the models of a page, except those to keep, and returns the models to list.
  ///
  /// Of the kept models, it returns those that exist.
  private func put(
    _ models: [Model], keeping kept: Set<ModelID>, connection: Connection,
    rows: PendingRows<Model>
  ) throws -> [Model] {
    let models = lastOfEach(models)
    guard !kept.isEmpty else {
      try rows.write(models)
      return models
    }
    try rows.write(models.filter { !kept.contains(id($0)) })
    let finder = try finder(connection)
    return try models.filter { try !kept.contains(id($0)) || finder.finds($0) }
  }

  /// Removes the models that match and that no other list has.
  private func removeSurplus(
    of list: String, _ criteria: Criteria?, keeping kept: Set<ModelID>, lists: PageTable
  ) throws -> StoreChanges<Model> {
    guard let criteria else { return StoreChanges() }
    let resolved = try criteria.resolved(against: plan.schema)
    let condition =
      try resolved.predicate.map { try SQLPredicate(plan: plan).condition($0) } ?? .always
    let query = lists.surplus(of: list, matching: condition)
    var (surplus, unreadable) = ([Model](), [RowKey]())
    lazy var keptKeys = Set(kept.compactMap { try? RowKey([item($0)]) })
    try forEachRow(query, lists.connection) { model, row in
      if let model {
        if !kept.contains(id(model)) { surplus.append(model) }
      } else if !keptKeys.contains(key(row)) {
        unreadable.append(key(row))
      }
      return true
    }
    try removeRows(unreadable, lists.connection)
    var changes = try removeAll(surplus, lists.connection)
    changes.isMixed = changes.isMixed || !unreadable.isEmpty
    return changes
  }

  /// Lets removed models leave all lists.
  func unlist(_ models: [Model], _ connection: Connection) throws {
    let lists = PageTable(connection, plan)
    guard !models.isEmpty, try lists.hasLists else { return }
    try lists.unlist(models.compactMap { try? item(id($0)) })
  }

  /// Returns the model's id as a list has it.
  ///
  /// - Throws: `CacheError.notListable`.
  private func item(_ id: ModelID) throws -> SQLValue {
    guard isListable, id.scalars.count == 1 else {
      throw CacheError.notListable(model: plan.model)
    }
    return SQLValue(id.scalars[0])
  }

  /// Whether lists may have models of the table, which they name by single ids.
  var isListable: Bool { plan.key.count == 1 && plan.keyName == plan.schema.identifier }
}
