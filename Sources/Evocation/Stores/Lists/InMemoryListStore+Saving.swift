import Foundation

extension InMemoryListStore {
  /// Performs a write step by step, and then writes the stamp.
  ///
  /// When the stamp cannot be written, the lists are restored; the models stay as written.
  @discardableResult
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    var write = write
    if write.source != .app, let outbox = local.role((any OutboxStore<Model>).self) {
      write = try await outbox.transact(isShort: false) { [write] in
        // The lists change after the transaction.
        try write.sparingUnsent(in: $0).holdingPages()
      }
      write.source = .app
    } else {
      write = try await write.completed(in: local)
    }
    write.unsaid = .none
    var record = write.stamp?.record
    if let stamp = write.stamp, stamp.basis != .any {
      record = try stamp.record(replacing: await stamp.ledger.record(for: stamp.tag))
    }
    let before = state.withLock { $0.lists }
    var (commit, surplus) = (StoreCommit<Model>(answers: []), [Surplus]())
    commit.gone = write.gone
    if let list = write.list, let rest = try await perform(list, &record) { surplus.append(rest) }
    for action in write.changes {
      commit.answers += try await local.write(StoreWrite([action])).answers
    }
    if let stamp = write.stamp, let record {
      do {
        try await stamp.ledger.write(record, for: stamp.tag)
        stamp.setWritten(record, version: nil)
      } catch {
        if let tag = (write.list?.list).map(ByteText.init) {
          state.withLock { $0.lists[tag] = before[tag] }
        }
        throw error
      }
    }
    for rest in surplus { try await remove(rest) }
    commit.record = record
    return commit
  }

  /// A list that is gone, and the criteria of the models that are removed with it.
  private struct Surplus {
    let list: ListContents
    let criteria: Criteria?
    var kept: Set<ModelID> = []
  }

  private func perform(
    _ write: ListWrite<Model>, _ record: inout FetchRecord?
  ) async throws -> Surplus? {
    switch write {
    case .page(let page): return try await save(page, &record)
    case .collect(let page, let pages): try pages.add(page)
    case .replace(let list, let pages, let criteria, let kept):
      let kept = try Set(kept.map(access.id))
      let old = try await replace(ByteText(list), by: pages, keeping: kept)
      return old.map { Surplus(list: $0, criteria: criteria, kept: kept) }
    case .cut(let list):
      let list = ByteText(list)
      state.withLock { state in
        if state.lists[list]?.cut() == false { state.lists[list] = nil }
      }
    case .delete(let list, let criteria, let kept):
      let list = ByteText(list)
      let kept = try Set(kept.map(access.id))
      let old = state.withLock { $0.lists.removeValue(forKey: list) }
      return old.map { Surplus(list: $0, criteria: criteria, kept: kept) }
    }
    return nil
  }

  private func save(
    _ page: ListPage<Model>, _ record: inout FetchRecord?
  ) async throws -> Surplus? {
    let kept = try Set(page.kept.map(access.id))
    let ids = try await save(page.models, keeping: kept)
    let list = ByteText(page.list)
    var pages = record?.pages
    let replaced = try state.withLock { state -> ListContents? in
      guard let direction = PageDirection(page.place) else {
        defer { state.lists[list] = ListContents(ids, page.requirements) }
        return state.lists[list]
      }
      guard state.lists[list] != nil else {
        throw ListDamage(model: "\(Model.self)", reason: "the store does not have it")
      }
      state.lists[list]?.add(
        ids, page.requirements, direction: direction, keeping: page.keptPages, record: &pages)
      return nil
    }
    record?.pages = pages
    return replaced.map { Surplus(list: $0, criteria: page.removing, kept: kept) }
  }

  /// Saves the models of collected pages, replaces a list by the pages, and returns the old list.
  ///
  /// Of a model that occurs twice, the last one is saved.
  private func replace(
    _ list: ByteText, by collected: any CollectedPages<Model>, keeping kept: Set<ModelID>
  ) async throws -> ListContents? {
    var pages: [CollectedPage<Model>] = []
    try collected.forEach { pages.append($0) }
    let saved = try await Set(save(pages.flatMap(\.models), keeping: kept))
    var new: ListContents?
    for page in pages {
      let ids = try ids(of: page.models).filter(saved.contains)
      var ignored: PageRecord?
      new?.add(ids, page.requirements, direction: .next, keeping: nil, record: &ignored)
      new = new ?? ListContents(ids, page.requirements)
    }
    return state.withLock { [new] state in
      defer { state.lists[list] = new }
      return state.lists[list]
    }
  }

  /// Inserts or updates the models, except those to be kept.
  ///
  /// It returns the ids of all of these models that exist, each once.
  private func save(_ models: [Model], keeping kept: Set<ModelID>) async throws -> [ModelID] {
    let ids = try ids(of: models)
    let written = kept.isEmpty ? models : try models.filter { try !kept.contains(access.id($0)) }
    if !written.isEmpty { _ = try await local.storeOrUpdate(written) }
    let doubtful = ids.filter(kept.contains)
    guard !doubtful.isEmpty else { return ids }
    let present = try await local.models(withIDs: doubtful, access)
    return ids.filter { !kept.contains($0) || present[$0] != nil }
  }

  /// Removes the models that match and were in this list alone.
  private func remove(_ surplus: Surplus) async throws {
    guard let criteria = surplus.criteria else { return }
    let predicate = try criteria.resolved(against: access.schema).predicate
    let alone = state.withLock { state in
      surplus.list.ids.filter { id in
        !surplus.kept.contains(id) && !state.lists.values.contains { $0.contains(id) }
      }
    }
    let models = try await local.models(withIDs: alone, access)
    let gone = try alone.compactMap { models[$0] }.filter { model in
      try predicate?.matches(access.fields(model)) ?? true
    }
    if !gone.isEmpty { _ = try await local.remove(gone) }
  }

  /// The ids of models, each once.
  private func ids(of models: [Model]) throws -> [ModelID] {
    var seen: Set<ModelID> = []
    return try models.compactMap { model in
      let id = try access.id(model)
      return seen.insert(id).inserted ? id : nil
    }
  }
}

extension ListWrite {
  /// The list that is changed; nil if none is.
  fileprivate var list: String? {
    switch self {
    case .page(let page): page.list
    case .collect: nil
    case .replace(let list, _, _, _), .cut(let list), .delete(let list, _, _): list
    }
  }
}
