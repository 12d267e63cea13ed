public import Evocation

/// Puts repositories of lists into a state; use it as `PagingCacheRepository.testing`.
///
/// The source saves the list as a first page; the next and the previous page are fetched with the
/// requirements that are given for them. All else is as for ``CacheRepositoryTesting``.
public struct PagingCacheRepositoryTesting<Source: PagingCacheDataSource>: Sendable {
  /// The state that a list is put into.
  public typealias State = InitialListState<Source.Cache, Source.PagingRequirements>

  /// Sets a repository's requirements and puts their list into a state, before it returns.
  ///
  /// It runs on a separate thread, as
  /// ``CacheRepositoryTesting/initState(repository:requirements:_:)``.
  ///
  /// - Parameters:
  ///   - repository: The repository to prepare.
  ///   - requirements: What the list is asked for.
  ///   - state: Chooses the state.
  /// - Throws: What the source and the ledger throw, ``InitialStateError``, and
  ///   `CacheError.tagConflict(tag:source:other:)`.
  public func initState(
    repository: PagingCacheRepository<Source>, requirements: Source.Requirements,
    _ state: (State.Choice) -> State
  ) throws {
    let state = state(.init())
    try BlockingBridge.result {
      try await Self.restart(repository, requirements, state)
    }
  }

  /// Sets a repository's requirements and puts their list into a state.
  ///
  /// Unlike ``initState(repository:requirements:_:)``, it can be used for any source on any actor.
  public func initStateAsync(
    repository: PagingCacheRepository<Source>, requirements: Source.Requirements,
    _ state: (State.Choice) -> State
  ) async throws {
    try await Self.restart(repository, requirements, state(.init()))
  }

  private static func restart(
    _ repository: PagingCacheRepository<Source>, _ requirements: Source.Requirements,
    _ state: State
  ) async throws {
    try await repository.cache.restart(with: requirements) { preparation in
      let pages = preparation.pages(next: state.nextPage, previous: state.previousPage)
      try await preparation.put(state.cache, pages: pages)
    }
  }
}

extension PagingCacheRepository {
  /// Puts repositories of lists into a state before a test begins.
  ///
  /// ```swift
  /// try PagingCacheRepository.testing.initState(repository: cars, requirements: "cars") {
  ///   $0.cache([car], nextPage: 2) { $0.cacheTooOld() }
  /// }
  /// ```
  public static var testing: PagingCacheRepositoryTesting<Source> {
    PagingCacheRepositoryTesting()
  }
}

/// Which list is cached before the test begins, and where it can be continued.
public struct InitialListState<Cache: Sendable, PagingRequirements: Sendable>: Sendable {
  let cache: InitialCacheState<Cache>
  var nextPage: PagingRequirements?
  var previousPage: PagingRequirements?

  /// Offers the states that a list can begin in.
  public struct Choice: Sendable {
    private let choice = InitialCacheState<Cache>.Choice()

    /// Nothing, as before the first successful fetch.
    public func noCache() -> InitialListState {
      InitialListState(cache: choice.noCache())
    }

    /// A list with nothing in it; just fetched by default.
    ///
    /// It can be continued where requirements of further pages are given.
    public func cacheEmpty(
      nextPage: PagingRequirements? = nil, previousPage: PagingRequirements? = nil,
      _ age: (InitialCacheAge.Choice) -> InitialCacheAge = { $0.justFetched() }
    ) -> InitialListState {
      InitialListState(
        cache: choice.cacheEmpty(age), nextPage: nextPage, previousPage: previousPage)
    }

    /// A list with something in it; just fetched by default.
    ///
    /// It can be continued where requirements of further pages are given.
    public func cache(
      _ list: Cache, nextPage: PagingRequirements? = nil, previousPage: PagingRequirements? = nil,
      _ age: (InitialCacheAge.Choice) -> InitialCacheAge = { $0.justFetched() }
    ) -> InitialListState {
      InitialListState(
        cache: choice.cache(list, age), nextPage: nextPage, previousPage: previousPage)
    }
  }
}
