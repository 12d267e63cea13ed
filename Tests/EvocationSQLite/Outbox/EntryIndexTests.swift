import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// The entries of an instance, found by the file's index and among those that it does not have yet.
@Suite(.patient) struct EntryIndexTests {
  private struct Refusal: Error {}

  /// A file with entries, and what it should have.
  private final class Bed {
    let folder: TemporaryFolder
    var pieces: SQLiteRepository<Piece>
    var expected: [(position: Int64, id: Int)] = []
    private let ids: Range<Int>
    private var number = 0

    init(ids: Range<Int>) throws {
      self.ids = ids
      folder = try TemporaryFolder()
      pieces = try SQLiteRepository<Piece>(SQLiteDatabase(path: folder.path()))
    }

    func entry(of id: Int) -> Outbox.Entry<Piece> {
      number += 1
      return Outbox.Entry(
        id: "\(number)", kind: .update, model: Piece(id: id, name: "\(number)"), base: nil,
        queuedAt: Date(timeIntervalSinceReferenceDate: 1), wasAttempted: number.isMultiple(of: 2))
    }

    func append(_ added: [Int]) async throws {
      let entries = added.map(entry)
      let positions = try await pieces.transact(isShort: false) { transaction in
        try entries.map { try transaction.append($0) }
      }
      let all = expected.map(\.position) + positions
      #expect(zip(all, all.dropFirst()).allSatisfy(<))
      expected += zip(positions, added).map { (position: $0, id: $1) }
    }

    func delete(at index: Int) async throws {
      let gone = expected.remove(at: index).position
      try await pieces.transact(isShort: true) { try $0.delete(gone) }
    }

    func replace(at index: Int, by id: Int) async throws {
      var changed = entry(of: id)
      changed.position = expected[index].position
      try await pieces.transact(isShort: true) { [changed] in try $0.replace(changed) }
      expected[index].id = id
    }

    /// A transaction that changes much, and fails.
    func refuse(_ added: Int) async throws {
      let (entries, gone) = ((0..<added).map { entry(of: $0 % ids.count) }, expected.last?.position)
      do {
        let _: Int = try await pieces.transact(isShort: false) { transaction in
          if let gone { try transaction.delete(gone) }
          for entry in entries { try transaction.append(entry) }
          throw Refusal()
        }
        Issue.record("It threw nothing.")
      } catch is Refusal {}
    }

    func reopen() async throws {
      await pieces.database.close()
      pieces = try SQLiteRepository<Piece>(SQLiteDatabase(path: folder.path()))
    }

    func check(_ step: String) async throws {
      // In this order, because what the app's SQL has done to the count is put right by a transaction.
      let (written, read) = (
        try await pieces.transact(isShort: false) { [ids] in try Self.state($0, ids) },
        try await pieces.look(isShort: false) { [ids] in try Self.state($0, ids) }
      )
      let positions = ids.map { id in expected.filter { $0.id == id }.map(\.position) }
      let ends = positions.map { all in all.first.flatMap { first in all.last.map { first...$0 } } }
      for found in [read, written] {
        #expect(found.ofInstances == positions, "\(step)")
        #expect(found.ends == ends, "\(step)")
        #expect(found.lasts == positions.map(\.last), "\(step)")
        #expect(found.pending == expected.map(\.position), "\(step)")
        #expect(
          found.count == OutboxCount(pending: expected.count, parked: 0, oldest: found.count.oldest)
        )
        #expect(found.isEmpty == expected.isEmpty, "\(step)")
      }
    }

    private struct State: Sendable {
      let ofInstances: [[Int64]]
      let ends: [ClosedRange<Int64>?]
      let lasts: [Int64?]
      let pending: [Int64]
      let count: OutboxCount
      let isEmpty: Bool
    }

    private static func state(
      _ transaction: any OutboxTransaction<Piece>, _ ids: Range<Int>
    ) throws -> State {
      State(
        ofInstances: try ids.map { try transaction.records(of: "\($0)").map(\.position) },
        ends: try ids.map { try transaction.entries.ends(of: .init(queue: "piece", key: "\($0)")) },
        lasts: try ids.map { try transaction.last(of: "\($0)")?.row?.position },
        pending: try transaction.entries.pending(after: .min, limit: 10_000).map(\.position),
        count: try transaction.entries.count(), isEmpty: try transaction.isEmpty)
    }

    func indexed() async throws -> [Criteria.Scalar] {
      try await pieces.database.read { access in
        try access.rows(
          """
          SELECT (SELECT count(*) FROM evocation_entries WHERE lookup IS NOT NULL), indexed FROM \
          evocation_outbox
          """
        ).flatMap(\.values)
      }
    }
  }

  @Test func `Entries come into the file's index many at a time`() async throws {
    let bed = try Bed(ids: 0..<10)
    try await bed.append((1..<EntryIndex.batch).map { $0 % 10 })
    #expect(try await bed.indexed() == [.integer(0), .integer(0)])
    try await bed.append([3])
    let batch = Int64(EntryIndex.batch)
    #expect(try await bed.indexed() == [.integer(batch), .integer(batch)])
    try await bed.append([3, 4])
    #expect(try await bed.indexed() == [.integer(batch), .integer(batch)])
    try await bed.check("more than a batch")
    try await bed.reopen()
    try await bed.check("opened again")
    // More than is known at once are added in one transaction.
    try await bed.append((0..<2_500).map { $0 % 10 })
    #expect(try await bed.indexed() == [.integer(3 * batch), .integer(3 * batch)])
    try await bed.check("several batches")
    for index in [0, 1_022, 1_030, bed.expected.count - 9] { try await bed.delete(at: index) }
    try await bed.check("fewer")
    #expect(try await bed.indexed() == [.integer(3 * batch - 3), .integer(3 * batch - 3)])
  }

  @Test func `Entries of an instance are found wherever they stand, and each once`() async throws {
    var random = Trials.random("keys")
    let bed = try Bed(ids: 0..<5)
    try await bed.append((0..<1_000).map { $0 % 5 })
    for step in 0..<100 {
      let name = try await play(random.count(0...9), on: bed, &random)
      if step.isMultiple(of: 5) { try await bed.check("step \(step): \(name)") }
    }
    // They shrink to nothing, and there are some again.
    while !bed.expected.isEmpty {
      let gone = Array(bed.expected.suffix(500).map(\.position))
      try await bed.pieces.transact(isShort: false) { transaction in
        for position in gone { try transaction.delete(position) }
      }
      bed.expected.removeLast(gone.count)
      try await bed.check("shrinking")
    }
    try await bed.append([1, 1])
    try await bed.check("anew")
  }

  @Test func `An entry that gets another id is the last one of its instance`() async throws {
    let bed = try Bed(ids: 0..<3)
    try await bed.append([1, 2])
    try await bed.check("before")
    try await bed.replace(at: 1, by: 1)
    try await bed.check("after")
  }

  private func play(
    _ choice: Int, on bed: Bed, _ random: inout SeededGenerator
  ) async throws -> String {
    let index = random.count(0...(bed.expected.count - 1))
    switch choice {
    case 0...2:
      try await bed.append((0..<random.count(1...60)).map { $0 % 5 })
      return "append"
    case 3:
      try await bed.delete(at: index)
      return "delete"
    case 4:
      try await bed.delete(at: bed.expected.count - 1)
      return "delete the last"
    case 5:
      try await bed.replace(at: index, by: random.count(0...4))
      return "replace"
    case 6:
      // It is the last one of its new instance, which had another.
      try await bed.replace(at: bed.expected.count - 1, by: random.count(0...4))
      return "replace the last"
    case 7:
      try await bed.refuse(random.chance(50) ? 3 : 1_100)
      return "refuse"
    case 8:
      try await bed.reopen()
      return "open again"
    default:
      let gone = bed.expected.remove(at: index).position
      try await bed.pieces.database.write { access in
        try access.execute("DELETE FROM evocation_entries WHERE position = ?", [Int(gone)])
      }
      return "raw SQL"
    }
  }

  @Test func `What another process writes between is found, and positions are given once`()
    async throws
  {
    let bed = try Bed(ids: 0..<5)
    let other = try SQLiteRepository<Piece>(SQLiteDatabase(path: bed.folder.path()))
    let own = bed.pieces
    for round in 0..<8 {
      bed.pieces = round.isMultiple(of: 2) ? own : other
      try await bed.append((0..<330).map { $0 % 5 })
      try await bed.replace(at: bed.expected.count - 7, by: 0)
      try await bed.delete(at: bed.expected.count - 1)
      for pieces in [own, other] where round.isMultiple(of: 2) == (pieces === other) {
        bed.pieces = pieces
        try await bed.check("round \(round)")
      }
    }
    await other.database.close()
  }

  @Test func `What could not be sent before is searched again, where it may be sent now`()
    async throws
  {
    let bed = try Bed(ids: 0..<5)
    try await bed.append([0, 1, 2])
    let pieces = bed.pieces
    func searched() async throws -> Int64 {
      try await pieces.transact(isShort: true) { $0.entries.searched }
    }
    func setSearched() async throws {
      try await pieces.transact(isShort: true) { $0.entries.searched = 3 }
      #expect(try await searched() == 3)
    }
    try await setSearched()
    try await bed.append([3])
    #expect(try await searched() == 3)
    // Of a transaction that is not kept nothing is known.
    try await bed.refuse(1)
    #expect(try await searched() < 3)
    try await setSearched()
    try await pieces.database.write { try $0.execute("UPDATE evocation_entries SET attempts = 1") }
    #expect(try await searched() == .min)
    try await setSearched()
    let other = try SQLiteRepository<Piece>(SQLiteDatabase(path: bed.folder.path()))
    try await other.transact(isShort: true) { try $0.delete(2) }
    #expect(try await searched() == .min)
    await other.database.close()
  }
}
