public import Evocation

/// Puts repositories of lists into a state; it is reached as `PagingCacheRepository.testing`.
///
/// The list is saved by the source as its first page, and going on begins with the requirements that
/// are given for the next and the previous page. All else is as for ``CacheRepositoryTesting``.
public struct PagingCacheRepositoryTesting<Source: PagingCacheDataSource>: Sendable {
  /// What a list is to be.
  public typealias State = InitialListState<Source.Cache, Source.PagingRequirements>

  /// Sets a repository's requirements and puts their list into a state, and waits until it is so.
  ///
  /// It runs on a thread of its own, as ``CacheRepositoryTesting/initState(repository:requirements:_:)``.
  ///
  /// - Parameters:
  ///   - repository: What is to be in that state.
  ///   - requirements: What the list is asked for.
  ///   - state: Says the state.
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
  /// It is ``initState(repository:requirements:_:)`` for any source.
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
