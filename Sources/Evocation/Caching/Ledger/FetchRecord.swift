public import Foundation

/// What is remembered of one cache: when it was fetched, and what is needed to let it go.
public struct FetchRecord: Sendable, Hashable, Codable {
  /// When it was last fetched and saved.
  public var fetchedAt: Date

  /// Whether it was declared stale since, whatever its age.
  public var isInvalidated: Bool

  /// When it was last observed, read or fetched; correct to a minute.
  public var usedAt: Date

  /// How many bytes it takes; zero where nobody asked.
  public var size: Int

  /// The type of the source that fetched it.
  public var source: String

  /// The requirements as JSON, where they can be coded.
  public var requirements: Data?

  /// Where a list that is loaded page by page can be continued; nil for any other cache.
  public var pages: PageRecord?

  /// Makes a record.
  public init(
    fetchedAt: Date, isInvalidated: Bool = false, usedAt: Date? = nil, size: Int = 0,
    source: String = "", requirements: Data? = nil, pages: PageRecord? = nil
  ) {
    self.fetchedAt = fetchedAt
    self.isInvalidated = isInvalidated
    self.usedAt = usedAt ?? fetchedAt
    self.size = size
    self.source = source
    self.requirements = requirements
    self.pages = pages
  }
}
