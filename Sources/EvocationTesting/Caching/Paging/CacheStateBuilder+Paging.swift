public import Evocation

extension CacheStateBuilder where Start == CacheStateStart.Existing {
  /// What is in the list, of which nothing else is said but by the other members.
  ///
  /// ```swift
  /// let list: CacheState<PagedCache<[Car]>> = CacheState.testing.cache(
  ///   requirements: requirements, lastTimeFetched: date
  /// ) { $0.cache([car]).loadingNextPage() }
  /// ```
  public func cache<List>(_ list: List) -> Self where Cache == PagedCache<List> {
    cache(PagedCache(list))
  }

  /// There are pages after what is there.
  public func areMorePages() -> Self {
    adding { $0.paging.next.areMorePages = true }
  }

  /// There are pages before what is there.
  public func areMorePreviousPages() -> Self {
    adding { $0.paging.previous.areMorePages = true }
  }

  /// The next page, which there is, is being loaded.
  public func loadingNextPage() -> Self { loading(.next, .loading) }

  /// The previous page, which there is, is being loaded.
  public func loadingPreviousPage() -> Self { loading(.previous, .loading) }

  /// The next page, which there is, failed last time.
  public func failedNextPage(_ error: any Error) -> Self { loading(.next, .error(error)) }

  /// The previous page, which there is, failed last time.
  public func failedPreviousPage(_ error: any Error) -> Self {
    loading(.previous, .error(error))
  }

  private func loading(_ direction: PageDirection, _ load: AdditionalLoadingState) -> Self {
    adding { $0.paging[direction] = PagingDraft.Direction(areMorePages: true, load: load) }
  }
}
