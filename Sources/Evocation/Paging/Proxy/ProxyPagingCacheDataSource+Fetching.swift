internal import Foundation

extension ProxyPagingCacheDataSource {
  /// How many empty pages are passed over at a list's beginning.
  private static var mostEmptyPages: Int { 10 }

  /// The page with nothing before it.
  public func firstPage(_ requirements: Criteria) -> ProxyPage { .first }

  /// Asks the remote repository for one page.
  ///
  /// - Throws: What it throws, ``CacheError/unknownPage``, and ``EvocationError`` when it, or the
  ///   proxy, is missing.
  public func fetchFreshCache(
    _ requirements: Criteria, pagingRequirements page: ProxyPage
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    // Before the service is asked: what cannot be listed need not be fetched.
    _ = try local
    let rest = requirements.limit.map { $0 - page.position } ?? pageSize
    let limit = min(pageSize, rest)
    guard limit > 0 else { return FetchedPage(ProxyPageModels([], nil)) }
    let fetched = try await proxy.fetch(
      try paging.criteria(page, of: requirements, limit: limit))
    return FetchedPage(
      ProxyPageModels(fetched.models, fetched.mark),
      next: try paging.next(
        after: page, fetched.models, fetched.values, of: requirements, limit: limit),
      previous: paging.previous(before: page, fetched.values))
  }

  /// Asks the remote repository for what replaces the list, as ``refreshes`` says.
  public func fetchFreshCache(
    _ requirements: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    switch refreshes {
    case .firstPage: try await fetchFirstPage(requirements)
    case .allPages: try await fetchAllPages(requirements)
    }
  }

  /// Fetches the first page that has anything in it.
  private func fetchFirstPage(
    _ criteria: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    var fetched = try await fetchFreshCache(criteria, pagingRequirements: .first)
    for _ in 1..<Self.mostEmptyPages {
      guard fetched.content.isEmpty, let next = fetched.next, !next.isEnd else { break }
      fetched = try await fetchFreshCache(criteria, pagingRequirements: next)
    }
    return fetched
  }

  /// Fetches as many pages as the list has, and keeps each as soon as it is there.
  private func fetchAllPages(
    _ criteria: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    let (list, store) = (tag(for: criteria), try local.store)
    guard try await store.pageCount(of: list) ?? 1 > 1,
      let record = try await ledger?.record(for: list)
    else { return try await fetchFirstPage(criteria) }
    let isInvalidated = record.isInvalidated
    var draft = try await draft(of: list, isInvalidated, store)
    let (log, desk) = (try proxy.log, try proxy.wiring.lists)
    // After a restart it is not known what was written since the draft's first page.
    let mark = draft == nil ? log.mark() : desk.draftMark(of: list) ?? log.mark()
    if draft != nil { desk.keepDraftMark(mark, of: list) }
    while try await isShort(draft, of: list, store) {
      try Task.checkCancellation()
      let page = try draft?.pages.next.map(Self.page) ?? .first
      let fetched: FetchedPage<ProxyPageModels<Model>, ProxyPage>
      do {
        fetched = try await fetchFreshCache(criteria, pagingRequirements: page)
      } catch {
        // What a service refuses for good, such as an old cursor, is not tried for ever.
        if FailureKind(error) == .permanent { try await dropDraft(of: list, store) }
        throw error
      }
      try Task.checkCancellation()
      draft = try await keep(fetched, page, after: draft, of: list, isInvalidated, store)
      desk.keepDraftMark(mark, of: list)
    }
    return FetchedPage(
      ProxyPageModels([], mark, isDraft: true), next: try draft?.pages.next.map(Self.page),
      previous: try draft?.pages.previous.map(Self.page))
  }

  /// What an interrupted refresh left, if it is of use.
  private func draft(
    of list: String, _ isInvalidated: Bool, _ store: any ListStore<Model>
  ) async throws -> ListDraft? {
    guard let draft = try await store.draft(of: list) else { return nil }
    let age = base.evocation.environment.date().timeIntervalSince(draft.begunAt)
    let isYoung = age >= 0 && maxAge.map { age <= $0.seconds } ?? true
    return isYoung && (draft.isOfInvalidated || !isInvalidated) ? draft : nil
  }

  /// Whether a draft has fewer pages than the list, and there are more.
  private func isShort(
    _ draft: ListDraft?, of list: String, _ store: any ListStore<Model>
  ) async throws -> Bool {
    guard let draft else { return true }
    let wanted = try await store.pageCount(of: list) ?? 1
    return draft.pages.next != nil && draft.pages.count < min(wanted, keptPages ?? wanted)
  }

  private func keep(
    _ fetched: FetchedPage<ProxyPageModels<Model>, ProxyPage>, _ page: ProxyPage,
    after draft: ListDraft?, of list: String, _ isInvalidated: Bool, _ store: any ListStore<Model>
  ) async throws -> ListDraft {
    var next =
      draft
      ?? ListDraft(
        begunAt: base.evocation.environment.date(), isOfInvalidated: isInvalidated,
        pages: PageRecord(next: fetched.nextData, previous: fetched.previousData))
    if draft != nil, !next.pages.advance(.next, to: fetched.nextData) {
      try await dropDraft(of: list, store)
      throw CacheError.repeatedPage(tag: list)
    }
    try await store.saveDraftPage(
      ListPage(
        list: list, models: fetched.content.models, requirements: Self.data(page),
        place: draft == nil ? .only : .end),
      draft: next)
    return next
  }

  /// Lets go of what was fetched aside, and of what was written since.
  func dropDraft(of list: String, _ store: any ListStore<Model>) async throws {
    try await store.deleteDraft(of: list)
    try proxy.wiring.lists.keepDraftMark(nil, of: list)
  }

  /// A page's requirements as a store keeps them.
  static func data(_ page: ProxyPage) -> Data { FetchResult.data(page) ?? Data() }

  private static func page(_ data: Data) throws -> ProxyPage { try FetchResult.page(data) }
}
