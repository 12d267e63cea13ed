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

/// What lies in the file, and what is made of a file in which something else lies.
@Suite(.patient) struct OutboxFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let database: SQLiteDatabase
  private let pieces: SQLiteRepository<Piece>
  private let note = OutboxNote<Piece>(queuedAt: Date(timeIntervalSinceReferenceDate: 5)) { piece in
    piece.owner.map { [Outbox.Reference(queue: "owner", key: "\($0)")] } ?? []
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
    database = try SQLiteDatabase(path: path)
    pieces = try SQLiteRepository<Piece>(database)
  }

  private func queue(_ action: StoreWrite<Piece>.Change) async throws {
    try await pieces.commit(StoreWrite([action], outbox: note))
  }

  private func records() async throws -> [OutboxRecord<Piece>] {
    try await pieces.look(isShort: true) {
      try $0.records(after: .min, limit: 100)
    }
  }

  private func pending() async throws -> [Int64] {
    try await pieces.look(isShort: true) {
      try $0.entries.pending(after: .min, limit: 100).map(\.position)
    }
  }

  private func rows(_ sql: String) async throws -> [[Criteria.Scalar]] {
    try await database.read { try $0.rows(sql).map(\.values) }
  }

  private let tables = """
    SELECT sql FROM sqlite_schema WHERE (tbl_name LIKE 'evocation_outbox%' OR tbl_name IN \
    ('evocation_entries', 'evocation_queues', 'evocation_references', 'evocation_renamings', \
    'evocation_versions')) AND sql IS NOT NULL ORDER BY name
    """

  private static let definitions = [
    """
    CREATE TABLE evocation_entries (position INTEGER PRIMARY KEY, queue INTEGER NOT NULL, key TEXT NOT \
    NULL, id TEXT NOT NULL, kind INTEGER NOT NULL, queuedAt REAL NOT NULL, model TEXT NOT NULL, base \
    TEXT, version TEXT, seen TEXT, state INTEGER, until REAL, since REAL, failure TEXT, reason TEXT, \
    attempts INTEGER, flags INTEGER, unit INTEGER, lookup INTEGER, words TEXT)
    """,
    """
    CREATE INDEX evocation_entries_lookup ON evocation_entries (lookup) WHERE lookup IS NOT NULL
    """,
    """
    CREATE INDEX evocation_entries_state ON evocation_entries (state, until) WHERE state IS NOT NULL
    """,
    """
    CREATE TABLE evocation_outbox (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, isHeld INTEGER \
    NOT NULL, holder TEXT, until REAL, length REAL, indexed INTEGER NOT NULL)
    """,
    "CREATE TABLE evocation_queues (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE evocation_references (queue TEXT NOT NULL, key TEXT NOT NULL, position INTEGER NOT \
    NULL, isFormer INTEGER NOT NULL, PRIMARY KEY (queue, key, position, isFormer)) WITHOUT ROWID
    """,
    "CREATE INDEX evocation_references_position ON evocation_references (position)",
    """
    CREATE TABLE evocation_renamings (queue TEXT NOT NULL, former TEXT NOT NULL, key TEXT NOT NULL, \
    identity TEXT NOT NULL, PRIMARY KEY (queue, former)) WITHOUT ROWID
    """,
    "CREATE INDEX evocation_renamings_key ON evocation_renamings (queue, key)",
    """
    CREATE TABLE evocation_versions (queue TEXT NOT NULL, key TEXT NOT NULL, version TEXT NOT NULL, \
    PRIMARY KEY (queue, key)) WITHOUT ROWID
    """,
  ]

  @Test func `Before the first entry there is nothing, and the tables have their layout`()
    async throws
  {
    try await pieces.commit(StoreWrite([.mirror([], for: Criteria())], source: .remote))
    try await pieces.commit(StoreWrite([.storeOrUpdate([Piece(id: 9, name: "")])], source: .cache))
    try await pieces.look(isShort: true) { transaction in
      let (isEmpty, count, isHeld) = (
        try transaction.isEmpty, try transaction.entries.count(), try transaction.entries.isHeld
      )
      #expect(isEmpty && count == OutboxCount() && !isHeld)
      let lease = try transaction.entries.lease
      #expect(lease == nil)
      let (unsent, records) = (
        try transaction.unsent(matching: Criteria()), try transaction.records(of: "1")
      )
      #expect(unsent.isEmpty && records.isEmpty)
    }
    try await pieces.transact(isShort: true) { try $0.entries.reviveUnreadable() }
    try await queue(.store([Piece(id: 1, name: "a")]))
    let definitions = try await rows(tables).map(\.[0])
    #expect(definitions == Self.definitions.map { .text($0) })
    #expect(
      try await rows("SELECT * FROM evocation_outbox") == [
        [.integer(1), .integer(2), .integer(0), .null, .null, .null, .integer(0)]
      ])
  }

  @Test func `An entry is a row with its models as JSON, and one for each reference`() async throws
  {
    try await pieces.store([Piece(id: 2, name: "old", size: .infinity)])
    try await pieces.transact(isShort: true) {
      try $0.setVersion("\"7\"", of: Piece(id: 2, name: ""))
    }
    try await queue(.update([Piece(id: 2, name: "new", owner: 7)]))
    let entry = try #require(try await records().first?.entry)
    #expect(
      try await rows(
        """
        SELECT position, name, key, id, kind, queuedAt, version, seen, state, until, since, failure, \
        reason, attempts, flags, lookup FROM evocation_entries JOIN evocation_queues ON queue = number
        """) == [
          [
            .integer(1), .text("piece"), .text("2"), .text(entry.id), .integer(1), .real(5),
            .text("\"7\""), .null, .null, .null, .null, .null, .null, .integer(0), .integer(2),
            .null,
          ]
        ])
    // The order of keys in JSON is not fixed.
    #expect(
      try await rows(
        """
        SELECT json_extract(model, '$.id', '$.name', '$.size', '$.owner'), json_extract(base, '$.id', \
        '$.name', '$.size', '$.owner') FROM evocation_entries
        """) == [[.text(#"[2,"new",null,7]"#), .text(#"[2,"old","inf",null]"#)]])
    let references = "SELECT * FROM evocation_references"
    #expect(
      try await rows(references) == [[.text("owner"), .text("7"), .integer(1), .integer(0)]])
    try await pieces.transact(isShort: true) { transaction in
      var entry = entry
      entry.state = .waiting(until: Date(timeIntervalSinceReferenceDate: 9), reason: "busy")
      entry.waitsSince = Date(timeIntervalSinceReferenceDate: 8)
      (entry.attempts, entry.wasAttempted) = (3, true)
      try transaction.setState(of: entry)
    }
    let state = """
      SELECT state, until, since, failure, reason, attempts, flags FROM evocation_entries
      """
    #expect(
      try await rows(state) == [
        [.integer(1), .real(9), .real(8), .null, .text("busy"), .integer(3), .integer(3)]
      ])
    // What the remote has said since is another column than what the write was made on.
    try await pieces.commit(
      StoreWrite([.storeOrUpdate([Piece(id: 2, name: "theirs")])], source: .remote))
    #expect(
      try await rows(
        "SELECT json_extract(base, '$.name'), json_extract(seen, '$.name') FROM evocation_entries")
        == [[.text("old"), .text("theirs")]])
    try await pieces.transact(isShort: true) { transaction in
      var entry = entry
      entry.state = .parked(.authorization, reason: "no")
      try transaction.setState(of: entry)
      try transaction.entries.setHeld(true)
      try transaction.entries.setLease(
        OutboxLease(
          holder: "me", until: Date(timeIntervalSinceReferenceDate: 8), length: .seconds(15)))
    }
    #expect(
      try await rows("SELECT state, until, since, failure, reason FROM evocation_entries") == [
        [.integer(2), .null, .null, .text("authorization"), .text("no")]
      ])
    #expect(
      try await rows("SELECT * FROM evocation_outbox") == [
        [
          .integer(1), .integer(2), .integer(1), .text("me"), .real(8), .real(15), .integer(0),
        ]
      ])
    try await pieces.transact(isShort: true) { try $0.delete(1) }
    #expect(try await rows(references).isEmpty)
  }

  @Test func `An outbox of a newer version is refused, and its file is left as it is`()
    async throws
  {
    try await queue(.store([Piece(id: 1, name: "a")]))
    let sentence =
      "Opening the database in \"\(path)\" failed: its outbox has the format 3, and this "
      + "version of the library reads formats up to 2; update the app."
    // A newer version of the app has written it meanwhile, in a process of its own.
    try await database.write { _ = try $0.execute("UPDATE evocation_outbox SET version = 3") }
    let others = try SQLiteRepository<Car>(database)
    let error = await #expect(throws: SQLiteError.self) {
      try await others.commit(
        StoreWrite([.store([Car(id: 1, name: "a")])], outbox: OutboxNote(queuedAt: Date())))
    }
    #expect(error?.description == sentence)
    #expect(try await others.find(Criteria()).value.isEmpty)
    await database.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let refusal = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(refusal?.code == .newerSchema)
    #expect(refusal?.description == sentence)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  private static let faults: [(change: String, reason: String)] = [
    ("model = substr(model, 1, 9)", "its model is not JSON"),
    ("model = ''", "its model is not JSON"),
    ("model = x'00ff'", "its model is not text"),
    ("model = '[1]'", "its model is of another type"),
    ("model = '{\"id\":1}'", "\"name\" of its model is missing, or a part of it is"),
    ("model = '{\"id\":1,\"name\":7}'", "\"name\" of its model is of another type"),
    ("model = '{\"id\":1,\"name\":null}'", "\"name\" of its model has no value"),
    ("model = '{\"id\":2,\"name\":\"b\"}'", "its model has another id than the entry"),
    ("base = '{'", "its base is not JSON"),
    ("base = 5", "its base is of another type"),
    ("kind = 'patch'", "this version does not know its operation"),
    ("kind = x'00'", "this version does not know its operation"),
    ("kind = -1", "this version does not know its operation"),
    ("state = 'asleep'", "this version does not know its state"),
    ("state = -1", "this version does not know its state"),
    ("state = 0.5", "this version does not know its state"),
    ("state = 7", "this version does not know its state"),
    ("state = 1", "the time until which it waits is not a date"),
    ("state = 1, until = 9e999", "the time until which it waits is not a date"),
    ("state = 1, until = 'noon'", "the time until which it waits is not a date"),
    ("state = 2, failure = 'moody'", "this version does not know why it is parked"),
    ("attempts = -1", "its attempts are not a count"),
    ("attempts = 'many'", "its attempts are not a count"),
    ("flags = 'all'", "one of its numbers is not a number"),
    ("key = '3'", "its model has another id than the entry"),
    ("queuedAt = 1e300", "its date is not a date"),
    ("queuedAt = 'today'", "its date is not a date"),
    ("id = x'01'", "its id is not text"),
    ("flags = 4, seen = '{'", "its base is not JSON"),
  ]

  @Test(arguments: faults.indices)
  func `What cannot be an entry is told as such, and keeps nobody from the others`(
    index: Int
  ) async throws {
    let fault = Self.faults[index]
    try await pieces.store([Piece(id: 1, name: "")])
    try await queue(.update([Piece(id: 1, name: "a")]))
    try await queue(.store([Piece(id: 2, name: "b")]))
    try await database.write {
      _ = try $0.execute("UPDATE evocation_entries SET \(fault.change) WHERE position = 1")
    }
    let found = try await records()
    guard case .unreadable(let entry)? = found.first else {
      Issue.record("\(fault.change) was read as an entry")
      return
    }
    let reason = "Reading an entry of Piece failed: \(fault.reason)."
    #expect(entry.reason == reason)
    #expect(entry.queue == "piece")
    #expect(found.last?.entry?.model == Piece(id: 2, name: "b"))
    let all = try await pieces.look(isShort: true) { try $0.entries.count() }
    #expect(all.pending + all.parked == 2)

    try await pieces.transact(isShort: true) { try $0.park(entry) }
    #expect(try await pending() == [2])
    let count = try await pieces.look(isShort: true) { try $0.entries.count() }
    #expect((count.pending, count.parked) == (1, 1))
    await database.close()

    let again = try SQLiteRepository<Piece>(SQLiteDatabase(path: path))
    try await again.transact(isShort: true) { transaction in
      guard case .unreadable(let kept)? = try transaction.record(at: 1) else {
        Issue.record("\(fault.change) was read as an entry once it was parked")
        return
      }
      #expect((kept.reason, kept.json, kept.id) == (reason, entry.json, entry.id))
      try transaction.entries.reviveUnreadable()
      #expect(try transaction.entries.count().parked == 0)
      try transaction.delete(1)
      #expect(try transaction.entries.count().pending == 1)
    }
  }

  @Test func `A payload that could not be decoded is sent once a version of the app can`()
    async throws
  {
    try await queue(.store([Piece(id: 1, name: "a")]))
    let model = #"{"id":1,"name":"a"}"#
    try await database.write {
      _ = try $0.execute("UPDATE evocation_entries SET model = '{}'")
    }
    guard case .unreadable(let entry)? = try await records().first else {
      Issue.record("it was read as an entry")
      return
    }
    #expect(entry.json == Data("{}".utf8))
    try await pieces.transact(isShort: true) { try $0.park(entry) }
    try await database.write {
      _ = try $0.execute("UPDATE evocation_entries SET model = ?", [model])
    }
    // It is not tried at each read, because an app's decoding may be slow, or have effects.
    #expect(try await records().first?.entry == nil)
    try await pieces.transact(isShort: true) { try $0.entries.reviveUnreadable() }
    #expect(try await records().first?.entry?.model == Piece(id: 1, name: "a"))
    #expect(try await pending() == [1])
  }

  @Test func `A model that the app's SQL has removed can still be acknowledged and discarded`()
    async throws
  {
    try await queue(.store([Piece(id: 1, name: "a"), Piece(id: 2, name: "b")]))
    try await database.write { _ = try $0.execute("DELETE FROM piece") }
    let entries = try await records().compactMap(\.entry)
    try await pieces.transact(isShort: true) { transaction in
      let outcome = try transaction.acknowledge(
        entries[0], answer: VersionedModel(Piece(id: 1, name: "theirs")), isRepeated: false)
      #expect(outcome != nil)
      #expect(try transaction.discard(id: entries[1].id, key: "2").count == 1)
      #expect(try transaction.isEmpty)
    }
    #expect(try await pieces.find(Criteria()).value.isEmpty)
  }

  @Test func `The row that concerns all entries is made again if the app's SQL has deleted it`()
    async throws
  {
    try await queue(.store([Piece(id: 2, name: "b")]))
    try await database.write { _ = try $0.execute("DELETE FROM evocation_outbox") }
    let lease = OutboxLease(
      holder: "me", until: Date(timeIntervalSinceReferenceDate: 8), length: .seconds(15))
    try await pieces.transact(isShort: true) { try $0.entries.setLease(lease) }
    #expect(try await pieces.look(isShort: true) { try $0.entries.lease } == lease)
    #expect(try await pieces.look(isShort: true) { try $0.entries.count().pending } == 1)
  }

  @Test func `A copy of the database has the entries`() async throws {
    try await queue(.store([Piece(id: 1, name: "a", owner: 2)]))
    let copy = folder.path("copy.sqlite")
    try await database.backup(to: copy)
    let copied = try SQLiteRepository<Piece>(SQLiteDatabase(path: copy))
    let entries = try await copied.look(isShort: true) { transaction in
      try transaction.records(referringTo: Outbox.Reference(queue: "owner", key: "2"))
    }
    #expect(entries.map(\.id) == (try await records().map(\.id)))
  }

  @Test(arguments: 0..<12)
  func `A write for which the disk has no room leaves neither a model nor an entry`(
    room: Int
  ) async throws {
    try await queue(.store([Piece(id: 1, name: "a")]))
    let pages = try await rows("PRAGMA page_count")[0][0]
    guard case .integer(let count) = pages else { return }
    try await database.write {
      _ = try $0.rows("PRAGMA max_page_count = \(Int(count) + room)")
    }
    let models = (2..<6).map {
      Piece(id: $0, name: String(repeating: "x", count: 5_000), owner: $0)
    }
    do {
      try await queue(.store(models))
    } catch let error as SQLiteError {
      #expect(error.code == .full)
    }
    let (ids, entries) = (
      try await pieces.find(Criteria()).value.map(\.id),
      try await records().compactMap { $0.entry?.model.id }
    )
    #expect(ids == entries)
    #expect(ids == [1] || ids == [1, 2, 3, 4, 5])
    try await database.write { _ = try $0.rows("PRAGMA max_page_count = 20000") }
    try await queue(.storeOrUpdate(models))
    #expect(try await pieces.find(Criteria()).value.count == 5)
    #expect(try await database.check().isEmpty)
  }

  @Test func `What is sent next is found without reading all entries`() async throws {
    try await queue(.store([Piece(id: 1, name: "a")]))
    func plan(_ sql: String) async throws -> [String] {
      try await database.write { access in
        try access.rows("EXPLAIN QUERY PLAN " + sql).compactMap {
          if case .text(let text)? = $0["detail"] { text } else { nil }
        }
      }
    }
    let states = "SEARCH evocation_entries USING COVERING INDEX evocation_entries_state"
    #expect(
      try await plan(EntryStore.countParked) == [
        "SCAN CONSTANT ROW", "SCALAR SUBQUERY 1", "\(states) (state>?)", "SCALAR SUBQUERY 2",
        "\(states) (state<?)", "SCALAR SUBQUERY 3", "\(states) (state>? AND state<?)",
      ])
    let pending = EntryStore.pending(isUtility: true).replacing("?", with: "1")
    #expect(
      try await plan("SELECT id FROM evocation_entries WHERE " + pending) == [
        "SEARCH evocation_entries USING INDEX evocation_entries_state (state=? AND until=? AND "
          + "rowid>? AND rowid<?)"
      ])
    // It is done at each start, and must not read what is not parked.
    #expect(
      try await plan(EntryStore.revive) == [
        "MULTI-INDEX OR", "INDEX 1",
        "SEARCH evocation_entries USING COVERING INDEX evocation_entries_state (state>?)",
        "INDEX 2",
        "SEARCH evocation_entries USING COVERING INDEX evocation_entries_state (state<?)",
        "INDEX 3", "\(states) (state>? AND state<?)",
      ])
  }
}
