import Evocation

/// A ledger that throws in each of its functions, or for one tag, until it is mended.
final class FaultyLedger: FetchLedger {
  private struct State {
    var isBroken = true
    var brokenTag: String?
  }

  private let ledger = InMemoryFetchLedger()
  private let state = Lock(State())

  var isBroken: Bool {
    get { state.withLock { $0.isBroken } }
    set { state.withLock { $0.isBroken = newValue } }
  }

  var brokenTag: String? {
    get { state.withLock { $0.brokenTag } }
    set { state.withLock { $0.brokenTag = newValue } }
  }

  private func check(_ tag: String? = nil) throws {
    if isBroken || tag != nil && tag == brokenTag { throw Trouble.ledger }
  }

  func record(for tag: String) async throws -> FetchRecord? {
    try check(tag)
    return try await ledger.record(for: tag)
  }

  func write(_ record: FetchRecord, for tag: String) async throws {
    try check(tag)
    try await ledger.write(record, for: tag)
  }

  func erase(prefix: String) async throws {
    try check()
    try await ledger.erase(prefix: prefix)
  }

  func erase(tag: String) async throws {
    try check(tag)
    try await ledger.erase(tag: tag)
  }

  func markInvalidated(prefix: String) async throws {
    try check()
    try await ledger.markInvalidated(prefix: prefix)
  }

  func records(prefix: String) async throws -> FetchRecords {
    try check()
    return try await ledger.records(prefix: prefix)
  }
}
