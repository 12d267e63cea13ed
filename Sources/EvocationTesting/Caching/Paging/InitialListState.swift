/// Which list is to be cached before the test begins, and where it can be continued.
public struct InitialListState<Cache: Sendable, PagingRequirements: Sendable>: Sendable {
  let cache: InitialCacheState<Cache>
  var nextPage: PagingRequirements?
  var previousPage: PagingRequirements?

  /// Says what is to be cached.
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
