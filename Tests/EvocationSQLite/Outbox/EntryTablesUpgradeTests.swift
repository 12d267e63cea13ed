import CEvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

import enum Fixtures.Databases

@testable import Evocation
@testable import EvocationSQLite
@testable import SQLiteSupport

/// What becomes of a file whose entries lie in tables of their own for each model, as they did in format 1.
@Suite(.patient) struct EntryTablesUpgradeTests {
  private struct BadSQL: Error { let message: String }

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  /// Writes a file of format 1, changed by some more SQL.
  private func write(
    _ sql: String = "", _ change: (String) -> String = { $0 }
  ) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw BadSQL(message: "opening") }
    defer { sqlite3_close(handle) }
    guard
      sqlite3_exec(handle, change(try Databases.outbox(format: 1)) + sql, nil, nil, nil)
        == SQLITE_OK
    else { throw BadSQL(message: String(cString: sqlite3_errmsg(handle))) }
  }

  private func records<Model>(
    _ repository: SQLiteRepository<Model>
  ) async throws -> [OutboxRecord<Model>] {
    try await repository.look(isShort: false) { try $0.records(after: .min, limit: 1_000) }
  }

  private func tables(_ database: SQLiteDatabase) async throws -> [String] {
    try await database.read { access in
      try access.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'evocation_*' ORDER BY name")
        .compactMap { if case .text(let name)? = $0["name"] { name } else { nil } }
    }
  }

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  @Test func `Entries are there in the order in which they were queued, each as it was`()
    async throws
  {
    try write()
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    let cars = try SQLiteRepository<Car>(database, table: "Car")
    #expect(pieces.heldEntries && cars.heldEntries)
    let order = try await database.read { access in
      try access.rows(
        """
        SELECT name || ' ' || key AS entry FROM evocation_entries JOIN evocation_queues ON number = queue \
        ORDER BY position
        """
      ).compactMap { if case .text(let text)? = $0["entry"] { text } else { nil } }
    }
    #expect(
      order.prefix(10) == [
        "car 1", "piece 1", "piece 2", "car 2", "car 3", "piece 3", "piece 4", "piece 2", "piece 6",
        "piece 7",
      ])
    #expect(Array(order.dropFirst(10)) == (8...20).map { "piece \($0)" } + ["car 4"])

    let found = try await records(pieces)
    let entries = found.compactMap(\.entry)
    #expect(
      entries.prefix(5).map(\.model) == [
        Piece(id: 1, name: "one"), Piece(id: 2, name: "new", size: 1, owner: 1),
        Piece(id: 3, name: "three"), Piece(id: 4, name: "four"),
        Piece(id: 2, name: "newer", size: 1, owner: 1),
      ])
    #expect(
      entries.prefix(5).map(\.base) == [
        nil, Piece(id: 2, name: "old", size: .infinity), nil, Piece(id: 4, name: "four"), nil,
      ])
    #expect(entries.prefix(5).map(\.seen) == entries.prefix(5).map(\.base))
    #expect(entries.prefix(5).map(\.kind) == [.store, .update, .storeOrUpdate, .remove, .update])
    #expect(
      entries.prefix(5).map(\.state) == [
        .pending, .waiting(until: date(2_000), reason: "busy"), .parked(.conflict, reason: "no"),
        .pending, .pending,
      ])
    #expect(entries.prefix(5).map(\.attempts) == [0, 2, 1, 0, 0])
    #expect(entries.prefix(5).map(\.wasAttempted) == [false, true, false, true, false])
    #expect(entries.prefix(5).map(\.queuedAt) == [10, 20, 30, 40, 50].map(date))
    #expect(entries[0].id == "B8C7643C-798E-4F43-A0BB-5B2117089917")
    let owner = Outbox.Reference(queue: "car", key: "1")
    let one = Outbox.Reference(queue: "piece", key: "1")
    #expect(
      entries.prefix(5).map { Set($0.references) } == [[], [owner, one], [], [], [owner, one]])
    #expect(entries.allSatisfy { $0.formerReferences.isEmpty && $0.version == nil })
    #expect(entries.dropFirst(5).map(\.model.id) == Array(8...20))
    let unreadable = found.compactMap { if case .unreadable(let entry) = $0 { entry } else { nil } }
    #expect(unreadable.map { String(decoding: $0.json, as: UTF8.self) } == [#"{"was":1}"#, "{"])
    #expect(
      unreadable[0].reason
        == "Reading an entry of Piece failed: \"id\" of its model is missing, or a part of it.")
    let carEntries = try await records(cars).compactMap(\.entry)
    #expect(carEntries.map(\.model.name) == ["a", "b2", "c", "d"])
    #expect(carEntries[1].base == Car(id: 2, name: "b"))
    try await pieces.look(isShort: false) { transaction in
      let entries = transaction.entries
      let (isHeld, lease, count) = (try entries.isHeld, try entries.lease, try entries.count())
      #expect(isHeld && lease == nil)
      #expect(
        count
          == OutboxCount(pending: 22, parked: 2, oldest: Date(timeIntervalSinceReferenceDate: 5)))
      let referring = try transaction.records(referringTo: owner).count
      #expect(referring == 2)
      let due = try entries.due(by: .distantFuture, limit: 9).map(\.instance.key)
      #expect(due == ["2"])
    }
    await database.close()
  }

  @Test func `It is done once, and nothing of the former tables is left`() async throws {
    try write()
    let database = try SQLiteDatabase(path: path)
    #expect(
      try await tables(database) == [
        "evocation_columns", "evocation_entries", "evocation_entries_lookup",
        "evocation_entries_state", "evocation_format", "evocation_outbox", "evocation_queues",
        "evocation_references", "evocation_references_position", "evocation_renamings",
        "evocation_renamings_key", "evocation_services", "evocation_versions",
      ])
    #expect(
      try await database.check() == [
        "evocation_entries: 1 row is invalid; other SQL has changed the table"
      ])
    await database.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let again = try SQLiteDatabase(path: path)
    await again.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `Of several that open it at once, one does it`() async throws {
    try write()
    let path = path
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let database = try SQLiteDatabase(path: path)
          let pieces = try SQLiteRepository<Piece>(database)
          let count = try await pieces.look(isShort: false) {
            try $0.records(after: .min, limit: 1_000).count
          }
          await database.close()
          return count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [20, 20, 20, 20])
  }

  @Test func `Writes and sending go on`() async throws {
    try write()
    let database = try SQLiteDatabase(path: path)
    let (pieces, cars) = (IdempotentService<Piece>(), IdempotentService<Car>())
    for piece in [Piece(id: 2, name: "old", size: .infinity), Piece(id: 4, name: "four")] {
      _ = try await pieces.storeOne(piece)
    }
    _ = try await cars.storeOne(Car(id: 2, name: "b"))
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(date: date(1_000)), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Piece.self).repository(remote: pieces)
      .repository(local: try SQLiteRepository<Piece>(database)).strategy(.offlineFirst)
      .sends(after: Car.self, by: \.owner)
    evocation.register(for: Car.self).repository(remote: cars)
      .repository(local: try SQLiteRepository<Car>(database, table: "Car")).strategy(.offlineFirst)
    let rule = Strategy.Rule(target: .local, synchronize: .outbox)
    #expect(await evocation.storeOne(Piece(id: 30, name: "last"), rule: rule).isPending)
    #expect(await evocation.updateOne(Piece(id: 20, name: "changed"), rule: rule).isPending)
    // It waits for a sign-in still.
    #expect(await evocation.outbox.flush().sent == 0)
    evocation.outbox.resume()
    let result = await evocation.outbox.flush()
    #expect(result.left == 0)
    #expect(result.parked == 3)
    let names = try await pieces.find(Criteria()).value.sorted { $0.id < $1.id }.map(\.name)
    #expect(
      names == ["one", "newer"] + (8...19).map { "p\($0)" } + ["changed", "last"])
    #expect(try await cars.find(Criteria()).value.map(\.name).sorted() == ["a", "b2", "c", "d"])
    #expect(try await evocation.outbox.unreadableEntries().map(\.kind) == [.store, .store])
    await database.close()
  }

  @Test func `A hundred thousand entries move, and are found`() async throws {
    try write(
      """
      INSERT INTO evocation_queue_piece (key, id, kind, state, attempts, wasAttempted, queuedAt, model, refs) \
      WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100999) \
      SELECT n / 2, 'id ' || n, 'update', 'pending', 0, 0, n, '{"id":' || (n / 2) || ',"name":"' || n || '"}', \
      CASE WHEN n % 10 = 0 THEN '[{"queue":"car","key":"1"}]' END FROM numbers
      """)
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    try await pieces.look(isShort: false) { transaction in
      let count = try transaction.entries.count()
      #expect(count.pending == 100_022)
      for id in [500, 25_000, 50_499] {
        let names = try transaction.records(of: "\(id)").compactMap { $0.entry?.model.name }
        #expect(names == ["\(2 * id)", "\(2 * id + 1)"])
      }
      let referring = try transaction.records(referringTo: .init(queue: "car", key: "1")).count
      #expect(referring == 10_002)
    }
    let position = try await pieces.transact(isShort: true) { transaction in
      try transaction.append(
        .init(id: "x", kind: .store, model: Piece(id: 1, name: ""), base: nil, queuedAt: Date()))
    }
    #expect(position == 100_025)
    await database.close()
  }

  @Test func `Where it fails, the file stays as it was`() async throws {
    // A view of the name, into which nothing can be written.
    try write("CREATE VIEW evocation_entries AS SELECT 1 AS position")
    #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    try write("DROP VIEW evocation_entries", { _ in "" })
    let database = try SQLiteDatabase(path: path)
    #expect(try await records(SQLiteRepository<Piece>(database)).count == 20)
    await database.close()
  }

  @Test func `A view or trigger of the app that has a fault is no hindrance`() async throws {
    try write("CREATE VIEW faulty AS SELECT * FROM missing")
    let database = try SQLiteDatabase(path: path)
    #expect(try await records(SQLiteRepository<Piece>(database)).count == 20)
    await database.close()
  }

  private static let columns = [
    "key", "id", "kind", "state", "until", "failure", "reason", "attempts", "wasAttempted",
    "queuedAt", "refs", "model", "base",
  ]
  private static let values = ["NULL", "x'00ff'", "''", "'x'", "-1", "9e999", "'[{}]'"]

  @Test(arguments: columns)
  func `Whatever a column holds, the other entries move`(column: String) async throws {
    for value in Self.values {
      for table in ["evocation_queue_piece", "evocation_queue_car"] {
        try? FileManager.default.removeItem(atPath: path)
        try write(
          "UPDATE \(table) SET \(column) = \(value) WHERE position = 1",
          { $0.replacingOccurrences(of: " NOT NULL", with: "") })
        let database = try SQLiteDatabase(path: path)
        let found = try await records(SQLiteRepository<Piece>(database))
        #expect(found.count == 20, "\(column) = \(value)")
        #expect(found.compactMap(\.entry).count >= 17, "\(column) = \(value)")
        let cars = try await records(SQLiteRepository<Car>(database, table: "Car"))
        #expect(cars.count == 4, "\(column) = \(value)")
        #expect(cars.compactMap(\.entry).count >= 3, "\(column) = \(value)")
        await database.close()
      }
    }
  }
}
