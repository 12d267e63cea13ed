extension ProxyPagingCacheDataSource {
  /// Saves a page; the stamp is somebody else's.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePlace
  ) async throws {
    let record = FetchRecord(fetchedAt: base.evocation.environment.date())
    try await saveCache(
      fetched, requirements: requirements, pagingRequirements: page, place: place,
      stamp: FetchStamp(tag: tag(for: requirements), record: record, ledger: NoLedger()))
  }

  /// Saves a page with its models and the stamp, in one transaction where local can.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePlace, stamp: FetchStamp
  ) async throws {
    let (proxy, list) = (try proxy, tag(for: requirements))
    guard let ticket = proxy.line.enter(unlessWrittenSince: fetched.mark) else {
      if fetched.draft != nil { try await local.store.deleteDraft(of: list) }
      throw OutdatedFetch()
    }
    try await proxy.inTurn(of: ticket) {
      let store = try local.store
      let isReplaced = place == .only && base.saving == .mirror
      let removing = isReplaced ? try await removable(requirements, stamp.ledger) : nil
      if let origin = fetched.draft {
        return try await take(origin, of: list, removing: removing, stamp, store)
      }
      if place == .only { try await store.deleteDraft(of: list) }
      try await store.savePage(
        ListPage(
          list: list, models: fetched.models, requirements: data(page), place: place,
          keptPages: keptPages, removing: removing),
        stamp: stamp)
    }
  }

  /// Puts the draft in the list's place; one that cannot be taken is thrown away.
  ///
  /// - Throws: ``OutdatedFetch``, so that it is fetched anew, where this refresh has not done so.
  private func take(
    _ origin: ProxyPageModels<Model>.Draft, of list: String, removing: Criteria?,
    _ stamp: FetchStamp, _ store: any ListStore<Model>
  ) async throws {
    // It may have been let go meanwhile, with the list that it was for.
    guard let draft = try await store.draft(of: list) else { throw OutdatedFetch() }
    var record = stamp.record
    record.pages = draft.pages
    do {
      try await store.takeDraft(of: list, removing: removing, stamp: stamp.with(record))
    } catch  where !Cancellation.isCause(of: error) {
      // Only what says that it may pass is worth to be tried with the same pages.
      if (error as? any ClassifiedError)?.failureKind == .transient { throw error }
      try await store.deleteDraft(of: list)
      if origin == .earlier { throw OutdatedFetch() }
      throw error
    }
  }

  /// Puts models into the local repository as the list; the remote one is not told.
  public func updateCache(
    _ cache: [Model], requirements: Criteria, stamp: FetchStamp
  ) async throws {
    try await saveCache(
      ProxyPageModels(cache, nil), requirements: requirements, pagingRequirements: .first,
      place: .only, stamp: stamp)
  }

  /// Deletes the list, and the models that match its criteria and that no other cache wants.
  public func deleteCache(_ requirements: Criteria) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enter()) {
      let removing = try await removable(requirements, ledger)
      try await local.store.deleteList(tag(for: requirements), removing: removing)
    }
  }

  /// Leaves only the first page of the list; its other models stay in the local repository.
  public func persistOnlyFirstPage(_ requirements: Criteria) async throws {
    try await local.store.cutList(tag(for: requirements))
  }

  /// What a list's models have to match to be removed with it; nil when all are wanted elsewhere.
  private func removable(
    _ criteria: Criteria, _ ledger: (any FetchLedger)?
  ) async throws -> Criteria? {
    var gone = Criteria(criteria.predicate)
    let records = try await ledger?.records(prefix: base.tagPrefix) ?? [:]
    for (tag, record) in records where !tag.hasPrefix(tagPrefix) {
      guard let kept: Criteria = Eviction.requirements(of: record) else { continue }
      guard let predicate = kept.predicate else { return nil }
      gone = gone && Criteria(.not(predicate))
    }
    return gone
  }
}

extension WriteLine {
  /// Takes a place for what was fetched, or nil when a write made it old; for any other, a write's.
  fileprivate func enter(unlessWrittenSince mark: WriteQueue.Mark?) -> Ticket? {
    guard let mark else { return enter() }
    return enter(unlessWrittenSince: mark)
  }
}
