import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// An app's way out of a queued write that its present version cannot decode.
@Suite(.patient) struct UnreadableEntriesTests {
  /// Refuses one name by an error of its own.
  private struct Fussy: Codable, Identifiable, Sendable {
    struct Refusal: Error {}

    var id: Int
    var name: String
    var fuel: Fuel

    init(id: Int) { (self.id, name, fuel) = (id, "", .petrol) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try container.decode(String.self, forKey: .name)
      fuel = try container.decode(Fuel.self, forKey: .fuel)
      if name == "refused" { throw Refusal() }
    }
  }

  private let rule = Strategy.Rule(target: .local, synchronize: .outbox)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `It is read as JSON and discarded, and what waited behind it is sent`() async throws {
    let remote = InMemoryRepository<Car>()
    let database = try SQLiteDatabase(path: folder.path())
    let evocation = Evocation()
    evocation.outbox.pause()
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Car>(database)).strategy(.remoteFirst)
    #expect(await evocation.storeOne(Car(id: 1, name: "1"), rule: rule).isPending)
    try await database.write {
      _ = try $0.execute("UPDATE evocation_entries SET model = '{\"was\":1}'")
    }
    #expect(await evocation.storeOrUpdate([Car(id: 1, name: "2")], rule: rule).isPending)

    let entry = try #require(try await evocation.outbox.unreadableEntries().first)
    #expect(entry.json == Data("{\"was\":1}".utf8))
    #expect((entry.kind, entry.queue) == (.store, "car"))

    evocation.outbox.resume()
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    while let status = await statuses.next(), status.parked == 0 || status.isSending {}
    #expect(try await remote.find(Criteria()).value.isEmpty)

    try await evocation.outbox.discard(entry)
    while let status = await statuses.next(), status.pending > 0 || status.isSending {}
    #expect(try await evocation.outbox.unreadableEntries().isEmpty)
    #expect(try await remote.find(Criteria()).value == [Car(id: 1, name: "2")])
    await #expect(throws: EvocationError.entryNotFound(id: entry.id)) {
      try await evocation.outbox.discard(entry)
    }
  }

  @Test func `It is mended as JSON and sent, before what waited behind it`() async throws {
    let remote = RepositoryMock<Car> { call in
      switch call {
      case .storeOne(let car), .updateOne(let car): [car]
      default: []
      }
    }
    let database = try SQLiteDatabase(path: folder.path())
    let local = try SQLiteRepository<Car>(database)
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(.remoteFirst)
    let result = await evocation.storeOne(Car(id: 1, name: "1"), rule: rule)
    try await database.write {
      _ = try $0.execute("UPDATE evocation_entries SET model = '{\"was\":1}'")
    }
    _ = await evocation.outbox.flush()
    let entry = try #require(try await evocation.outbox.unreadableEntries().first)
    // A list shows it as parked, which is told without decoding it.
    var states = evocation.outbox.syncStates(of: Car.self).makeAsyncIterator()
    #expect(await states.next()?[1] == .parked(reason: entry.reason))
    let other = try ModelJSON.data(Car(id: 2, name: "mended"))
    await #expect(throws: EvocationError.differentModel(model: "Car")) {
      try await evocation.outbox.resend(entry, as: other)
    }
    await #expect(throws: EvocationError.differentModel(model: "Car")) {
      try await evocation.outbox.resend(entry, as: Data("[]".utf8))
    }
    await #expect(throws: DecodingError.self) {
      try await evocation.outbox.resend(entry, as: entry.json)
    }
    try await evocation.outbox.resend(
      entry, as: try ModelJSON.data(Car(id: 1, name: "mended")))
    #expect(try await local.find(Criteria()).value == [Car(id: 1, name: "mended")])
    #expect(await evocation.updateOne(Car(id: 1, name: "later"), rule: rule).isPending)
    await #expect(throws: EvocationError.entryNotFound(id: entry.id)) {
      try await evocation.outbox.resend(entry, as: other)
    }
    #expect(await evocation.outbox.flush().left == 0)
    #expect(remote.calls.map { "\($0)" }.count == 1)
    #expect(await result.delivery?.value() == .delivered)
  }

  @Test(arguments: [
    ("NULL", "it has no model"),
    (
      #"'{"id":1,"name":"","fuel":"wood"}'"#,
      "\"fuel\" of its model has a value that it cannot have"
    ),
    (#"'{"id":1,"name":"refused","fuel":"petrol"}'"#, "its model refuses what it holds"),
  ])
  func `It says why it cannot be read, without what it holds`(
    model: String, reason: String
  ) async throws {
    func app() throws -> (Evocation, SQLiteDatabase) {
      let database = try SQLiteDatabase(path: folder.path())
      let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Fussy.self).repository(remote: InMemoryRepository<Fussy>())
        .repository(local: try SQLiteRepository<Fussy>(database)).strategy(.remoteFirst)
      return (evocation, database)
    }
    let (before, database) = try app()
    #expect(await before.storeOne(Fussy(id: 1), rule: rule).isPending)
    // The table takes no null; one that something else has made may.
    try await database.write { db in
      try db.execute("PRAGMA writable_schema = 1")
      try db.execute(
        """
        UPDATE sqlite_schema SET sql = replace(sql, 'model TEXT NOT NULL', 'model TEXT') WHERE name \
        = 'evocation_entries'
        """)
    }
    await database.close()
    let changer = try SQLiteDatabase(path: folder.path())
    try await changer.write { try $0.execute("UPDATE evocation_entries SET model = \(model)") }
    await changer.close()

    let (after, _) = try app()
    let entry = try #require(try await after.outbox.unreadableEntries().first)
    #expect(entry.reason == "Reading an entry of Fussy failed: \(reason).")
  }
}
