public import Evocation
public import Foundation

extension Inspection {
  /// A cache, or a list that is loaded page by page.
  public struct Cache: Sendable, Hashable, Codable, Identifiable {
    /// Names the cache as long as the process runs.
    public var id: String

    /// The model type's name; nil for a cache of another source.
    public var model: String?

    /// What is cached, such as `cache of Car by year`.
    public var name: String

    /// The tag (the cache key); nil in an inspection that hides values.
    public var tag: String?

    /// The type of the source; nil for a stored cache that is not in use.
    public var source: String?

    /// The number of observers; nil for a stored cache that is not in use.
    public var observers: Int?

    /// When the last fetch that was saved began; nil if it was never fetched, or was cleared.
    public var fetchedAt: Date?

    /// Whether it is fresh, stale or expired; nil if it was never fetched, or is not in use.
    public var freshness: Freshness?

    /// Whether it was declared stale since the last fetch.
    public var isInvalidated: Bool

    /// Whether a fetch runs.
    public var isRefreshing: Bool

    /// The error of the last fetch; nil if there is none.
    public var error: String?

    /// The number of elements; nil for content that is no collection, or was not read.
    public var count: Int?

    /// The number of pages of a list; nil for a cache.
    public var pages: Int?

    /// Whether the list has pages that are not loaded.
    public var areMorePages: Bool
  }
}

extension Inspection.Cache {
  /// Creates the part that a ledger's record has; nil where nothing was fetched.
  init?(tag: String, _ record: FetchRecord, showsValues: Bool) {
    if record.isCleared { return nil }
    self.init(tag: tag, showsValues: showsValues)
    take(record)
  }

  /// Creates a cache that was never fetched.
  init(tag: String, showsValues: Bool) {
    self.init(
      id: Self.id(of: tag), name: CacheName(tag: tag).description, tag: showsValues ? tag : nil,
      isInvalidated: false, isRefreshing: false, areMorePages: false)
  }

  /// Creates the cache of an entry in use; nil if that has ended.
  init?(_ entry: any CacheRegistry.Entry, showsValues: Bool) {
    guard let facts = entry.facts else { return nil }
    self.init(tag: entry.tag, showsValues: showsValues)
    if let record = facts.record { take(record) }
    if facts.isList { pages = pages ?? 0 }
    source = entry.sourceName
    observers = facts.observers
    freshness = facts.freshness
    isRefreshing = facts.isRefreshing
    error = facts.error.map { LogText.of($0, showsValues: showsValues) }
    count = facts.count
  }

  /// Takes over what a ledger's record says.
  mutating func take(_ record: FetchRecord) {
    fetchedAt = record.fetchedAt
    isInvalidated = record.isInvalidated
    pages = record.pages?.count
    areMorePages = record.pages.map { $0.next != nil || $0.previous != nil } ?? false
  }

  /// Returns a name that does not show the tag, which may have values.
  static func id(of tag: String) -> String {
    var hasher = Hasher()
    hasher.combine(ByteText(tag))
    return String(UInt(bitPattern: hasher.finalize()), radix: 16)
  }
}
