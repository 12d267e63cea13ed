extension ProxyPagingCacheDataSource {
  /// Saves a page, without a stamp.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePosition
  ) async throws {
    let record = FetchRecord(fetchedAt: base.evocation.environment.date())
    try await saveCache(
      fetched, requirements: requirements, pagingRequirements: page, place: place,
      stamp: FetchStamp(tag: tag(for: requirements), record: record, ledger: NoLedger()))
  }

  /// Saves a page with its models and the stamp, in one transaction where the store can.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePosition, stamp: FetchStamp
  ) async throws {
    let (proxy, list) = (try proxy, tag(for: requirements))
    let ticket = fetched.mark == nil ? proxy.line.enter() : proxy.line.enterToSave().ticket
    try await proxy.inTurn(of: ticket) {
      if let mark = fetched.mark { try proxy.check(mark) }
      let store = try local.store
      let isReplaced = place == .replacing && base.options.removesMissing
      let removing = isReplaced ? try await removable(requirements, stamp.ledger) : nil
      let written = fetched.mark?.written ?? WrittenModels()
      if let collected = fetched.collected {
        return try await replace(
          list, by: collected, written: written,
          removing: removing.flatMap(fetched.unsaid.removable), stamp: stamp, in: store)
      }
      let models = written.applied(
        to: fetched.models, versions: fetched.versions, unsaid: fetched.unsaid)
      proxy.recordVersions(models.versions)
      let saved = ListPage(
        list: list, models: models.listed, requirements: data(page), place: place,
        keptPages: maxPages, removing: removing.flatMap(models.unsaid.removable),
        kept: models.kept)
      let source: StoreWrite<Model>.Source = fetched.mark == nil ? .cache : .remote
      try await store.commit(
        StoreWrite(
          list: .page(saved), stamp: stamp, source: source, versions: models.versions,
          unsaid: models.unsaid))
      if let mark = fetched.mark {
        mark.recordSaved(models.models)
      } else {
        proxy.recordWritten(fetched.models)
      }
      proxy.tell(models, place == .replacing ? "refresh" : "page")
    }
  }

  /// Replaces a list by collected pages; models that the app has written since stay unchanged.
  ///
  /// Models that were written to the remote repository alone are saved as it answered, because the
  /// answer is newer than the pages.
  private func replace(
    _ list: String, by collected: ProxyPageModels<Model>.Collected,
    written: WrittenModels<Model>, removing: Criteria?, stamp: FetchStamp,
    in store: any ListStore<Model>
  ) async throws {
    var record = stamp.record
    record.pages = collected.record
    let (answered, gone) = written.followed
    var actions: [StoreWrite<Model>.Change] = []
    if !answered.isEmpty { actions.append(.update(answered)) }
    if !gone.isEmpty { actions.append(.remove(gone)) }
    try await store.commit(
      StoreWrite(
        list: .replace(list, by: collected.pages, removing: removing, keeping: written.kept),
        actions, stamp: stamp.with(record), source: .remote,
        unsaid: proxy.unsaid([], nil)))
  }

  /// Saves your app's models in the local repository as the list, without a call to the remote one.
  public func updateCache(
    _ cache: [Model], requirements: Criteria, stamp: FetchStamp
  ) async throws {
    try await saveCache(
      ProxyPageModels(cache, nil), requirements: requirements, pagingRequirements: .first,
      place: .replacing, stamp: stamp)
  }

  /// Deletes the list, and the models that match its criteria and that no other cache needs.
  public func deleteCache(_ requirements: Criteria) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enter()) {
      let removing = try await removable(requirements, ledger)
      try await local.store.commit(
        StoreWrite(
          list: .delete(tag(for: requirements), removing: removing), source: .cache))
    }
  }

  /// Cuts the list to its first page; its other models stay in the local repository.
  public func persistOnlyFirstPage(_ requirements: Criteria) async throws {
    try await local.store.commit(StoreWrite(list: .cut(tag(for: requirements))))
  }

  /// The criteria of the models that are removed with a list; nil when other caches need all of
  /// them.
  private func removable(
    _ criteria: Criteria, _ ledger: (any FetchLedger)?
  ) async throws -> Criteria? {
    // Which models have the words of a search, only the server knows.
    if base.declared(criteria).predicate?.isOpaque == true { return nil }
    var gone = Criteria(criteria.predicate)
    let records = try await ledger?.records(prefix: base.tagPrefix) ?? [:]
    for (tag, record) in records where !tag.beginsWithBytes(of: tagPrefix) {
      guard let kept = record.requirements(as: Criteria.self) else { continue }
      // A cache of a part is a list too, and no list loses a model to another.
      if base.declared(kept).isPart(of: Model.self) { continue }
      guard let predicate = kept.predicate else { return nil }
      gone = gone && Criteria(.not(predicate))
    }
    return gone
  }
}
