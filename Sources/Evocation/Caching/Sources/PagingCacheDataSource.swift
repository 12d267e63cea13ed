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
/// Where a page comes from its neighbours' ids, `next` and `previous` are made of what was fetched.
/// Both are kept in the ledger, so the list goes on after a restart.
public protocol PagingCacheDataSource<Cache>: CacheDataSource
where FetchResult == FetchedPage<Content, PagingRequirements> {
  /// What is cached: the list.
  associatedtype Cache

  /// What the list is asked for.
  associatedtype Requirements

  /// What is fetched of one page.
  associatedtype Content: Sendable

  /// What the service has to be told to give one page.
  associatedtype PagingRequirements: PageRequirements

  /// What the first page is asked for with.
  func firstPage(_ requirements: Requirements) -> PagingRequirements

  /// Fetches one page.
  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements: PagingRequirements
  ) async throws -> FetchedPage<Content, PagingRequirements>

  /// Saves one page: in place of the whole list, after it, or before it.
  ///
  /// To replace is to let the old list stand until the new one is saved. What the list has already
  /// is to be listed once, where it is now.
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

  /// Gives the list as it is saved now, and then again whenever it changes.
  ///
  /// It is called each time that observing begins, and after each save.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Deletes the whole list; the default leaves it where it is.
  func deleteCache(_ requirements: Requirements) async throws

  /// Deletes all of the list but its first page; the default leaves it where it is.
  ///
  /// It is asked for where a repository is told to begin with the first page.
  func persistOnlyFirstPage(_ requirements: Requirements) async throws
}
