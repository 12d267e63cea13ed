extension PagingCacheRepositoryMock {
  /// How each member was used; apart from the pages, as in `CacheRepositoryMock.Calls`.
  @dynamicMemberLookup
  public struct Calls: Sendable {
    /// Whether each next page was to be tried again if it failed last time.
    public let goToNextPage: MockCalls<Bool>

    /// Whether each previous page was to be tried again if it failed last time.
    public let goToPreviousPage: MockCalls<Bool>

    let others: CacheRepositoryMock<Source>.Calls

    /// How a member was used that any cache has.
    public subscript<Value>(
      dynamicMember member: KeyPath<CacheRepositoryMock<Source>.Calls, Value>
    ) -> Value {
      others[keyPath: member]
    }

    /// How often any member was used.
    public var callsCount: Int {
      others.callsCount + goToNextPage.callsCount + goToPreviousPage.callsCount
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }
}
