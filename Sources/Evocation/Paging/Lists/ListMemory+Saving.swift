import Foundation

extension ListMemory {
  func savePage(_ page: ListPage<Model>, stamp: FetchStamp) async throws {
    let kept = try Set(page.kept.map(access.id))
    let ids = try await save(page.models, keeping: kept)
    var record = stamp.record
    let old = try state.withLock { state in
      let old = state.lists[page.list]
      guard let direction = PageDirection(page.place) else {
        state.lists[page.list] = MemoryList(ids, page.requirements)
        return old
      }
      guard old != nil else { throw ListDamage(model: "\(Model.self)", reason: "it is not there") }
      state.lists[page.list]?.add(
        ids, page.requirements, direction, keeping: page.keptPages, &record.pages)
      return old
    }
    try await finish(page.list, stamp.with(record), insteadOf: old, nil)
    guard page.place == .only, let old else { return }
    try await removeModels(of: old, page.removing, keeping: kept)
  }

  func takeDraft(
    of list: String, removing criteria: Criteria?, stamp: FetchStamp
  ) async throws {
    try await takeDraft(of: list, removing: criteria, keeping: [], stamp: stamp)
  }

  func takeDraft(
    of list: String, removing criteria: Criteria?, keeping models: [Model], stamp: FetchStamp
  ) async throws {
    guard let draft = state.withLock({ $0.drafts[list] }) else { return }
    let kept = try Set(models.map(access.id))
    let saved = try await Set(save(draft.models, keeping: kept))
    let pages = try draft.pages.map { page in
      (ids: try ids(of: page.models).filter(saved.contains), page: page)
    }
    let old = state.withLock { state in
      let old = state.lists[list]
      var new: MemoryList?
      for (ids, page) in pages {
        var ignored: PageRecord?
        new?.add(ids, page.requirements, .next, keeping: nil, &ignored)
        new = new ?? MemoryList(ids, page.requirements)
      }
      state.lists[list] = new
      state.drafts[list] = nil
      return old
    }
    try await finish(list, stamp, insteadOf: old, draft)
    if let old { try await removeModels(of: old, criteria, keeping: kept) }
  }

  func deleteList(_ list: String, removing criteria: Criteria?) async throws {
    let old = state.withLock { state in
      state.drafts[list] = nil
      return state.lists.removeValue(forKey: list)
    }
    if let old { try await removeModels(of: old, criteria, keeping: []) }
  }

  /// Stores or updates the models apart from those to be kept; gives the ids of those that are
  /// there, each once.
  private func save(_ models: [Model], keeping kept: Set<ModelID>) async throws -> [ModelID] {
    let ids = try ids(of: models)
    let written = kept.isEmpty ? models : try models.filter { try !kept.contains(access.id($0)) }
    if !written.isEmpty { _ = try await local.storeOrUpdate(written) }
    let doubtful = ids.filter(kept.contains)
    guard !doubtful.isEmpty else { return ids }
    let present = try await local.models(withIDs: doubtful, access)
    return ids.filter { !kept.contains($0) || present[$0] != nil }
  }

  /// Writes the stamp, or puts the list back that was there, and the draft that was taken.
  private func finish(
    _ list: String, _ stamp: FetchStamp, insteadOf old: MemoryList?, _ draft: MemoryDraft<Model>?
  ) async throws {
    do {
      try await stamp.write()
    } catch {
      state.withLock { state in
        state.lists[list] = old
        if let draft { state.drafts[list] = draft }
      }
      throw error
    }
  }

  /// Removes the models that were in a list alone and match.
  private func removeModels(
    of old: MemoryList, _ criteria: Criteria?, keeping kept: Set<ModelID>
  ) async throws {
    guard let criteria else { return }
    let predicate = try criteria.resolved(against: access.schema).predicate
    let alone = state.withLock { state in
      old.ids.filter { id in
        !kept.contains(id) && !state.lists.values.contains { $0.contains(id) }
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

extension FetchStamp {
  /// The same stamp with another record.
  func with(_ record: FetchRecord) -> FetchStamp {
    FetchStamp(tag: tag, record: record, ledger: ledger)
  }
}

extension PageDirection {
  /// In which direction a page continues a list; nil for one that replaces it.
  init?(_ place: PagePlace) {
    switch place {
    case .only: return nil
    case .end: self = .next
    case .start: self = .previous
    }
  }

  /// The other direction.
  var opposite: PageDirection { self == .next ? .previous : .next }
}
