/// A ledger that remembers nothing, for those who save without a stamp.
final class NoLedger: FetchLedger {
  func record(for tag: String) async throws -> FetchRecord? { nil }
  func write(_ record: FetchRecord, for tag: String) async throws {}
  func erase(prefix: String) async throws {}
  func erase(tag: String) async throws {}
  func markInvalidated(prefix: String) async throws {}
  func records(prefix: String) async throws -> [String: FetchRecord] { [:] }
}
