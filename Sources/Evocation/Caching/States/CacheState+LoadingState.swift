extension CacheState {
  /// The state as one of three faces: loading, completed, or an error.
  ///
  /// A cache that is refreshed is loading with its content; one whose last fetch failed is an error
  /// with its content. An empty collection, or an empty list of pages, is completed without elements.
  /// Any other cache that is empty has no content: it is loading until it is fetched again, unless
  /// ``loadingState(emptyContent:)`` says what stands for it.
  public var loadingState: LoadingState<Cache> {
    loadingState(emptyContent: (Cache.self as? any EmptyContent.Type)?.empty as? Cache)
  }

  /// The state as one of three faces, with what stands for an empty cache.
  ///
  /// - Parameter emptyContent: The content of a cache with nothing in it, such as `[]`.
  /// - Returns: The face that is to be shown.
  public func loadingState(emptyContent: Cache?) -> LoadingState<Cache> {
    var content = cache
    if case .cache(nil, _) = state, !isReading { content = emptyContent }
    if isRefreshing { return .loading(content: content) }
    if let refreshError { return .error(refreshError, content: content) }
    guard let content else { return .loading(content: nil) }
    return .completed(content: content, next: next, previous: previous)
  }
}

extension CacheState where Cache: RangeReplaceableCollection {
  /// The state as one of three faces; an empty cache is completed with an empty collection.
  public var loadingState: LoadingState<Cache> { loadingState(emptyContent: Cache()) }
}

/// A content of which there is an empty one, though it is no collection itself.
private protocol EmptyContent {
  static var empty: Self { get }
}

extension PagedCache: EmptyContent where Cache: RangeReplaceableCollection {
  fileprivate static var empty: Self { PagedCache(Cache()) }
}
