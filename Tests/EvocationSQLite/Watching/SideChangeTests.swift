import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What foreign keys and triggers change beside what a call writes.
@Suite(.patient) struct SideChangeTests {
  private struct Owner: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var km = 0.0
    var boss: Int?
  }

  private struct Trip: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var owner: Int?
    var km = 0.0
  }

  private struct Stop: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var trip: Int?
  }

  private let database: SQLiteDatabase
  private let owners: SQLiteRepository<Owner>
  private let trips: SQLiteRepository<Trip>
  private let stops: SQLiteRepository<Stop>

  init() async throws {
    database = try SQLiteDatabase.inMemory()
    try database.migrate([
      SQLiteMigration("owners") { db in
        try db.execute(
          """
          CREATE TABLE owner (id INTEGER PRIMARY KEY, km REAL NOT NULL, \
          boss INTEGER REFERENCES owner(id) ON DELETE SET NULL)
          """)
        try db.execute(
          """
          CREATE TABLE trip (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner(id) \
          ON DELETE CASCADE, km REAL NOT NULL)
          """)
        try db.execute(
          """
          CREATE TABLE stop (id INTEGER PRIMARY KEY, trip INTEGER REFERENCES trip(id) \
          ON DELETE SET NULL)
          """)
      }
    ])
    owners = try SQLiteRepository<Owner>(database)
    trips = try SQLiteRepository<Trip>(database)
    stops = try SQLiteRepository<Stop>(database)
    try await owners.store([Owner(id: 1), Owner(id: 2), Owner(id: 3, boss: 2)])
    try await trips.store([Trip(id: 1, owner: 1), Trip(id: 2, owner: 2)])
    try await stops.store([Stop(id: 1, trip: 1)])
  }

  private func execute(_ sql: String) async throws {
    try await database.write { _ = try $0.execute(sql) }
  }

  /// What the observers of a repository were told, as words.
  private final class Told<Model: Codable & Identifiable & Sendable>: Sendable {
    private let changes = Lock<[String]>([])
    let observation = Lock<Evocation.Observation?>(nil)
    var words: [String] { changes.withLock { $0 } }

    init(_ repository: SQLiteRepository<Model>) {
      let changes = changes
      let begun = repository.observeChanges { change in
        changes.withLock { changes in
          guard case .models(let stored, let updated, let removed) = change.extent else {
            return changes.append("unknown")
          }
          changes.append("+\(stored.count) ~\(updated.count) -\(removed.count)")
        }
      }
      observation.withLock { $0 = begun }
    }
  }

  enum Call: CaseIterable {
    case removeOne, removeAll, mirror, commit, signOut
  }

  @Test(arguments: Call.allCases)
  func `Observers of rows that a foreign key deletes are told`(call: Call) async throws {
    let (told, far) = (Told(trips), Told(stops))
    switch call {
    case .removeOne: try await owners.remove([Owner(id: 1)])
    case .removeAll: try await owners.removeAll(matching: ["id": 1])
    case .mirror: try await owners.mirror([Owner(id: 2)], for: Criteria())
    case .commit: try await owners.commit(StoreWrite([.remove([Owner(id: 1)])]))
    case .signOut:
      try await database.empty(
        StoreEmptying(id: "1", repositories: ["owner"], unsent: .go))
    }
    #expect(told.words == ["unknown"])
    #expect(far.words == ["unknown"])
    #expect(try await stops.find(Criteria()).value == [Stop(id: 1, trip: nil)])
  }

  @Test(arguments: [false, true])
  func `Observers of rows that a trigger changes are told, observed or not`(
    isObserved: Bool
  ) async throws {
    try await execute(
      """
      CREATE TRIGGER adds AFTER INSERT ON trip BEGIN \
      UPDATE owner SET km = km + NEW.km WHERE id = NEW.owner; END
      """)
    let told = Told(owners)
    let own = isObserved ? Told(trips) : nil
    try await trips.storeOne(Trip(id: 3, owner: 1, km: 5))
    try await trips.storeOrUpdate([Trip(id: 4, owner: 1, km: 2)])
    #expect(told.words == ["unknown", "unknown"])
    if let own { #expect(own.words == ["+1 ~0 -0", "+1 ~0 -0"]) }
    #expect(try await owners.findOne(["id": 1]).value?.km == 7)
  }

  @Test func `Observers of a table are told of other rows that its keys and triggers change`()
    async throws
  {
    let told = Told(owners)
    try await owners.remove([Owner(id: 2)])
    #expect(told.words == ["unknown"])
    #expect(try await owners.findOne(["id": 3]).value?.boss == nil)
    try await execute(
      """
      CREATE TRIGGER one AFTER UPDATE OF boss ON owner BEGIN \
      UPDATE owner SET km = 9 WHERE id = NEW.boss; END
      """)
    try await owners.updateOne(Owner(id: 3, boss: 1))
    #expect(told.words == ["unknown", "unknown"])
    #expect(try await owners.findOne(["id": 1]).value?.km == 9)
  }

  @Test func `Nobody else is told if nothing else was changed`() async throws {
    try await execute(
      """
      CREATE TRIGGER adds AFTER INSERT ON stop WHEN NEW.trip IS NOT NULL BEGIN \
      UPDATE trip SET km = 1 WHERE id = NEW.trip; END
      """)
    let (told, far, own) = (Told(trips), Told(owners), Told(stops))
    // No row refers to the removed one, and the trigger's condition does not hold.
    try await owners.remove([Owner(id: 3)])
    try await stops.storeOne(Stop(id: 2, trip: nil))
    #expect(told.words == [])
    #expect(far.words == ["+0 ~0 -1"])
    #expect(own.words == ["+1 ~0 -0"])
  }

  @Test func `What was undone is not told with a later write`() async throws {
    try await execute("CREATE TABLE log (id INTEGER)")
    try await execute(
      "CREATE TRIGGER logs AFTER INSERT ON trip BEGIN INSERT INTO log VALUES (1); END")
    try await execute(
      """
      CREATE TRIGGER stops AFTER DELETE ON owner WHEN OLD.id = 2 BEGIN \
      SELECT RAISE(ABORT, 'no'); END
      """)
    let told = Told(trips)
    await #expect(throws: SQLiteError.self) {
      try await owners.remove([Owner(id: 1), Owner(id: 2)])
    }
    try await owners.updateOne(Owner(id: 3))
    #expect(told.words == [])
  }

  @Test func `A trigger that was made later is told of too`() async throws {
    let told = Told(owners)
    try await trips.storeOne(Trip(id: 3, owner: 1, km: 5))
    try await execute(
      "CREATE TRIGGER adds AFTER INSERT ON trip BEGIN UPDATE owner SET km = 1 WHERE id = 1; END")
    try await trips.storeOne(Trip(id: 4, owner: 1, km: 5))
    try await execute("DROP TRIGGER adds")
    try await execute(
      "CREATE TRIGGER adds AFTER INSERT ON trip BEGIN UPDATE stop SET trip = NULL; END")
    let far = Told(stops)
    try await trips.storeOne(Trip(id: 5, owner: 1, km: 5))
    #expect(told.words == ["unknown"])
    #expect(far.words == ["unknown"])
  }

  @Test func `A screen no longer shows what a foreign key has deleted`() async throws {
    let evocation = Evocation()
    evocation.register(for: Owner.self).repository(local: owners).strategy(.localOnly)
    evocation.register(for: Trip.self).repository(local: trips).strategy(.localOnly)
    var shown = evocation.observe(model: Trip.self).makeAsyncIterator()
    var counted = database.observe([Trip.self]) { try $0.rows("SELECT id FROM trip").count }
      .makeAsyncIterator()
    #expect(await shown.next(isolation: nil)?.data?.map(\.id) == [1, 2])
    #expect(try await counted.next() == 2)
    _ = await evocation.removeOne(Owner(id: 1))
    #expect(await shown.next(isolation: nil)?.data?.map(\.id) == [2])
    #expect(try await counted.next() == 1)
  }

  @Test func `So it is for a write that the outbox sends later`() async throws {
    let evocation = Evocation()
    evocation.register(for: Owner.self).repository(remote: InMemoryRepository<Owner>())
      .repository(local: owners).strategy(.offlineFirst)
    let told = Told(trips)
    _ = await evocation.removeOne(Owner(id: 1))
    #expect(told.words == ["unknown"])
  }
}
