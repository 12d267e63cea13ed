import Synchronization

/// The record of a fetch, which a source writes to the ledger when it saves the data.
///
/// A source whose store also holds the ledger writes both in one transaction. Any other source
/// calls ``write()`` after it has saved. The ledger may have changed since the fetch began, for
/// example by another process. So the final record depends on the one that the ledger has at the
/// write.
///
/// A source that can be updated writes the stamp after the data:
///
/// ```swift
/// func updateCache(_ cache: [String], requirements: CacheTag, stamp: FetchStamp) async throws {
///   words.write(cache)
///   try await stamp.write()
/// }
/// ```
public struct FetchStamp: Sendable, PlainlyPrinted {
  /// The ledger's record when the fetch began.
  package enum Basis: Sendable, Hashable {
    /// Any record: the new one is written unchanged.
    case any
    /// This record, or none: a cache that was declared stale since then stays stale.
    case record(FetchRecord?)
    /// The record of a list with these pages; a page for a list that has changed is not saved.
    case list(PageRecord)
  }

  /// What the stamp has; a class, because a fetch copies its stamp many times
  /// (`a read that local follows`).
  @usableFromInline
  final class Content: Sendable {
    @usableFromInline let tag: String
    @usableFromInline let record: FetchRecord
    @usableFromInline let ledger: any FetchLedger
    let basis: Basis
    let since: String?
    /// The number of the registry's last invalidation when the fetch began; nil where the maker of the
    /// stamp looks itself.
    let seen: UInt64?
    /// The stamp that this one was made of, for whose maker the write is recorded; nil for none.
    let original: Content?
    let outcome = AtomicLazyReference<Outcome>()

    init(
      tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis, since: String?,
      seen: UInt64? = nil, original: Content? = nil
    ) {
      self.tag = tag
      self.record = record
      self.ledger = ledger
      self.basis = basis
      self.since = since
      self.seen = seen
      self.original = original
    }
  }

  @usableFromInline let content: Content

  /// The tag (the cache key) in the ledger.
  @inlinable public var tag: String { content.tag }

  /// The record to write.
  @inlinable public var record: FetchRecord { content.record }

  /// The ledger to write it to.
  @inlinable public var ledger: any FetchLedger { content.ledger }

  /// The ledger's record when the fetch began.
  package var basis: Basis { content.basis }

  /// The ledger's record of the last fetch when this one began; nil if there was none.
  package var known: FetchRecord? {
    if case .record(let known) = basis { known } else { nil }
  }

  /// The change token whose later changes the data are; nil for data that are everything that
  /// matches.
  package var since: String? { content.since }

  /// The record after a write, and the version of the store that has it.
  package final class Outcome: Sendable {
    package let record: FetchRecord
    package let version: UInt64?

    init(record: FetchRecord, version: UInt64?) {
      self.record = record
      self.version = version
    }
  }

  /// Creates a stamp whose record is written unchanged.
  public init(tag: String, record: FetchRecord, ledger: any FetchLedger) {
    self.init(tag: tag, record: record, ledger: ledger, basis: .any)
  }

  package init(
    tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis,
    since: String? = nil, seen: UInt64? = nil
  ) {
    content = Content(
      tag: tag, record: record, ledger: ledger, basis: basis, since: since, seen: seen)
  }

  private init(_ content: Content) {
    self.content = content
  }

  /// Returns the record to write, given the one that the ledger has now.
  ///
  /// - Throws: An error when the page belongs to a list that no longer exists, or the data are the
  ///   changes since a change token that the ledger no longer has. A store lets the error end the
  ///   transaction, so that nothing is saved. Evocation then fetches again, for the present state.
  public func record(replacing held: FetchRecord?) throws -> FetchRecord {
    // A record of another store does not concern this one.
    let held = held?.store == record.store ? held : nil
    if let since, held?.mark != since { throw OutdatedStamp() }
    switch basis {
    case .any: return record
    case .record(let known):
      var new = record
      new.firstFetchedAt =
        held.flatMap { $0.isCleared ? nil : $0.firstFetchedAt ?? $0.fetchedAt } ?? record.fetchedAt
      if wasInvalidated(after: known, held) {
        // A fetch that began after the invalidation has been saved in the meantime.
        if let held, !held.isInvalidated, !held.isUndated, held != known { return held }
        new.isInvalidated = true
      }
      // The ledger counts, so that a fetch which began since then is not taken for an older one.
      new.invalidations = held?.invalidations ?? 0
      new.mirroredAt = new.isMirrored ? nil : held?.lastMirrored
      // A record that keeps the change token that it found must still find it in the ledger.
      if since == nil, new.mark == known?.mark, new.mark != held?.mark { new.mark = nil }
      return new
    case .list(let pages):
      guard var new = held, new.pages == pages else { throw OutdatedStamp() }
      new.pages = record.pages
      return new
    }
  }

  /// Returns whether the cache was declared stale since the ledger had the known record.
  private func wasInvalidated(after known: FetchRecord?, _ held: FetchRecord?) -> Bool {
    if let seen = content.seen, CacheRegistry.of(ledger).wasInvalidated(tag, since: seen) {
      return true
    }
    guard let held, held.isInvalidated else { return false }
    // A ledger of the app may keep no count.
    guard let count = held.invalidations else { return known?.isInvalidated != true }
    return count > known?.invalidations ?? 0
  }

  /// Returns the same stamp with another record.
  package func with(_ record: FetchRecord) -> FetchStamp { with(record, since: since) }

  /// Returns the same stamp for an answer of which so many elements are not in the store.
  package func leavingOut(_ count: Int?) -> FetchStamp {
    guard let count, count > 0 else { return self }
    var record = record
    record.leftOut = count
    return with(record)
  }

  /// Returns the same stamp with another record, for data that are the changes since a token.
  package func with(_ record: FetchRecord, since: String?) -> FetchStamp {
    FetchStamp(
      Content(
        tag: tag, record: record, ledger: ledger, basis: basis, since: since, seen: content.seen,
        original: content.original ?? content))
  }

  /// The result of the write; nil as long as the source's store has not recorded it.
  package var written: Outcome? { (content.original ?? content).outcome.load() }

  /// Keeps the record that was written.
  package func setWritten(_ record: FetchRecord, version: UInt64?) {
    _ = (content.original ?? content).outcome.storeIfNil(Outcome(record: record, version: version))
  }

  /// Writes the record to the ledger, and returns it as it was written.
  ///
  /// - Throws: The errors of ``record(replacing:)`` and the ledger.
  @discardableResult
  public func write() async throws -> FetchRecord { try await write(in: nil) }

  /// Does the same for data that the store has from this version on.
  package func write(in version: UInt64?) async throws -> FetchRecord {
    let new: FetchRecord
    if let ledger = ledger as? InMemoryFetchLedger {
      new = try ledger.exchange(tag, record(replacing:))
    } else {
      new = try record(replacing: isUnconditional ? nil : await ledger.record(for: tag))
      try await ledger.write(new, for: tag)
    }
    setWritten(new, version: version)
    return new
  }

  /// Whether the record is written unchanged, whatever the ledger has.
  package var isUnconditional: Bool {
    if case .any = basis { since == nil } else { false }
  }

  /// Whether the ledger may have something for which the data must not be saved.
  var mayBeOutdated: Bool {
    if case .list = basis { true } else { since != nil }
  }
}
