public import Evocation

/// A call of a ``CacheDataSourceMock`` or a ``PagingCacheDataSourceMock``, with its arguments.
///
/// ```swift
/// #expect(source.calls == [.fetch(["year": 1980]), .save([car], ["year": 1980])])
/// ```
public enum SourceCall<Requirements: Sendable, Cache: Sendable, Page: Sendable>: Sendable {
  /// A fetch. Only a list has a page.
  case fetch(Requirements, page: Page? = nil)
  /// A save of what a fetch returned. Only a list has a page, and positions other than replacing.
  case save(Cache, Requirements, page: Page? = nil, position: PagePosition = .replacing)
  /// The cache was deleted.
  case delete(Requirements)
  /// The list was cut to its first page.
  case persistOnlyFirstPage(Requirements)
}

extension SourceCall: Equatable where Requirements: Equatable, Cache: Equatable, Page: Equatable {
}
