import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct InMemoryFetchLedgerTests {
  @Test func `A ledger in memory does what a dictionary does`() async throws {
    var contract = FetchLedgerContract("memory ledger")
    #expect(try await contract.violation(of: InMemoryFetchLedger(), operations: 2_000) == nil)
  }

  @Test func `Each is one of its own`() {
    let (first, second) = (InMemoryFetchLedger(), InMemoryFetchLedger())
    #expect(first.identity == first.identity)
    #expect(first.identity != second.identity)
  }
}
