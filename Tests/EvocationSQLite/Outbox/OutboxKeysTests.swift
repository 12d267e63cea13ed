import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import Evocation
@testable import EvocationSQLite
@testable import SQLiteSupport

/// The entries of an instance, found by the table of keys and by reading what it does not have yet.
@Suite(.patient) struct OutboxKeysTests {
  private let pieces: SQLiteRepository<Piece>

  init() throws {
    pieces = try SQLiteRepository<Piece>(.inMemory())
  }

  private func entry(_ number: Int, of id: Int) -> Outbox.Entry<Piece> {
    Outbox.Entry(
      id: "\(number)", kind: .update, model: Piece(id: id, name: "\(number)"), base: nil,
      queuedAt: Date(timeIntervalSinceReferenceDate: 1), wasAttempted: true)
  }

  @Test func `Entries of an instance are found wherever they stand, and each once`() async throws {
    var random = SeededGenerator("keys")
    var expected: [(position: Int64, id: Int)] = []
    for step in 0..<400 {
      // It grows over several batches, shrinks to nothing, and grows again.
      let (isGrowing, last) = (step / 100 % 2 == 0, expected.last?.position ?? 0)
      if expected.isEmpty || random.chance(isGrowing ? 80 : 15) {
        let added = entry(step, of: random.count(0...4))
        let position = try await pieces.transact(isShort: true) { try $0.append(added) }
        #expect(position == last + 1)
        expected.append((position, added.model.id))
      } else if random.chance(70) {
        let index = isGrowing ? random.count(0...(expected.count - 1)) : expected.count - 1
        let gone = expected.remove(at: index).position
        try await pieces.transact(isShort: true) { try $0.delete(gone) }
      } else {
        let index = random.count(0...(expected.count - 1))
        var changed = entry(step, of: random.count(0...4))
        changed.position = expected[index].position
        try await pieces.transact(isShort: true) { [changed] in try $0.replace(changed) }
        expected[index].id = changed.model.id
      }
      try await check(expected, "step \(step)")
    }
  }

  private func check(_ expected: [(position: Int64, id: Int)], _ step: String) async throws {
    let ids = 0..<5
    let (found, heads, count, has, unsent) = try await pieces.look(isShort: false) { transaction in
      (
        try ids.map { try transaction.records(of: "\($0)").map(\.position) },
        try transaction.records(after: .min, onlyHeads: true, limit: 100).map(\.position),
        try transaction.count().pending,
        try ids.map { try transaction.hasRecords(of: .init(queue: "piece", key: "\($0)")) },
        try transaction.isEmpty
      )
    }
    let positions = ids.map { id in expected.filter { $0.id == id }.map(\.position) }
    #expect(found == positions, "\(step)")
    #expect(heads == positions.compactMap(\.first).sorted(), "\(step)")
    #expect(count == expected.count, "\(step)")
    #expect(has == positions.map { !$0.isEmpty }, "\(step)")
    #expect(unsent == expected.isEmpty, "\(step)")
  }
}
