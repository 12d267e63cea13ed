public import Foundation

/// The record of when each query was last fetched.
///
/// Caches look up records by tag (the cache key). A lookup must be as fast among a hundred thousand
/// tags as among ten. Caches that share a ledger share their states by tag, so use one ledger
/// object for each storage, or give all of them one ``identity``. Tags and prefixes are compared by
/// their UTF-8 bytes, as in ``FetchRecords``. A `Dictionary` with tags as its keys would confuse
/// texts that are equal as characters and differ in bytes.
///
/// When a device's date is set back, old data seem young. A ledger that keeps the latest date that
/// it ever saw, by ``note(_:)`` and ``greatestDate()``, notices that, also after a restart. These
/// two have default implementations, which do not notice it.
///
/// Your app declares all caches stale, and counts them:
///
/// ```swift
/// try await ledger.invalidate()
/// let count = try await ledger.records(prefix: "").count
/// print(count, "caches are stale now")
/// ```
///
/// ## Calling
///
/// Your app creates a ledger and passes it to caches. It may call ``clear(prefix:)`` and
/// ``invalidate(prefix:)``, which update what observers see. The requirements below do not.
public protocol FetchLedger: AnyObject, Sendable {
  /// Returns the record of a tag, or nil when it was never fetched.
  func record(for tag: String) async throws -> FetchRecord?

  /// Stores a record, in place of an earlier one.
  func write(_ record: FetchRecord, for tag: String) async throws

  /// Removes the records of the tags that begin with a prefix; all records when it is empty.
  func erase(prefix: String) async throws

  /// Removes the record of one tag.
  func erase(tag: String) async throws

  /// Removes the records of several tags.
  ///
  /// Evocation calls it with the oldest reads. The default removes them one by one; a ledger in a
  /// file removes them in one transaction.
  func erase(tags: [String]) async throws

  /// Declares the records of the tags that begin with a prefix stale.
  func markInvalidated(prefix: String) async throws

  /// Returns the records of the tags that begin with a prefix.
  func records(prefix: String) async throws -> FetchRecords

  /// Returns the latest date that was recorded, also by a fetch.
  ///
  /// The default returns nil: the ledger does not keep it.
  func greatestDate() async throws -> Date?

  /// Records the present date.
  ///
  /// Where ``isSetBack(_:from:)`` is true, the date becomes the latest one, and every record
  /// becomes ``FetchRecord/isUndated``, in one step. Otherwise the ledger keeps the date that
  /// ``latest(_:_:)`` returns. The default does nothing.
  func note(_ date: Date) async throws

  /// Calls the handler when others may have changed records, until the observation ends.
  ///
  /// Others write without this ledger object or one of the same identity; another process is one of
  /// them. The handler is quick and does not call the ledger. The default returns nil: there are no
  /// others, or the ledger does not notice them.
  func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation?

  /// The identity of the storage; by default that of the ledger object.
  var identity: ObjectIdentifier { get }
}

extension FetchLedger {
  /// The identity of the ledger object.
  public var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// Returns nil: there are no others, or the ledger does not notice them.
  public func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    nil
  }

  /// Removes the records one by one.
  public func erase(tags: [String]) async throws {
    for tag in tags { try await erase(tag: tag) }
  }

  /// Returns nil: the ledger does not keep the latest date.
  public func greatestDate() async throws -> Date? { nil }

  /// Does nothing: the ledger does not keep the date.
  public func note(_ date: Date) async throws {}
}

extension FetchLedger {
  /// Returns whether a date is so much earlier than the latest one that the device's date was set
  /// back.
  ///
  /// ```swift
  /// let isSetBack = Self.isSetBack(date, from: greatest)
  /// if isSetBack { markAllUndated() }
  /// greatest = isSetBack ? date : Self.latest(date, greatest)
  /// ```
  public static func isSetBack(_ date: Date, from greatest: Date?) -> Bool {
    SeenDate(greatest).isSetBack(date)
  }

  /// Returns the later of two dates; a date that is not finite, or `distantFuture`, does not count.
  public static func latest(_ date: Date, _ other: Date?) -> Date? {
    SeenDate.later(date, other)
  }
}

extension FetchLedger {
  /// Removes the records of caches; their observers then see no cache.
  ///
  /// A cache that your app cleared, and whose data its source still has, stays cleared.
  ///
  /// - Parameter prefix: The beginning of the tags; empty for all.
  /// - Throws: The errors of the storage.
  public func clear(prefix: String = "") async throws {
    let cleared = try await records(prefix: prefix).filter(\.record.isCleared)
    try await erase(prefix: prefix)
    for (tag, record) in cleared { try await write(record, for: tag) }
    await CacheRegistry.of(self).forget(prefix: prefix)
  }

  /// Declares caches stale, which refreshes those that are observed.
  ///
  /// - Parameter prefix: The beginning of the tags; empty for all.
  /// - Throws: The errors of the storage.
  public func invalidate(prefix: String = "") async throws {
    let registry = CacheRegistry.of(self)
    // Before the records are marked, so that a fetch which is saved in between is declared stale too.
    registry.recordInvalidation(prefix: prefix)
    try await markInvalidated(prefix: prefix)
    try await registry.invalidate(prefix: prefix)
  }
}
