public import Evocation
public import Foundation

extension CacheStateBuilder where Fetched == Date {
  /// Sets the content of the list.
  ///
  /// The other calls describe its pages.
  ///
  /// ```swift
  /// let list: CacheState<PagedCache<[Car]>> = CacheState.testing.cache(
  ///   requirements: requirements, lastTimeFetched: date
  /// ) { $0.cache([car]).loadingNextPage() }
  /// ```
  public func cache<List>(_ list: List) -> Self where Cache == PagedCache<List> {
    cache(PagedCache(list))
  }

  /// Adds that pages exist after the list.
  public func areMorePages() -> Self { adding { $0.paging.next.areMorePages = true } }

  /// Adds that pages exist before the list.
  public func areMorePreviousPages() -> Self { adding { $0.paging.previous.areMorePages = true } }

  /// Adds that the next page is loading, and so exists.
  public func loadingNextPage() -> Self { loading(\.next, .loading) }

  /// Adds that the previous page is loading, and so exists.
  public func loadingPreviousPage() -> Self { loading(\.previous, .loading) }

  /// Adds that the next page failed, and so exists.
  public func failedNextPage(_ error: any Error) -> Self { loading(\.next, .error(error)) }

  /// Adds that the previous page failed, and so exists.
  public func failedPreviousPage(_ error: any Error) -> Self { loading(\.previous, .error(error)) }

  private func loading(
    _ direction: WritableKeyPath<PagingDraft, PagingDraft.Direction>, _ load: AdditionalLoadingState
  ) -> Self {
    adding { $0.paging[keyPath: direction] = PagingDraft.Direction(areMorePages: true, load: load) }
  }
}
