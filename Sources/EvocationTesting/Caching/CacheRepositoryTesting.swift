public import Evocation

/// Puts repositories into a state; use it as `CacheRepository.testing`.
///
/// The source saves the content and the ledger records a fetch, but nothing is fetched. The
/// repository, and all others with the tag, go on as after a launch of the app: no error, and
/// nothing has just finished. Do it before anything observes: a missing cache is fetched as soon as
/// it is observed.
public struct CacheRepositoryTesting<Source: CacheDataSource>: Sendable {
  /// Sets a repository's requirements and puts their cache into a state, before it returns.
  ///
  /// The work runs on a separate thread, so this can be called from anywhere. Only where a source
  /// saves on the main actor it must not be called there, because each would wait for the other:
  /// use ``initStateAsync(repository:requirements:_:)``.
  ///
  /// - Parameters:
  ///   - repository: The repository to prepare.
  ///   - requirements: What the cache is asked for.
  ///   - state: Chooses the state.
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
  /// Unlike ``initState(repository:requirements:_:)``, it can be used for any source on any actor.
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

extension CacheRepository {
  /// Puts repositories into a state before a test begins.
  ///
  /// ```swift
  /// try CacheRepository.testing.initState(repository: cars, requirements: requirements) {
  ///   $0.cache([car]) { $0.cacheTooOld() }
  /// }
  /// ```
  public static var testing: CacheRepositoryTesting<Source> { CacheRepositoryTesting() }
}
