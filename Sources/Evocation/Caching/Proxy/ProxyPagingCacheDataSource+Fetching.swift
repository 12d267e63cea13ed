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
        models, fetched.mark, versions: fetched.versions, unsaid: fetched.unsaid,
        attempts: fetched.attempts),
      next: try paging.next(
        after: page, models,
        isFull: fetched.models.count + (LeftOut(fetched.values)?.count ?? 0) >= limit,
        values: fetched.values, of: requirements, size: size),
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
        models: [], values: [:], versions: [], unsaid: .none, attempts: 1,
        mark: proxy.log.mark(of: proxy.wiring.registration))
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

  /// Fetches as many pages as the list has, and has the store collect each as soon as it is fetched.
  private func fetchAllPages(
    _ criteria: Criteria
  ) async throws -> FetchedPage<ProxyPageModels<Model>, ProxyPage> {
    let (list, store, proxy) = (tag(for: criteria), try local.store, try proxy)
    guard let count = try await pageCount(of: list, store), count > 1,
      let old = try await ledger?.record(for: list)
    else { return try await fetchFirstPage(criteria) }
    let wanted = min(count, maxPages ?? count)
    let size = old.pages?.first.next.flatMap { try? Self.page($0).size }
    // Before the first page is fetched, so that no write is missed.
    let mark = proxy.log.mark(of: proxy.wiring.registration)
    let (pages, progress) = (try await store.makePages(), FetchProgress.current)
    var page = ProxyPage(size: size ?? pageSize)
    var (record, leftOut): (PageRecord?, LeftOut?)
    while true {
      try Task.checkCancellation()
      progress?.report(record?.count ?? 0, of: wanted)
      let fetched = try await fetchFreshCache(criteria, pagingRequirements: page)
      try Task.checkCancellation()
      if let more = fetched.content.unsaid.leftOut {
        leftOut = leftOut ?? LeftOut()
        leftOut?.add(more)
      }
      let new = try self.record(after: record, fetched, of: list)
      let saved = CollectedPage(
        fetched.content.models, versions: fetched.content.versions,
        absentKeys: fetched.content.unsaid.absentKeys(of: fetched.content.models),
        requirements: data(page))
      try proxy.check(mark)
      proxy.recordVersions(saved.knownVersions)
      try await store.commit(StoreWrite(list: .collect(saved, in: pages), source: .remote))
      record = new
      let next = try new.next.map(Self.page)
      guard let next, new.count < wanted else {
        return FetchedPage(
          ProxyPageModels(
            [], mark, unsaid: UnsaidKeys([], of: [Model](), leftOut: leftOut),
            collected: (pages, new)), next: next,
          previous: try new.previous.map(Self.page))
      }
      page = next
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

  /// Returns the record of a new list with one more page; of its first page after nil.
  private func record(
    after record: PageRecord?, _ page: FetchedPage<ProxyPageModels<Model>, ProxyPage>,
    of list: String
  ) throws -> PageRecord {
    guard var record else { return .ofNewList(next: page.nextData, previous: page.previousData) }
    guard record.advance(.next, to: page.nextData) else {
      throw CacheError.repeatedPage(tag: list)
    }
    return record
  }

  /// A page's requirements for the store, with the page size, so that the page can be loaded again.
  func data(_ page: ProxyPage) -> Data {
    var page = page
    page.size = page.size ?? pageSize
    return FetchResult.data(page) ?? Data()
  }

  private static func page(_ data: Data) throws -> ProxyPage {
    do {
      return try FetchResult.page(data)
    } catch {
      throw CacheError.unknownPage
    }
  }
}
