/// The record that says that a cache was fetched, to be written once its data are saved.
///
/// A source whose store also holds the ledger writes both in one transaction; any other calls
/// ``write()`` after it has saved.
public struct FetchStamp: Sendable {
  /// The tag in the ledger.
  public let tag: String

  /// What is to be remembered.
  public let record: FetchRecord

  /// Where it is to be remembered.
  public let ledger: any FetchLedger

  /// Makes a stamp.
  public init(tag: String, record: FetchRecord, ledger: any FetchLedger) {
    self.tag = tag
    self.record = record
    self.ledger = ledger
  }

  /// Writes the record into the ledger.
  public func write() async throws {
    try await ledger.write(record, for: tag)
  }
}
