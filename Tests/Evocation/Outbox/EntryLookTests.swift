import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationOutbox
@testable import EvocationStores

/// How far a search for what to send comes.
@Suite(.patient) struct EntryLookTests {
  private let local = InMemoryRepository<Draft>()
  private let date = Date(timeIntervalSinceReferenceDate: 1_000)

  /// Adds entries, each on a model of its own, and returns the position of the last one.
  private func append(
    _ ids: ClosedRange<Int>, _ priority: Strategy.Priority
  ) async throws -> Int64 {
    try await local.transact(isShort: false) { [date] transaction in
      try ids.reduce(0) { _, id in
        try transaction.append(
          Outbox.Entry(
            id: "\(id)", kind: .store, model: Draft(id: id, title: ""), base: nil, queuedAt: date,
            priority: priority))
      }
    }
  }

  /// Searches once, and returns the entries that were offered, how far the search came, and how often it
  /// read.
  private func look(
    from position: Int64?
  ) async throws -> (offered: [Int64], searched: [Int64], reads: Int) {
    let (offered, reads) = (Lock<[Int64]>([]), Lock(0))
    let look = EntryLook(
      holder: "me", lease: .seconds(10), now: .zero, date: date, present: { [date] in date },
      longestWait: .seconds(60), few: 5, beginTurn: { false },
      reserve: { row, _ in
        offered.withLock { $0.append(row.position) }
        return .passed
      })
    let searched = try await local.transact(isShort: true) { transaction in
      var items: [OutboxMachine.Item] = []
      _ = try look.run(
        .init(
          forEntries: true, from: position, atOnce: false, asksWhetherHeld: false, release: false),
        in: CountedEntries(base: transaction.entries, reads: reads), taking: &items)
      return [transaction.entries.searched, transaction.entries.searchedUtility]
    }
    return (offered.withLock { $0 }, searched, reads.withLock { $0 })
  }

  @Test func `any number of entries that can wait is passed at once, and not again`() async throws {
    _ = try await append(1...25_000, .utility)
    let last = try await append(25_001...25_001, .normal)
    let first = try await look(from: .min)
    #expect(first.offered.first == last)
    #expect(first.searched[0] == last)
    let next = try await append(25_002...25_002, .normal)
    let second = try await look(from: nil)
    #expect(second.offered.first == next)
  }

  @Test func `where none can be sent all were searched`() async throws {
    let last = try await append(1...3, .utility)
    #expect(try await look(from: .min).searched == [last, last])
    #expect(try await look(from: nil).offered == [])
  }

  @Test func `a search begins again where an entry was passed over`() async throws {
    let last = try await append(1...3, .normal)
    _ = try await append(4...4, .utility)
    _ = try await look(from: .min)
    let again = try await look(from: last)
    #expect(again.offered == [last, last + 1])
    #expect(again.searched == [last + 1, last + 1])
  }

  @Test func `any number of positions without an entry is passed at once`() async throws {
    let gap = try await append(1...25_000, .normal)
    try await local.transact(isShort: false) { transaction in
      for position in (1...gap).reversed() { try transaction.delete(position) }
    }
    let last = try await append(25_001...25_001, .normal)
    let found = try await look(from: .min)
    #expect(found.offered == [last])
    #expect(found.searched[0] == last)
    // Before the gap, behind it, behind the last entry, and for those of low urgency.
    #expect(found.reads == 4)
  }
}

/// Counts how often pending entries are read.
private struct CountedEntries: ForwardingEntries {
  let base: any OutboxEntries
  let reads: Lock<Int>

  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow] {
    reads.withLock { $0 += 1 }
    return try base.pending(within: positions, limit: limit, isUtility: isUtility)
  }
}
