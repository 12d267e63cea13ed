/// The loaded part of a list, and whether there are further pages in both directions.
///
/// ```swift
/// let observation = cars.observe { state in
///   guard let list = state.cache else { return print("nothing yet") }
///   print(list.cache.count, "cars", list.areMorePages ? "and more" : "and no more")
///   if case .error(let error) = list.next { print("the next page failed:", error) }
/// }
/// ```
public struct PagedCache<Cache: Sendable>: Sendable, PlainlyPrinted {
  /// The part of the list that is loaded, or that the window shows.
  public var cache: Cache

  /// Whether there are pages after it.
  public var areMorePages: Bool

  /// Whether there are pages before it.
  public var areMorePreviousPages: Bool

  /// Whether the next page can be loaded, is being loaded, or failed.
  public var next: AdditionalLoadingState

  /// Whether the previous page can be loaded, is being loaded, or failed.
  public var previous: AdditionalLoadingState

  /// The part of the whole list that this is; nil where the source does not say it.
  public var range: Range<Int>?

  /// How many items of the list are loaded; nil where the source does not say it.
  public var count: Int?

  /// Creates a paged cache, by default without further pages.
  public init(
    _ cache: Cache, areMorePages: Bool = false, areMorePreviousPages: Bool = false,
    next: AdditionalLoadingState? = nil, previous: AdditionalLoadingState? = nil,
    range: Range<Int>? = nil, count: Int? = nil
  ) {
    self.cache = cache
    self.areMorePages = areMorePages
    self.areMorePreviousPages = areMorePreviousPages
    self.next = next ?? .fixed(canRequestAdditionalData: areMorePages)
    self.previous = previous ?? .fixed(canRequestAdditionalData: areMorePreviousPages)
    self.range = range
    self.count = count
  }

  /// The loaded items, the same as ``cache``.
  public var items: Cache { cache }

  /// Returns the same paged cache with other content.
  public func convert<New: Sendable>(
    _ transform: (Cache) throws -> New
  ) rethrows -> PagedCache<New> {
    PagedCache<New>(
      try transform(cache), areMorePages: areMorePages,
      areMorePreviousPages: areMorePreviousPages, next: next, previous: previous,
      range: range, count: count)
  }
}

extension PagedCache: Equatable where Cache: Equatable {}

/// The part of a list that is shown, and the length of the list.
package struct CacheExtent: Sendable, Hashable {
  var range: Range<Int>
  package var count: Int
}
