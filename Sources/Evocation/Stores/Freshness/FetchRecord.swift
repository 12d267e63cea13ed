public import Foundation

/// A ledger's record of one cache: when it was fetched, and the data that its deletion needs.
///
/// A ledger stores the whole record, in its `Codable` form. That form also has values without a
/// public property, such as the next page of a list.
///
/// Your app reads the record of a cache by its tag:
///
/// ```swift
/// if let record = try await ledger.record(for: "cars") {
///   print(record.fetchedAt, record.isInvalidated ? "and stale since" : "")
/// }
/// ```
public struct FetchRecord: Sendable, Hashable, Codable, PlainlyPrinted {
  /// When the last fetch that was saved began, or your app updated the cache.
  public var fetchedAt: Date

  /// When everything was fetched for the first time, and not only the changes since; nil if unknown.
  ///
  /// It stays until the cache is cleared, or the user signs out.
  public var firstFetchedAt: Date?

  /// Whether the cache was declared stale since, at any age.
  public var isInvalidated: Bool

  /// Whether its age is unknown, because the device's date was set back since it was fetched.
  public var isUndated: Bool {
    get { undated ?? false }
    set { undated = newValue ? true : nil }
  }

  /// Nil for false, as in records that were written before there was this property.
  private var undated: Bool?

  /// When the cache was last observed, read or fetched, to the minute; kept where the source has
  /// limits.
  public var usedAt: Date

  /// How many bytes the cache takes; zero where sizes are not limited.
  public var size: Int

  /// The type of the source that fetched the cache.
  public var source: String

  /// The requirements as JSON, where they can be encoded.
  public var requirements: Data?

  /// Where a list that is loaded page by page continues; nil for any other cache.
  package var pages: PageRecord?

  /// The server's change token, to request only what changed since; nil to request everything.
  ///
  /// It belongs to the data that were saved with it; see ``ChangesRepository``.
  public var mark: String?

  /// The name of the store that received the fetch, as ``Repository/storeName`` returns it.
  ///
  /// Nil where the store has no name, or contains the ledger.
  public var store: String?

  /// Creates a record.
  public init(
    fetchedAt: Date, isInvalidated: Bool = false, isUndated: Bool = false, usedAt: Date? = nil,
    size: Int = 0, source: String = "", requirements: Data? = nil, mark: String? = nil,
    store: String? = nil
  ) {
    self.fetchedAt = fetchedAt
    self.isInvalidated = isInvalidated
    self.usedAt = usedAt ?? fetchedAt
    self.size = size
    self.source = source
    self.requirements = requirements
    self.mark = mark
    self.store = store
    self.isUndated = isUndated
  }
}

extension FetchRecord {
  /// The record of a cache that the app cleared, and whose data the source still has.
  package static func cleared(source: String, at date: Date) -> FetchRecord {
    FetchRecord(
      fetchedAt: .distantPast, isInvalidated: true, isUndated: true, usedAt: date, source: source)
  }

  /// Whether the cache was cleared, so that states do not show the data that the source still has.
  package var isCleared: Bool { isInvalidated && isUndated && fetchedAt == .distantPast }
}
