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
/// The fetch of a page also returns the requirements of the `next` and the `previous` page. The
/// ledger keeps both, so the list continues after a restart.
public protocol PagingCacheDataSource<Cache>: CacheDataSource
where FetchResult == FetchedPage<Content, PagingRequirements> {
  /// The cached data: the list.
  associatedtype Cache

  /// The query whose models are listed.
  associatedtype Requirements

  /// The fetched content of one page.
  associatedtype Content: Sendable

  /// The parameters that the service needs for one page.
  associatedtype PagingRequirements: PageRequirements

  /// Returns the requirements of the first page.
  func firstPage(_ requirements: Requirements) -> PagingRequirements

  /// Fetches one page.
  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements: PagingRequirements
  ) async throws -> FetchedPage<Content, PagingRequirements>

  /// Saves one page: in place of the whole list, after it, or before it.
  ///
  /// A page that replaces the list must leave the old list in place until the new one is saved. An
  /// item that the list already has must move to the new page.
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

  /// Returns a stream of the saved list: as it is now, and again after each change.
  ///
  /// Evocation calls it each time that observing begins, and again after a save.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Deletes the whole list; the default does nothing.
  func deleteCache(_ requirements: Requirements) async throws

  /// Deletes all of the list except its first page; the default does nothing.
  ///
  /// Repositories that were created with `keepsPages` false call it at the first use of a list.
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

  /// Saves your app's content as the first page of a list that has no other page.
  ///
  /// - Throws: ``CacheError/notUpdatable(source:)`` where a page's content has another type, and the
  ///   errors of the save.
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
