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

  /// Saves what the app gives as the first page of a list that has no other.
  ///
  /// - Throws: ``CacheError/notUpdatable(source:)`` where a page's content is of another type.
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

  /// Leaves the list where it is.
  public func deleteCache(_ requirements: Requirements) async throws {}

  /// Leaves the list where it is.
  public func persistOnlyFirstPage(_ requirements: Requirements) async throws {}
}
