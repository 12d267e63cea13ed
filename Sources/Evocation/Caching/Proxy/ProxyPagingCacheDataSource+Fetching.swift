internal import Foundation

extension ProxyPagingCacheDataSource {
  /// How many empty pages one fetch skips at most at a list's beginning.
  private static var mostEmptyPages: Int { 10 }

  /// Returns the page at the beginning of the list.
  public func firstPage(_ requirements: Criteria) -> ProxyPage { .first }

  /// Fetches one page from the remote repository.
  ///
  /// - Throws: Its errors, ``CacheError/unknownPage``, ``CacheError/noPageKey(_:tag:)``, and
  ///   ``EvocationError`` when the remote repository, or the registration of the model, is missing.
  public func fetchFreshCache(
    _ requirements: Criteria, pagingRequirements page: ProxyPage
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    // Before the fetch, because models that cannot be listed need not be fetched.
    _ = try local
    let size = max(1, page.size ?? pageSize)
    let rest = requirements.limit.map { $0.subtractingClamped(page.position) }
    if let rest, rest <= 0 { return FetchedPage(ProxyPageModels([], nil)) }
    // Numbered pages all have the same limit, so models beyond the criteria's limit are left out
    // here.
    let limit = paging.isByNumber ? size : min(size, rest ?? size)
    let fetched = try await ask(page, of: requirements, limit: limit)
    let models = rest.map { Array(fetched.models.prefix($0)) } ?? fetched.models
    return FetchedPage(
      ProxyPageModels(
        models, fetched.mark, versions: fetched.versions, attempts: fetched.attempts),
      next: try paging.next(
        after: page, models, isFull: fetched.models.count >= limit, values: fetched.values,
        of: requirements, size: size),
      previous: paging.previous(before: page, fetched.values, size: size))
  }

  /// Fetches a page, and one model alone where the page leaves open whether another follows.
  private func ask(
    _ page: ProxyPage, of criteria: Criteria, limit: Int
  ) async throws -> ProxyFetch<Model> {
    let proxy = try proxy
    do {
      let asked = try paging.criteria(page, of: criteria, limit: limit)
      let fetched = try await proxy.fetch(asked)
      guard paging.missingKey(after: page, fetched, limit: limit, of: criteria) != nil else {
        return fetched
      }
      let one = try await proxy.fetch(asked.limit(1))
      if let key = paging.missingKey(after: page, one, limit: 1, of: criteria) {
        throw CacheError.noPageKey(key, tag: tag(for: criteria))
      }
      return fetched
    } catch  where paging.isEnd(error, of: page) {
      return ProxyFetch(
        models: [], values: [:], versions: [], attempts: 1, mark: proxy.log.mark())
    }
  }

  /// Fetches the pages that replace the list, as ``ListOptions/refreshes`` says.
  public func fetchFreshCache(
    _ requirements: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    switch options.refreshes {
    case .firstPage: try await fetchFirstPage(requirements)
    case .allPages: try await fetchAllPages(requirements)
    }
  }

  /// Fetches the first page that is not empty.
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

  /// Fetches as many pages as the list has, and stores each in the draft as soon as it is fetched.
  private func fetchAllPages(
    _ criteria: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    let (list, store) = (tag(for: criteria), try local.store)
    guard let wanted = try await pageCount(of: list, store), wanted > 1,
      let record = try await ledger?.record(for: list)
    else { return try await fetchFirstPage(criteria) }
    let size = record.pages?.first.next.flatMap { try? Self.page($0).size }
    var fetch = ListFetch(
      list: list, criteria: criteria, store: store, wanted: min(wanted, maxPages ?? wanted),
      isOfInvalidated: record.isInvalidated, first: ProxyPage(size: size ?? pageSize))
    // Before the writes are counted, so that none is missed in between.
    let mark = try proxy.log.mark()
    fetch.draft = try await draft(of: fetch)
    guard fetch.draft != nil else { return try await go(on: fetch, mark, origin: .own) }
    do {
      return try await go(on: fetch, mark, origin: .earlier)
    } catch let error where Self.isFinal(error) {
      // The draft of an earlier refresh cannot be continued, so this refresh starts from the
      // beginning.
      fetch.draft = nil
      return try await go(on: fetch, try proxy.log.mark(), origin: .own)
    }
  }

  /// How many pages a list has; a damaged list counts as missing.
  private func pageCount(of list: String, _ store: any ListStore<Model>) async throws -> Int? {
    do {
      return try await store.pageCount(of: list)
    } catch is ListDamage {
      return nil
    }
  }

  /// Fetches the missing pages of a draft.
  private func go(
    on fetch: ListFetch<Model>, _ mark: WriteLog<Model>.Mark,
    origin: ProxyPageModels<Model>.Draft
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    var fetch = fetch
    let lists = try proxy.wiring.lists
    // After a restart the writes since the draft's first page are unknown.
    let writeCount = fetch.draft.flatMap { _ in lists.draft(of: fetch.list) }
    let begun = try writeCount ?? proxy.log.writeCount
    let progress = FetchProgress.current
    do {
      while fetch.isShort {
        try Task.checkCancellation()
        if progress?.isCancelled == true { throw Cancellation.error() }
        progress?.note(fetch.draft?.pages.count ?? 0, of: fetch.wanted)
        let page = try fetch.draft?.pages.next.map(Self.page) ?? fetch.first
        let fetched = try await fetchFreshCache(fetch.criteria, pagingRequirements: page)
        try Task.checkCancellation()
        fetch.draft = try await keep(fetched, page, in: fetch)
        lists.keepDraft(begun, of: fetch.list)
      }
      return FetchedPage(
        ProxyPageModels([], mark, draft: origin),
        next: try fetch.draft?.pages.next.map(Self.page),
        previous: try fetch.draft?.pages.previous.map(Self.page))
    } catch let error where Self.isFinal(error) {
      try await dropDraft(of: fetch.list, fetch.store)
      throw error
    }
  }

  /// Whether continuing the draft would fail with this error each time, as with an old cursor.
  private static func isFinal(_ error: any Error) -> Bool {
    error is CacheError || FailureKind(error) == .permanent
  }

  /// The draft of an interrupted refresh, if it can be continued.
  private func draft(of fetch: ListFetch<Model>) async throws -> ListDraft? {
    guard let draft = try await fetch.store.draft(of: fetch.list) else { return nil }
    let age = base.evocation.environment.date().timeIntervalSince(draft.begunAt)
    let isYoung = age >= 0 && maxAge.map { age <= $0.seconds } ?? true
    // A draft from before the app's latest write cannot be continued: remembering the writes while
    // no refresh runs would cost ever more.
    let begun = try proxy.wiring.lists.draft(of: fetch.list)
    if let begun, try proxy.log.writeCount != begun { return nil }
    return isYoung && (draft.isOfInvalidated || !fetch.isOfInvalidated) ? draft : nil
  }

  private func keep(
    _ fetched: FetchedPage<ProxyPageModels<Model>, ProxyPage>, _ page: ProxyPage,
    in fetch: ListFetch<Model>
  ) async throws -> ListDraft {
    var next =
      fetch.draft
      ?? ListDraft(
        begunAt: base.evocation.environment.date(), isOfInvalidated: fetch.isOfInvalidated,
        pages: .ofNewList(next: fetched.nextData, previous: fetched.previousData))
    if fetch.draft != nil, !next.pages.advance(.next, to: fetched.nextData) {
      throw CacheError.repeatedPage(tag: fetch.list)
    }
    let saved = ListPage(
      list: fetch.list, models: fetched.content.models, requirements: data(page),
      place: fetch.draft == nil ? .replacing : .after)
    do {
      try await fetch.store.commit(StoreWrite(list: .draftPage(saved, next), source: .remote))
    } catch is OutdatedStamp {
      // Another process fetches the same list, and parts of two fetches do not form a list.
      throw OutdatedFetch()
    }
    // A draft waits for no write, so it may exist after a sign-out has emptied the rest.
    if fetched.content.mark?.isSignedOut == true {
      // In a task of its own, because the sign-out has canceled this one.
      _ = await Task { try await dropDraft(of: fetch.list, fetch.store) }.result
      throw EvocationError.signedOut(model: try proxy.model)
    }
    return next
  }

  /// A page's requirements for the store, with the page size, so that the page can be loaded again.
  func data(_ page: ProxyPage) -> Data {
    var page = page
    page.size = page.size ?? pageSize
    return FetchResult.data(page) ?? Data()
  }

  /// Deletes the draft of a list.
  func dropDraft(of list: String, _ store: any ListStore<Model>) async throws {
    if try await store.draft(of: list) != nil {
      try await store.commit(StoreWrite(list: .deleteDraft(of: list)))
    }
    try proxy.wiring.lists.keepDraft(nil, of: list)
  }

  private static func page(_ data: Data) throws -> ProxyPage {
    do {
      return try FetchResult.page(data)
    } catch {
      throw CacheError.unknownPage
    }
  }
}

/// The fetch of a draft, which then replaces a list.
private struct ListFetch<Model: Sendable> {
  let list: String
  let criteria: Criteria
  let store: any ListStore<Model>
  /// How many pages the draft is to have.
  let wanted: Int
  /// Whether the list was declared stale.
  let isOfInvalidated: Bool
  /// The requirements of the first page.
  let first: ProxyPage
  /// The pages that the draft has; nil before the first page.
  var draft: ListDraft?

  /// Whether pages are missing, and the service has more.
  var isShort: Bool {
    guard let draft else { return true }
    return draft.pages.next != nil && draft.pages.count < wanted
  }
}
