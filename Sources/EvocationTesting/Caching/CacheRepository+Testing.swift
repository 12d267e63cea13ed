public import Evocation

extension CacheRepository {
  /// Puts repositories into a state before a test begins.
  ///
  /// ```swift
  /// try CacheRepository.testing.initState(repository: cars, requirements: requirements) {
  ///   $0.cache([car]) { $0.cacheTooOld() }
  /// }
  /// ```
  ///
  /// The source saves the content and the ledger records a fetch, without fetching. The repository,
  /// and all others with the same tag (the cache key), continue as after a new launch: no errors,
  /// nothing just finished. Do it before your code observes, because a missing cache is fetched as
  /// soon as it is observed.
  public static var testing: StateTesting<CacheRepository<Source>.Type> {
    StateTesting(Self.self)
  }
}

extension StateTesting {
  /// Sets the requirements of a repository, and puts their cache into a state before it returns.
  ///
  /// You can call it from anywhere, because the work runs on its own thread. If the source saves on
  /// the main actor, do not call it there: use `initStateAsync(repository:requirements:_:)`.
  ///
  /// - Parameters:
  ///   - repository: The repository to prepare.
  ///   - requirements: The query of the cache.
  ///   - state: Describes the state.
  /// - Throws: The errors of the source and the ledger, an error for a state that the ages of the
  ///   source exclude, and `CacheError.tagConflict(tag:source:other:)`.
  public func initState<Source>(
    repository: CacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialCacheState<Source.Cache, Never>) -> InitialCacheState<Source.Cache, Never>
  ) throws where Subject == CacheRepository<Source>.Type {
    let state = state(InitialCacheState())
    try BlockingBridge.result {
      try await repository.restart(with: requirements) { try await $0.put(state) }
    }
  }

  /// Sets the requirements of a repository, and puts their cache into a state.
  ///
  /// You can use it for any source, on any actor.
  public func initStateAsync<Source>(
    repository: CacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialCacheState<Source.Cache, Never>) -> InitialCacheState<Source.Cache, Never>
  ) async throws where Subject == CacheRepository<Source>.Type {
    let state = state(InitialCacheState())
    try await repository.restart(with: requirements) { try await $0.put(state) }
  }
}
