/// How a list is fetched, saved and observed page by page.
///
/// ```swift
/// struct ReposSource: PagingCacheDataSource {
///   let service: RepoService
///   let store: RepoStore
///   let maxAge: Duration? = .seconds(5 * 3600)
///
///   func firstPage(_ requirements: ReposOfUser) -> PageNumber { 1 }
///
///   func fetchFreshCache(
///     _ requirements: ReposOfUser, pagingRequirements page: PageNumber
///   ) async throws -> FetchedPage<[Repo], PageNumber> {
///     let answer = try await service.repos(of: requirements.name, page: page.number)
///     return FetchedPage(answer.repos, next: answer.areMorePages ? page.next : nil)
///   }
///
///   func saveCache(
///     _ repos: [Repo], requirements: ReposOfUser, pagingRequirements: PageNumber,
///     place: PagePosition
///   ) async throws {
///     try await store.save(repos, of: requirements.name, place)
///   }
///
///   func observeCache(_ requirements: ReposOfUser) -> AsyncThrowingStream<[Repo], any Error> {
///     store.repos(of: requirements.name)
///   }
/// }
/// ```
///
/// The fetch of a page also gives the requirements of the `next` and the `previous` page. Both are
/// kept in the ledger, so the list goes on after a restart.
public protocol PagingCacheDataSource<Cache>: CacheDataSource
where FetchResult == FetchedPage<Content, PagingRequirements> {
  /// What is cached: the list.
  associatedtype Cache

  /// What the list is asked for.
  associatedtype Requirements

  /// What is fetched of one page.
  associatedtype Content: Sendable

  /// What the service needs to give one page.
  associatedtype PagingRequirements: PageRequirements

  /// The requirements of the first page.
  func firstPage(_ requirements: Requirements) -> PagingRequirements

  /// Fetches one page.
  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements: PagingRequirements
  ) async throws -> FetchedPage<Content, PagingRequirements>

  /// Saves one page: in place of the whole list, after it, or before it.
  ///
  /// When it replaces the list, the old one must stay until the new one is saved. An item that the
  /// list has already must be moved to the new page.
  func saveCache(
    _ fetched: Content, requirements: Requirements, pagingRequirements: PagingRequirements,
    place: PagePosition
  ) async throws

  /// Saves one page and writes the stamp, in one transaction if the store can.
  ///
  /// The default saves, and then writes the stamp.
  func saveCache(
    _ fetched: Content, requirements: Requirements, pagingRequirements: PagingRequirements,
    place: PagePosition, stamp: FetchStamp
  ) async throws

  /// Gives the list as it is saved, now and whenever it changes.
  ///
  /// It is called each time that observing begins, and after each save.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Deletes the whole list; the default does nothing.
  func deleteCache(_ requirements: Requirements) async throws

  /// Deletes all of the list but its first page; the default does nothing.
  ///
  /// Repositories that were made with `keepsPages` false call it at the first use of a list.
  func persistOnlyFirstPage(_ requirements: Requirements) async throws
}

extension PagingCacheDataSource {
  /// Fetches the first page.
  public func fetchFreshCache(
    _ requirements: Requirements
  ) async throws -> FetchedPage<Content, PagingRequirements> {
    try await fetchFreshCache(requirements, pagingRequirements: firstPage(requirements))
  }

  /// Saves the first page in place of the list.
  public func saveCache(
    _ fetched: FetchedPage<Content, PagingRequirements>, requirements: Requirements
  ) async throws {
    try await saveCache(
      fetched.content, requirements: requirements, pagingRequirements: firstPage(requirements),
      place: .replacing)
  }

  /// Saves the first page in place of the list, and writes the stamp.
  public func saveCache(
    _ fetched: FetchedPage<Content, PagingRequirements>, requirements: Requirements,
    stamp: FetchStamp
  ) async throws {
    try await saveCache(
      fetched.content, requirements: requirements, pagingRequirements: firstPage(requirements),
      place: .replacing, stamp: stamp)
  }

  /// Saves the page, and then writes the stamp.
  public func saveCache(
    _ fetched: Content, requirements: Requirements, pagingRequirements: PagingRequirements,
    place: PagePosition, stamp: FetchStamp
  ) async throws {
    try await saveCache(
      fetched, requirements: requirements, pagingRequirements: pagingRequirements, place: place)
    try await stamp.write()
  }

  /// Saves what the app gives as the first page of a list that has no other.
  ///
  /// - Throws: ``CacheError/notUpdatable(source:)`` where a page's content is of another type.
  public func updateCache(
    _ cache: Cache, requirements: Requirements, stamp: FetchStamp
  ) async throws {
    guard let content = cache as? Content else {
      throw CacheError.notUpdatable(source: "\(Self.self)")
    }
    try await saveCache(
      FetchedPage(content), requirements: requirements, stamp: stamp)
  }

  /// Deletes the whole list.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {
    try await deleteCache(requirements)
  }

  /// Does nothing: the list stays as it is.
  public func deleteCache(_ requirements: Requirements) async throws {}

  /// Does nothing: the list stays as it is.
  public func persistOnlyFirstPage(_ requirements: Requirements) async throws {}
}

/// A source that can show a part of a long list.
package protocol WindowedCacheDataSource<Requirements>: PagingCacheDataSource {
  /// The part of a list that its observers are shown; nil for all of it.
  func window(of requirements: Requirements) -> Range<Int>?

  /// Sets the part of a list that all its observers are shown; nil for all of it.
  func show(_ range: Range<Int>?, of requirements: Requirements)
}
