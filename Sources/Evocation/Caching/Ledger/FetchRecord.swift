public import Foundation

/// What a ledger keeps of one cache: when it was fetched, and what is needed to delete it.
///
/// A ledger keeps it as a whole, in its `Codable` form, which has more than can be seen here: where a list
/// goes on, for example.
public struct FetchRecord: Sendable, Hashable, Codable {
  /// When it was last fetched and saved.
  public var fetchedAt: Date

  /// Whether it was declared stale since, whatever its age.
  public var isInvalidated: Bool

  /// Whether its age is not known, because the device's date was set back since it was fetched.
  public var isUndated: Bool {
    get { undated ?? false }
    set { undated = newValue ? true : nil }
  }

  /// Nil for false, as in records that were written before there was this property.
  private var undated: Bool?

  /// When it was last observed, read or fetched; correct to a minute.
  public var usedAt: Date

  /// How many bytes the cache takes; zero where sizes are not limited.
  public var size: Int

  /// The type of the source that fetched it.
  public var source: String

  /// The requirements as JSON, where they can be coded.
  public var requirements: Data?

  /// Where a list that is loaded page by page can be continued; nil for any other cache.
  package var pages: PageRecord?

  /// The service's mark since which it lists what changed; nil to ask it for everything.
  ///
  /// It belongs to the data that were saved with it; see ``ChangesRepository``.
  public var mark: String?

  /// The name of the store that it was fetched into, as ``Repository/storeName`` gives it.
  ///
  /// Nil where the store has no name, or the ledger lies in it.
  public var store: String?

  /// Makes a record.
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
  static func cleared(source: String, at date: Date) -> FetchRecord {
    FetchRecord(
      fetchedAt: .distantPast, isInvalidated: true, isUndated: true, usedAt: date, source: source)
  }

  /// Whether the cache was cleared, so that what the source still has is not shown.
  var isCleared: Bool { isInvalidated && isUndated && fetchedAt == .distantPast }
}
