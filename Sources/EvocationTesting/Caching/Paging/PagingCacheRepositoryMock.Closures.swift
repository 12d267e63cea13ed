public import Evocation

extension PagingCacheRepositoryMock {
  /// What each member plays; apart from these, as in `CacheRepositoryMock.Closures`.
  ///
  /// Members that answer nothing need no closure. Set closures before the code under test runs.
  @dynamicMemberLookup
  public struct Closures: Sendable {
    /// What a list shows, as it changes.
    public typealias States = any AsyncSequence<CacheState<PagedCache<Source.Cache>>, Never>

    /// Gives the states, in place of those that are sent by hand.
    public var observe: (@Sendable (_ forceRefresh: Bool) -> States)?

    /// Answers for the next page; what it throws is the result's error.
    public var goToNextPage: (@Sendable (_ continueWhenError: Bool) async throws -> PageResult)?

    /// Answers for the previous page; what it throws is the result's error.
    public var goToPreviousPage: (@Sendable (_ continueWhenError: Bool) async throws -> PageResult)?

    var others = CacheRepositoryMock<Source>.Closures()

    /// What a member plays that any cache has.
    public subscript<Value>(
      dynamicMember member: WritableKeyPath<CacheRepositoryMock<Source>.Closures, Value>
    ) -> Value {
      get { others[keyPath: member] }
      set { others[keyPath: member] = newValue }
    }
  }
}
