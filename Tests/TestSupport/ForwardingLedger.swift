package import Evocation
package import EvocationTesting

/// A ledger of a test that asks another one, but where it says what it does otherwise.
///
/// It forwards what every ledger has to have and nothing else, as ``ForwardingRepository`` does.
package protocol ForwardingLedger: FetchLedger {
  /// The ledger underneath.
  var base: InMemoryFetchLedger { get }
}

extension ForwardingLedger {
  package func record(for tag: String) async throws -> FetchRecord? {
    try await base.record(for: tag)
  }

  package func write(_ record: FetchRecord, for tag: String) async throws {
    try await base.write(record, for: tag)
  }

  package func erase(prefix: String) async throws { try await base.erase(prefix: prefix) }

  package func erase(tag: String) async throws { try await base.erase(tag: tag) }

  package func markInvalidated(prefix: String) async throws {
    try await base.markInvalidated(prefix: prefix)
  }

  package func records(prefix: String) async throws -> FetchRecords {
    try await base.records(prefix: prefix)
  }
}

/// A ledger that says what it knows when its gate is open.
package final class SlowLedger: ForwardingLedger {
  package let base = InMemoryFetchLedger()
  package let gate = Gate()

  package init() {}

  package func record(for tag: String) async throws -> FetchRecord? {
    try? await gate.pass()
    return try await base.record(for: tag)
  }
}
