public import Foundation

/// Remembers when each cache was last fetched.
///
/// Records are found by tag, and must be found as fast among a hundred thousand tags as among ten.
/// Caches that share a ledger share their states by tag, so use one ledger object for each storage,
/// or give all of them one ``identity``. Tags and prefixes are compared by their UTF-8 bytes, as
/// ``FetchRecords`` does; a `Dictionary` with tags as its keys would mix up texts that are equal as
/// characters and differ in bytes.
///
/// When a device's date is set back, old data seem young. A ledger that keeps the latest date that
/// it ever saw, by ``note(_:)`` and ``greatestDate()``, notices that, also after a restart. These
/// two have default implementations, which do not notice it.
///
/// ## Calling
///
/// An app makes a ledger and passes it to caches. It may call ``clear(prefix:)`` and
/// ``invalidate(prefix:)``, which update what observers see; the requirements below do not.
public protocol FetchLedger: AnyObject, Sendable {
  /// Gives the record of a tag, or nil when it was never fetched.
  func record(for tag: String) async throws -> FetchRecord?

  /// Stores a record, in place of an earlier one.
  func write(_ record: FetchRecord, for tag: String) async throws

  /// Forgets the tags that begin with a prefix; all of them when it is empty.
  func erase(prefix: String) async throws

  /// Forgets one tag.
  func erase(tag: String) async throws

  /// Declares stale what was fetched under the tags that begin with a prefix.
  func markInvalidated(prefix: String) async throws

  /// Gives the records of the tags that begin with a prefix.
  func records(prefix: String) async throws -> FetchRecords

  /// The latest date that was noted, or of a fetch that was recorded.
  ///
  /// The default is nil: it is not known.
  func greatestDate() async throws -> Date?

  /// Takes the present date.
  ///
  /// Where ``isSetBack(_:from:)`` says so, it becomes the latest date, and every record becomes
  /// ``FetchRecord/isUndated``, in one step; or else ``latest(_:_:)`` says which date is kept. The default
  /// does nothing.
  func note(_ date: Date) async throws

  /// Calls the handler when others may have changed records, until the observation ends.
  ///
  /// Others are all that do not write through this ledger or one of its identity, such as another
  /// process. The handler is quick and does not call the ledger. The default is nil: there are no
  /// others, or they are not noticed.
  func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation?

  /// Identifies the storage; by default it is the ledger itself.
  var identity: ObjectIdentifier { get }
}

extension FetchLedger {
  /// The ledger itself.
  public var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// Nil: there are no others, or they are not noticed.
  public func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    nil
  }

  /// Nil: the latest date is not kept.
  public func greatestDate() async throws -> Date? { nil }

  /// Does nothing: the date is not kept.
  public func note(_ date: Date) async throws {}
}

extension FetchLedger {
  /// Whether a date is so much earlier than the latest one that the device's was set back.
  ///
  /// ```swift
  /// let isSetBack = Self.isSetBack(date, from: greatest)
  /// if isSetBack { markAllUndated() }
  /// greatest = isSetBack ? date : Self.latest(date, greatest)
  /// ```
  public static func isSetBack(_ date: Date, from greatest: Date?) -> Bool {
    DateGuard.isSetBack(date, from: greatest)
  }

  /// The later of two dates; a date that is not finite, or `distantFuture`, is ignored.
  public static func latest(_ date: Date, _ other: Date?) -> Date? {
    DateGuard.greatest(date, other)
  }
}

extension FetchLedger {
  /// Forgets when caches were fetched; their observers then see no cache.
  ///
  /// A cache that the app cleared, and whose data its source still has, stays cleared.
  ///
  /// - Parameter prefix: What the tags begin with; empty for all.
  /// - Throws: What the storage throws.
  public func clear(prefix: String = "") async throws {
    let cleared = try await records(prefix: prefix).filter(\.record.isCleared)
    try await erase(prefix: prefix)
    for (tag, record) in cleared { try await write(record, for: tag) }
    await CacheRegistry.of(self).forget(prefix: prefix)
  }

  /// Declares caches stale, which refreshes those that are observed.
  ///
  /// - Parameter prefix: What the tags begin with; empty for all.
  /// - Throws: What the storage throws.
  public func invalidate(prefix: String = "") async throws {
    try await markInvalidated(prefix: prefix)
    try await CacheRegistry.of(self).invalidate(prefix: prefix)
  }
}
