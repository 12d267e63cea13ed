/// The record of a fetch, to be written to the ledger when its data are saved.
///
/// A source whose store also holds the ledger writes both in one transaction; any other calls
/// ``write()`` after it has saved. The ledger may have been changed since the fetch began, by
/// another process for example, so the final record depends on the one that is there when it is
/// written.
public struct FetchStamp: Sendable {
  /// What the ledger held when the fetch began.
  public enum Basis: Sendable, Hashable {
    /// Any record: the new one is written as it is.
    case any
    /// This record, or none: a cache that was declared stale since then stays stale.
    case record(FetchRecord?)
    /// The record of a list with these pages; a page for a list that has changed is not saved.
    case list(PageRecord)
  }

  /// The tag in the ledger.
  public let tag: String

  /// The record to write.
  public let record: FetchRecord

  /// The ledger to write it to.
  public let ledger: any FetchLedger

  /// What the ledger held when the fetch began.
  public let basis: Basis

  /// The mark since which the data are what changed; nil where they are all that match.
  public let since: String?

  /// The result of the write, for the code that made the stamp.
  private let outcome: Lock<Outcome?>

  /// The record after a write, and the version of the store that has it.
  struct Outcome: Sendable {
    let record: FetchRecord
    let version: UInt64?
  }

  /// Makes a stamp.
  public init(
    tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis = .any,
    since: String? = nil
  ) {
    self.init(
      tag: tag, record: record, ledger: ledger, basis: basis, since: since, outcome: Lock(nil))
  }

  private init(
    tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis, since: String?,
    outcome: Lock<Outcome?>
  ) {
    self.tag = tag
    self.record = record
    self.ledger = ledger
    self.basis = basis
    self.since = since
    self.outcome = outcome
  }

  /// The record to write, given the one that the ledger holds now.
  ///
  /// - Throws: ``OutdatedStamp`` when the page belongs to a list that is no longer there, or the data
  ///   are what changed since another mark than the ledger has.
  public func record(replacing held: FetchRecord?) throws(OutdatedStamp) -> FetchRecord {
    // What was fetched into another store says nothing of this one.
    let held = held?.store == record.store ? held : nil
    if let since, held?.mark != since { throw OutdatedStamp() }
    switch basis {
    case .any: return record
    case .record(let known):
      var new = record
      let wasStale = known?.isInvalidated ?? false
      if let held, held.isInvalidated, !wasStale { new.isInvalidated = true }
      // A record that goes on with the mark that it found must find it still.
      if since == nil, new.mark == known?.mark, new.mark != held?.mark { new.mark = nil }
      return new
    case .list(let pages):
      guard var new = held, new.pages == pages else { throw OutdatedStamp() }
      new.pages = record.pages
      return new
    }
  }

  /// The same stamp with another record.
  package func with(_ record: FetchRecord) -> FetchStamp { with(record, since: since) }

  /// The same stamp with another record, for data that are what changed since a mark.
  package func with(_ record: FetchRecord, since: String?) -> FetchStamp {
    FetchStamp(
      tag: tag, record: record, ledger: ledger, basis: basis, since: since, outcome: outcome)
  }

  /// What was written; nil as long as the source's store has not noted it.
  var written: Outcome? { outcome.withLock { $0 } }

  /// Notes what was written.
  package func note(_ record: FetchRecord, version: UInt64?) {
    outcome.withLock { $0 = Outcome(record: record, version: version) }
  }

  /// Writes the record into the ledger, and gives it as it was written.
  ///
  /// - Throws: ``OutdatedStamp``, and what the ledger throws.
  @discardableResult
  public func write() async throws -> FetchRecord {
    let held = basis == .any && since == nil ? nil : try await ledger.record(for: tag)
    let new = try record(replacing: held)
    try await ledger.write(new, for: tag)
    note(new, version: nil)
    return new
  }
}
