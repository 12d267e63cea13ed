public import Evocation

extension PagingCacheRepository {
  /// Puts repositories of lists into a state before a test begins.
  ///
  /// ```swift
  /// try PagingCacheRepository.testing.initState(repository: cars, requirements: "cars") {
  ///   $0.cache([car], nextPage: 2) { $0.cacheTooOld() }
  /// }
  /// ```
  ///
  /// The source saves the list as a first page. Pass the requests for its next and previous pages,
  /// so that the list can continue there. Everything else is as for `CacheRepository.testing`.
  public static var testing: StateTesting<PagingCacheRepository<Source>.Type> {
    StateTesting(Self.self)
  }
}

extension StateTesting {
  /// The state of a list, for the closure of `initState`.
  public typealias InitialList<Source: PagingCacheDataSource> =
    InitialCacheState<Source.Cache, Source.PagingRequirements>

  /// Sets the requirements of a repository, and puts their list into a state before it returns.
  ///
  /// Threads and errors are as for a `CacheRepository`.
  public func initState<Source>(
    repository: PagingCacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialList<Source>) -> InitialList<Source>
  ) throws where Subject == PagingCacheRepository<Source>.Type {
    let state = state(InitialCacheState())
    try BlockingBridge.result {
      try await repository.restart(with: requirements, state)
    }
  }

  /// Sets the requirements of a repository, and puts their list into a state.
  ///
  /// You can use it for any source, on any actor.
  public func initStateAsync<Source>(
    repository: PagingCacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialList<Source>) -> InitialList<Source>
  ) async throws where Subject == PagingCacheRepository<Source>.Type {
    try await repository.restart(with: requirements, state(InitialCacheState()))
  }
}

extension PagingCacheRepository {
  fileprivate func restart(
    with requirements: Source.Requirements,
    _ state: InitialCacheState<Source.Cache, Source.PagingRequirements>
  ) async throws {
    try await cache.restart(with: requirements) { preparation in
      let pages = preparation.pages(next: state.nextPage, previous: state.previousPage)
      try await preparation.put(state, pages: pages)
    }
  }
}
