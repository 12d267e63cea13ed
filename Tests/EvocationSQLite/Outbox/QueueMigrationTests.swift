import Foundation
import TestTraits
import Testing

@testable import Evocation
@testable import EvocationSQLite
@testable import SQLiteSupport

/// What becomes of entries when a migration renames the table of their models.
@Suite(.patient) struct QueueMigrationTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  /// Queues a car, and pieces that refer to it and to one another.
  private func fill() async throws {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database, table: "Car")
    let pieces = try SQLiteRepository<Piece>(database)
    let note = OutboxNote<Piece>(queuedAt: Date()) { piece in
      [.init(queue: "car", key: "1"), .init(queue: "piece", key: "\(piece.id - 1)")]
    }
    try await cars.commit(
      StoreWrite([.store([Car(id: 1, name: "a")])], outbox: OutboxNote(queuedAt: Date())))
    try await pieces.commit(
      StoreWrite([.store([Piece(id: 2, name: "b"), Piece(id: 3, name: "c")])], outbox: note))
    await database.close()
  }

  private func migrated(_ statements: String...) async throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    let migration = SQLiteMigration("rename", version: "1") { access in
      for statement in statements { try access.execute(statement) }
    }
    do {
      try database.migrate([migration])
    } catch {
      await database.close()
      throw error
    }
    return database
  }

  private func entries<Model>(
    _ repository: SQLiteRepository<Model>
  ) async throws -> [Outbox.Entry<Model>] {
    try await repository.look(isShort: false) {
      try $0.records(after: .min, onlyHeads: true, limit: 10).compactMap(\.entry)
    }
  }

  @Test func `Entries follow a table that is renamed, and so does what refers to them`()
    async throws
  {
    try await fill()
    let database = try await migrated("ALTER TABLE Car RENAME TO Vehicle")
    let cars = try SQLiteRepository<Car>(database, table: "Vehicle")
    #expect(try await entries(cars).map(\.model) == [Car(id: 1, name: "a")])
    let pieces = try SQLiteRepository<Piece>(database)
    let vehicle = Outbox.Reference(queue: "vehicle", key: "1")
    #expect(
      try await entries(pieces).map(\.references) == [
        [vehicle, .init(queue: "piece", key: "1")], [vehicle, .init(queue: "piece", key: "2")],
      ])
    #expect(try await pieces.look(isShort: false) { try $0.hasRecords(of: vehicle) })
    let waiting = try await pieces.look(isShort: false) { try $0.records(referringTo: vehicle) }
    #expect(waiting.count == 2)
    // The names that they had are free.
    let others = try SQLiteRepository<Car>(database, table: "car")
    try await others.commit(
      StoreWrite([.store([Car(id: 1, name: "d")])], outbox: OutboxNote(queuedAt: Date())))
    #expect(try await entries(others).map(\.model.name) == ["d"])
    #expect(try await entries(cars).map(\.model.name) == ["a"])
    await database.close()
  }

  @Test func `Entries that wait for their own kind follow with it`() async throws {
    try await fill()
    let database = try await migrated("ALTER TABLE piece RENAME TO part")
    let parts = try SQLiteRepository<Piece>(database, table: "part")
    #expect(
      try await entries(parts).map(\.references.last) == [
        .init(queue: "part", key: "1"), .init(queue: "part", key: "2"),
      ])
    await database.close()
  }

  @Test(arguments: [
    [
      "CREATE TABLE new (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, size REAL, owner INTEGER)",
      "INSERT INTO new SELECT id, name, size, owner FROM piece", "DROP TABLE piece",
      "ALTER TABLE new RENAME TO piece",
    ],
    [
      "ALTER TABLE piece RENAME TO old",
      "CREATE TABLE piece (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, size REAL, owner INTEGER)",
      "INSERT INTO piece SELECT id, name, size, owner FROM old", "DROP TABLE old",
    ],
    // The old table is kept beside the new one.
    [
      "ALTER TABLE piece RENAME TO old",
      "CREATE TABLE piece (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, size REAL, owner INTEGER)",
      "INSERT INTO piece SELECT id, name, size, owner FROM old",
    ],
    ["ALTER TABLE piece ADD COLUMN more TEXT"],
  ])
  func `Entries stay with a table that keeps its name, however it is changed`(
    statements: [String]
  ) async throws {
    try await fill()
    let database = try SQLiteDatabase(path: path)
    try database.migrate([
      SQLiteMigration("change", version: "1") { access in
        for statement in statements { try access.execute(statement) }
      }
    ])
    let pieces = try SQLiteRepository<Piece>(database)
    #expect(try await entries(pieces).map(\.model.id) == [2, 3])
    await database.close()
  }

  @Test func `Entries that a migration renames by itself are left to it`() async throws {
    try await fill()
    let database = try await migrated(
      "ALTER TABLE Car RENAME TO Vehicle",
      "ALTER TABLE evocation_queue_car RENAME TO evocation_queue_vehicle")
    let cars = try SQLiteRepository<Car>(database, table: "Vehicle")
    #expect(try await entries(cars).map(\.model.name) == ["a"])
    await database.close()
  }

  @Test func `A name under which other entries wait is refused, and nothing is changed`()
    async throws
  {
    try await fill()
    let error = await #expect(throws: SQLiteError.self) {
      try await migrated("DROP TABLE piece", "ALTER TABLE Car RENAME TO piece")
    }
    #expect(error?.code == .migrationFailed)
    #expect(
      error?.description.hasSuffix(
        "Renaming the table of unsent writes \"car\" to \"piece\" failed: there are unsent writes of a "
          + "table of that name already; give it another one, or send them before.") == true)
    let database = try SQLiteDatabase(path: path)
    #expect(
      try await entries(SQLiteRepository<Car>(database, table: "Car")).map(\.model.name) == ["a"])
    await database.close()
  }
}
