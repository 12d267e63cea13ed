extension ProxyPagingCacheDataSource {
  /// Saves a page; the stamp is somebody else's.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePosition
  ) async throws {
    let record = FetchRecord(fetchedAt: base.evocation.environment.date())
    try await saveCache(
      fetched, requirements: requirements, pagingRequirements: page, place: place,
      stamp: FetchStamp(tag: tag(for: requirements), record: record, ledger: NoLedger()))
  }

  /// Saves a page with its models and the stamp, in one transaction where local can.
  public func saveCache(
    _ fetched: ProxyPageModels<Model>, requirements: Criteria, pagingRequirements page: ProxyPage,
    place: PagePosition, stamp: FetchStamp
  ) async throws {
    let (proxy, list) = (try proxy, tag(for: requirements))
    let ticket = fetched.mark == nil ? proxy.line.enter() : proxy.line.enterToSave().ticket
    try await proxy.inTurn(of: ticket) {
      let store = try local.store
      let isReplaced = place == .replacing && base.saving == .mirror
      let removing = isReplaced ? try await removable(requirements, stamp.ledger) : nil
      let written = fetched.mark?.written ?? WrittenModels()
      if let origin = fetched.draft {
        return try await take(origin, of: list, written, removing, stamp, store)
      }
      if place == .replacing { try await dropDraft(of: list, store) }
      let models = written.applied(to: fetched.models)
      defer { if fetched.mark == nil { proxy.noteWritten(fetched.models) } }
      let saved = ListPage(
        list: list, models: models.listed, requirements: data(page), place: place,
        keptPages: keptPages, removing: removing, kept: models.kept)
      try await store.commit(StoreWrite([.list(.page(saved))], stamp: stamp))
      proxy.tell(models, place == .replacing ? "refresh" : "page")
    }
  }

  /// Puts what was fetched aside in a list's place, apart from what the app wrote since.
  ///
  /// What the remote alone wrote is newer than the draft's pages, which nobody but the store reads.
  private func take(
    _ origin: ProxyPageModels<Model>.Draft, of list: String, _ written: WrittenModels<Model>,
    _ removing: Criteria?, _ stamp: FetchStamp, _ store: any ListStore<Model>
  ) async throws {
    // It may have been let go meanwhile, with the list that it was for.
    guard let draft = try await store.draft(of: list) else {
      try proxy.wiring.lists.keepDraftMark(nil, of: list)
      throw OutdatedFetch()
    }
    var record = stamp.record
    record.pages = draft.pages
    let (answered, gone) = written.followed
    var actions = [
      StoreWrite<Model>.Action.list(
        .takeDraft(of: list, removing: removing, keeping: written.kept))
    ]
    if !answered.isEmpty { actions.append(.update(answered)) }
    if !gone.isEmpty { actions.append(.remove(gone)) }
    do {
      try await store.commit(StoreWrite(actions, stamp: stamp.with(record)))
    } catch {
      // Only what says that it may pass is worth to be tried with the same pages.
      let mayPass = (error as? any ClassifiedError)?.failureKind == .transient
      if mayPass || Cancellation.isCause(of: error) { throw error }
      try await dropDraft(of: list, store)
      throw origin == .earlier ? OutdatedFetch() : error
    }
    try proxy.wiring.lists.keepDraftMark(nil, of: list)
  }

  /// Puts models into the local repository as the list; the remote one is not told.
  public func updateCache(
    _ cache: [Model], requirements: Criteria, stamp: FetchStamp
  ) async throws {
    try await saveCache(
      ProxyPageModels(cache, nil), requirements: requirements, pagingRequirements: .first,
      place: .replacing, stamp: stamp)
  }

  /// Deletes the list, and the models that match its criteria and that no other cache wants.
  public func deleteCache(_ requirements: Criteria) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enter()) {
      let removing = try await removable(requirements, ledger)
      try await local.store.commit(
        StoreWrite([.list(.delete(tag(for: requirements), removing: removing))]))
      proxy.wiring.lists.keepDraftMark(nil, of: tag(for: requirements))
    }
  }

  /// Leaves only the first page of the list; its other models stay in the local repository.
  public func persistOnlyFirstPage(_ requirements: Criteria) async throws {
    try await local.store.commit(StoreWrite([.list(.cut(tag(for: requirements)))]))
  }

  /// What a list's models have to match to be removed with it; nil when all are wanted elsewhere.
  private func removable(
    _ criteria: Criteria, _ ledger: (any FetchLedger)?
  ) async throws -> Criteria? {
    var gone = Criteria(criteria.predicate)
    let records = try await ledger?.records(prefix: base.tagPrefix) ?? [:]
    for (tag, record) in records where !tag.beginsWithBytes(of: tagPrefix) {
      guard let kept: Criteria = Eviction.requirements(of: record) else { continue }
      guard let predicate = kept.predicate else { return nil }
      gone = gone && Criteria(.not(predicate))
    }
    return gone
  }
}
