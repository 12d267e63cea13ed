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
  ///
  /// Each time that it is set to true counts, so that a fetch which is under way can tell an
  /// invalidation that it has seen from a later one.
  public var isInvalidated: Bool {
    didSet { if isInvalidated { invalidations = (invalidations ?? 0).addingClamped(1) } }
  }

  /// How many times the cache was declared stale so far; nil for never, or in an earlier version.
  package var invalidations: Int?

  /// Which of the matching models the fetch left in the store; nil if unknown, as in an earlier version.
  package var coverage: Coverage?

  /// When the store last had nothing else that matches; nil if unknown, and where ``coverage`` says it.
  package var mirroredAt: Date?

  /// How many elements of the answer are not in the store; nil for none.
  package var leftOut: Int?

  /// The name of the service that answered, with its route; nil if it has none.
  package var service: String?

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
    invalidations = isInvalidated ? 1 : nil
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

extension FetchRecord {
  /// Which of the models that match a fetch left in the store.
  package enum Coverage: Int, Sendable, Codable {
    /// Some of them: the service did not say that it has no more.
    case part
    /// All of them, and perhaps others that the service no longer has.
    case whole
    /// All of them, and no others.
    case mirrored
  }

  /// Whether the fetch left no others in the store, as far as is known.
  var isMirrored: Bool { coverage.map { $0 == .mirrored } ?? true }

  /// When the store last had what matches, and no others; nil if that was never, or is not certain.
  package var lastMirrored: Date? {
    if isInvalidated || isUndated || isCleared { return nil }
    return isMirrored ? fetchedAt : mirroredAt
  }

  /// Returns the date that says how old the data are for a reader.
  ///
  /// A reader that mirrors counts on the store to have no model that the service removed before that date.
  package func date(mirroring: Bool) -> Date {
    mirroring && !isMirrored ? mirroredAt ?? fetchedAt : fetchedAt
  }

  /// Returns whether a reader has to fetch again, whatever the age.
  package func isStale(mirroring: Bool) -> Bool {
    if isInvalidated { return true }
    guard let coverage else { return false }
    return mirroring ? coverage != .mirrored && mirroredAt == nil : coverage == .part
  }
}
