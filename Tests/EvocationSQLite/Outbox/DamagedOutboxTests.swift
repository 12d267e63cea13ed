import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationCalls
@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// Files in whose tables of the outbox something else lies than was written.
@Suite(.patient) struct DamagedOutboxTests {
  /// A column, and how many rows get a wrong value.
  struct Column: Sendable, CustomTestStringConvertible {
    let table: String
    let name: String

    var testDescription: String { "\(table).\(name)" }
  }

  private static let columns = [
    "entries": [
      "position", "queue", "key", "id", "kind", "queuedAt", "model", "base", "version", "seen",
      "state", "until", "since", "failure", "reason", "attempts", "flags", "lookup", "unit",
    ],
    "outbox": ["id", "version", "isHeld", "holder", "until", "length", "indexed"],
    "references": ["queue", "key", "position", "isFormer"],
    "renamings": ["queue", "former", "key", "identity"], "queues": ["number", "name"],
    "versions": ["queue", "key", "version"],
  ].flatMap { table, names in names.map { Column(table: "evocation_\(table)", name: $0) } }
    .sorted { $0.testDescription < $1.testDescription }

  private static let values = [
    "NULL", "0", "-1", "7", "\(Int64.max)", "\(Int64.max / 2)", "\(Int64.min)", "9e999", "0.5",
    "'x'",
    "''", "x'00'",
  ]

  private let folder: TemporaryFolder
  private let clock = ManualClock(date: Date(timeIntervalSinceReferenceDate: 700_000_000))
  private let rule = Strategy.Rule(target: .local, synchronize: .outbox)

  init() throws { folder = try TemporaryFolder() }

  private func evocation(
    _ database: SQLiteDatabase, _ pieces: IdempotentService<Piece>,
    _ keepers: IdempotentService<Keeper>
  ) throws -> Evocation {
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Piece.self).repository(remote: pieces)
      .repository(local: try SQLiteRepository<Piece>(database)).strategy(.offlineFirst)
      .sends(after: Keeper.self, by: \.owner)
    evocation.register(for: Keeper.self).repository(remote: keepers)
      .repository(local: try SQLiteRepository<Keeper>(database)).strategy(.offlineFirst)
    return evocation
  }

  /// A file with something in each table and nearly each column; the first entry is piece 21's.
  private func makeFile() async throws -> String {
    let path = folder.path("whole.sqlite")
    let database = try SQLiteDatabase(path: path)
    let (pieces, keepers) = (IdempotentService<Piece>(), IdempotentService<Keeper>())
    let evocation = try evocation(database, pieces, keepers)
    for id in 21...24 { _ = await evocation.storeOne(Piece(id: id, name: "a"), rule: rule) }
    for id in 31...33 { _ = await evocation.storeOne(Keeper(id: id, name: "k"), rule: rule) }
    for id in 41...43 {
      _ = await evocation.storeOne(Piece(id: id, name: "a", owner: id - 10), rule: rule)
    }
    for id in 25...29 { _ = await evocation.storeOne(Piece(id: id, name: "a"), rule: rule) }
    let local = try SQLiteRepository<Piece>(database)
    try await local.transact(isShort: true) { transaction in
      let entries = transaction.entries
      try entries.record(
        OutboxRenaming(key: "60", identity: Data(#"{"id":60}"#.utf8)),
        of: .init(queue: "piece", key: "-60"))
      try transaction.setVersion("3", of: Piece(id: 21, name: ""))
      try entries.setLease(
        OutboxLease(
          holder: "gone", until: Date(timeIntervalSinceReferenceDate: 600_000_000),
          length: .seconds(15)))
      guard var waiting = try transaction.records(of: "28").first?.entry,
        var parked = try transaction.records(of: "29").first?.entry
      else { return }
      waiting.state = .waiting(until: Date(timeIntervalSinceReferenceDate: 1), reason: "busy")
      waiting.waitsSince = Date(timeIntervalSinceReferenceDate: 0)
      parked.state = .parked(.permanent, reason: "no")
      try transaction.setState(of: waiting)
      try transaction.setState(of: parked)
    }
    // The first six come into the file's index, as if they were as many as it takes.
    try await database.write { access in
      for (key, queue) in [("21", 1), ("22", 1), ("23", 1), ("24", 1), ("31", 2), ("32", 2)] {
        let instance = Outbox.Reference(queue: queue == 1 ? "piece" : "keeper", key: key)
        try access.execute(
          "UPDATE evocation_entries SET lookup = ? WHERE key = ? AND queue = ?",
          [Int(instance.lookup(Int64(queue))), key, queue])
      }
      try access.execute("UPDATE evocation_outbox SET indexed = 6")
    }
    await database.close()
    return path
  }

  @Test(arguments: columns)
  func `Nothing spins, and what is whole is sent`(column: Column) async throws {
    let whole = try await makeFile()
    for value in Self.values {
      for isOne in [true, false] {
        try await damage(column, value, isOne, whole)
      }
    }
  }

  private func damage(
    _ column: Column, _ value: String, _ isOne: Bool, _ whole: String
  ) async throws {
    let comment: Comment = "\(column.testDescription) = \(value), one: \(isOne)"
    let path = folder.path("damaged.sqlite")
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    try FileManager.default.copyItem(atPath: whole, toPath: path)
    let change =
      "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)"
      + (isOne ? " WHERE \(Self.first(of: column.table))" : "")
    let damaging = try SQLiteDatabase(path: path)
    do {
      try await damaging.write { _ = try $0.execute(change) }
    } catch is SQLiteError {
      // The table takes no such value.
      return await damaging.close()
    }
    await damaging.close()

    let database: SQLiteDatabase
    do {
      database = try SQLiteDatabase(path: path)
    } catch let error as SQLiteError where error.code == .newerSchema {
      return
    }
    let (pieces, keepers) = (IdempotentService<Piece>(), IdempotentService<Keeper>())
    let evocation = try evocation(database, pieces, keepers)
    #expect(await evocation.storeOne(Piece(id: 99, name: "z"), rule: rule).error == nil, comment)
    for _ in 0..<2 { await evocation.outbox.flush() }
    let sent = Set(
      try await pieces.find(Criteria()).value.map(\.id)
        + keepers.find(Criteria()).value.map(\.id))
    #expect(sent.isSuperset(of: Self.expected(column, isOne: isOne)), comment)
    #expect(sent.contains(99), comment)

    for entry in try await evocation.outbox.unreadableEntries() {
      try await evocation.outbox.discard(entry)
    }
    _ = try await evocation.outbox.entries(of: Piece.self)
    let status = try await evocation.outbox.status()
    let rows = try await database.read {
      try $0.rows("SELECT count(*) AS count FROM evocation_entries")[0]["count"]
    }
    #expect(rows == .integer(Int64(status.pending + status.parked)), comment)
    // It may name the rows, and finds nothing else.
    #expect(try await database.check().allSatisfy { $0.hasPrefix("evocation_") }, comment)
    await database.close()
  }

  /// Chooses one row of a table.
  private static func first(of table: String) -> String {
    switch table {
    case "evocation_entries": "key = '21'"
    case "evocation_queues": "name = 'piece'"
    case "evocation_references": "key = '31'"
    default: "true"
    }
  }

  /// What is sent all the same.
  private static func expected(_ column: Column, isOne: Bool) -> Set<Int> {
    switch column.table {
    case "evocation_entries" where column.name == "unit" && isOne:
      Set(21...28).union(31...33).union(41...43)
    case "evocation_entries": isOne ? Set(22...28).union(31...33).union(41...43) : []
    case "evocation_queues": isOne ? Set(31...33) : []
    // An entry may wait for what it does not refer to.
    case "evocation_references": Set(21...28).union(31...33)
    default: Set(21...28).union(31...33).union(41...43)
    }
  }
}
