/// The record that says that a cache was fetched, to be written once its data are saved.
///
/// A source whose store also holds the ledger writes both in one transaction; any other calls
/// ``write()`` after it has saved. Others may have changed what the ledger holds since the fetch
/// began, another process among them, so the record is made of what is there when it is written.
public struct FetchStamp: Sendable {
  /// What the ledger held when the fetch began.
  public enum Basis: Sendable, Hashable {
    /// It does not matter: the record is written as it is.
    case any
    /// This, or nothing: a cache that was declared stale since then stays stale.
    case record(FetchRecord?)
    /// A list that goes on as this says; a page that was fetched for another one is not saved.
    case list(PageRecord)
  }

  /// The tag in the ledger.
  public let tag: String

  /// What is to be remembered.
  public let record: FetchRecord

  /// Where it is to be remembered.
  public let ledger: any FetchLedger

  /// What the ledger held when the fetch began.
  public let basis: Basis

  /// What became of the write that the stamp belongs to, for whoever made it.
  private let outcome: Lock<Outcome?>

  /// What the ledger remembers after a write, and the version of the store that has it.
  struct Outcome: Sendable {
    let record: FetchRecord
    let version: UInt64?
  }

  /// Makes a stamp.
  public init(
    tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis = .any
  ) {
    self.tag = tag
    self.record = record
    self.ledger = ledger
    self.basis = basis
    outcome = Lock(nil)
  }

  private init(
    tag: String, record: FetchRecord, ledger: any FetchLedger, basis: Basis,
    _ outcome: Lock<Outcome?>
  ) {
    self.tag = tag
    self.record = record
    self.ledger = ledger
    self.basis = basis
    self.outcome = outcome
  }

  /// The record that is to be written where the ledger holds another by now.
  ///
  /// - Throws: ``OutdatedStamp`` when the page belongs to a list that is no longer there.
  public func record(replacing held: FetchRecord?) throws(OutdatedStamp) -> FetchRecord {
    switch basis {
    case .any: return record
    case .record(let known):
      var new = record
      let wasStale = known?.isInvalidated ?? false
      if let held, held.isInvalidated, !wasStale { new.isInvalidated = true }
      return new
    case .list(let pages):
      guard var new = held, new.pages == pages else { throw OutdatedStamp() }
      new.pages = record.pages
      return new
    }
  }

  /// The same stamp with another record.
  package func with(_ record: FetchRecord) -> FetchStamp {
    FetchStamp(tag: tag, record: record, ledger: ledger, basis: basis, outcome)
  }

  /// What was written, as far as the source's store has said so; nil before.
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
    let held = basis == .any ? nil : try await ledger.record(for: tag)
    let new = try record(replacing: held)
    try await ledger.write(new, for: tag)
    note(new, version: nil)
    return new
  }
}

/// A page was fetched for a list that somebody has replaced, continued or cleared since.
///
/// A store throws it out of the transaction, so that nothing is saved. The list is then looked at
/// anew, and the page that it lacks now is fetched.
public struct OutdatedStamp: Error, Sendable {
  /// Makes the error.
  public init() {}
}
