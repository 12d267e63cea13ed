public import Foundation

/// Remembers when each cache was last fetched.
///
/// A ledger is asked by tag, and a hundred thousand tags must not make it slower than ten. Caches
/// that share a ledger share their states by tag; use one object for one place of storage, or give
/// all of them one ``identity``. A tag begins with a prefix when its UTF-8 bytes do, and is another's
/// only when all of them are the same: a dictionary of tags would take letters for the same that
/// differ in bytes.
///
/// A date can be set back, so that what was fetched long ago seems young. A ledger that keeps the
/// greatest date that it ever saw, in ``note(_:)`` and ``greatestDate()``, finds that out, also after
/// a restart; one that does not is asked all the same, and finds out nothing.
///
/// ## Calling
///
/// An app makes a ledger and hands it over. It calls ``clear(prefix:)`` and
/// ``invalidate(prefix:)``, which tell whoever observes; the requirements below tell nobody.
public protocol FetchLedger: AnyObject, Sendable {
  /// Gives what is remembered of a tag, or nil when it was never fetched.
  func record(for tag: String) async throws -> FetchRecord?

  /// Remembers a record, in place of an earlier one.
  func write(_ record: FetchRecord, for tag: String) async throws

  /// Forgets the tags that begin with a prefix; all of them when it is empty.
  func erase(prefix: String) async throws

  /// Forgets one tag.
  func erase(tag: String) async throws

  /// Declares stale what was fetched under the tags that begin with a prefix.
  func markInvalidated(prefix: String) async throws

  /// Gives the records of the tags that begin with a prefix.
  func records(prefix: String) async throws -> [String: FetchRecord]

  /// The greatest date that the ledger was told of, or of a fetch that was written into it.
  ///
  /// The default is nil: it is not known.
  func greatestDate() async throws -> Date?

  /// Is told the present date.
  ///
  /// Where that ``DateGuard/isSetBack(_:from:)``, it becomes the greatest, and every record is
  /// ``FetchRecord/isUndated`` from then on, in one step. The default does nothing.
  func note(_ date: Date) async throws

  /// Calls the handler when others may have changed what is remembered, until the observation ends.
  ///
  /// Others are whoever does not write through this ledger or one of its identity, such as another
  /// process. The handler is quick and does not call the ledger. The default is nil: nobody else
  /// writes, or it is not noticed.
  func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation?

  /// Identifies the storage; by default it is the ledger itself.
  var identity: ObjectIdentifier { get }
}

extension FetchLedger {
  /// The ledger itself.
  public var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// Nil: nobody else writes, or it is not noticed.
  public func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    nil
  }

  /// Nil: the greatest date is not kept.
  public func greatestDate() async throws -> Date? { nil }

  /// Does nothing: the date is not kept.
  public func note(_ date: Date) async throws {}
}
