public import Evocation

/// Puts repositories into a state; it is reached as `CacheRepository.testing`.
///
/// Content is saved by the source, and the ledger remembers a fetch that never was; nothing is
/// fetched. The repository, and all others of the tag, go on as if the app had been launched anew: no
/// error, nothing just finished. Do it before anybody observes: a missing cache is fetched as soon as
/// it is observed.
public struct CacheRepositoryTesting<Source: CacheDataSource>: Sendable {
  /// Sets a repository's requirements and puts their cache into a state, and waits until it is so.
  ///
  /// The work runs on a thread of its own, so this can be called from anywhere. It cannot be used for
  /// a source that saves on the main actor when it is called there, because each would wait for the
  /// other: that is what ``initStateAsync(repository:requirements:_:)`` is for.
  ///
  /// - Parameters:
  ///   - repository: What is to be in that state.
  ///   - requirements: What the cache is asked for.
  ///   - state: Says the state.
  /// - Throws: What the source and the ledger throw, ``InitialStateError``, and
  ///   `CacheError.tagConflict(tag:source:other:)`.
  public func initState(
    repository: CacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialCacheState<Source.Cache>.Choice) -> InitialCacheState<Source.Cache>
  ) throws {
    let state = state(.init())
    try BlockingBridge.result {
      try await Self.restart(repository, requirements, state)
    }
  }

  /// Sets a repository's requirements and puts their cache into a state.
  ///
  /// It is ``initState(repository:requirements:_:)`` for any source.
  public func initStateAsync(
    repository: CacheRepository<Source>, requirements: Source.Requirements,
    _ state: (InitialCacheState<Source.Cache>.Choice) -> InitialCacheState<Source.Cache>
  ) async throws {
    try await Self.restart(repository, requirements, state(.init()))
  }

  private static func restart(
    _ repository: CacheRepository<Source>, _ requirements: Source.Requirements,
    _ state: InitialCacheState<Source.Cache>
  ) async throws {
    try await repository.restart(with: requirements) { try await $0.put(state) }
  }
}
