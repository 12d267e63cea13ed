import Foundation
import Testing

@testable import Evocation

/// Looks for entries after which nothing is to be looked for again.
@Suite struct OutboxClaimTests {
  let local = InMemoryRepository<Draft>()

  private func claim(at seconds: Double = 0, limit: Int = 4) async throws -> OutboxMachine.Found {
    let look = ClaimLook<Draft>(
      channel: 0, store: local.storeIdentity, queue: local.queueName, holder: "this",
      now: Date(timeIntervalSinceReferenceDate: seconds), longestWait: .seconds(300),
      lease: .seconds(15), revives: false, isForeign: { _ in false })
    let claim = try await local.transact(isShort: true) { transaction in
      try look.claim(after: 7, only: [], limit: limit, in: transaction)
    }
    guard case .found(let found) = claim else { throw EvocationError.entryNotFound(id: "") }
    return found
  }

  @Test func `a look that goes on in a queue that is empty by then has reached its end`()
    async throws
  {
    #expect(try await claim().scan?.isAtEnd == true)
  }

  @Test func `a lease is renewed while what runs has no entry any more`() async throws {
    #expect(try await claim(limit: 0).lease == .seconds(15))
  }

  @Test func `a lease that was just taken is not taken again, however its date is rounded`()
    async throws
  {
    let note = OutboxNote<Draft>(queuedAt: Date(timeIntervalSinceReferenceDate: 0))
    _ = try await local.commit(StoreWrite([.store([Draft(id: 1, title: "a")])], outbox: note))
    var changes = 0
    for hundredths in 0..<1_000 {
      try await local.transact(isShort: true) { try $0.setLease(nil) }
      _ = try await claim(at: 20 + Double(hundredths) / 100)
      let count = Lock(0)
      let observation = local.observeQueue { count.withLock { $0 += 1 } }
      _ = try await claim(at: 20 + Double(hundredths) / 100)
      observation.cancel()
      changes += count.withLock { $0 }
    }
    #expect(changes == 0)
  }
}
