import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
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
    try await cars.transact(isShort: true) { transaction in
      let renaming = OutboxRenaming(key: "1", identity: Data(#"{"id":1}"#.utf8))
      try transaction.entries.record(renaming, of: .init(queue: "car", key: "-1"))
      try transaction.setVersion("7", of: Car(id: 1, name: ""))
    }
    await database.close()
  }

  private func migrated(_ migration: SQLiteMigration) async throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    do {
      try database.migrate([migration])
    } catch {
      await database.close()
      throw error
    }
    return database
  }

  private func migrated(_ statements: String...) async throws -> SQLiteDatabase {
    try await migrated(
      SQLiteMigration("rename") { access in
        for statement in statements { try access.execute(statement) }
      })
  }

  private func entries<Model>(
    _ repository: SQLiteRepository<Model>
  ) async throws -> [Outbox.Entry<Model>] {
    try await repository.look(isShort: false) {
      try $0.records(after: .min, limit: 10).compactMap(\.entry)
    }
  }

  /// The ways to rename a table with what waits to be sent of it.
  private static let ways = [
    SQLiteMigration("rename", renaming: "Car", to: "Vehicle"),
    SQLiteMigration("rename") { try $0.renameTable("Car", to: "Vehicle") },
    // SQLite tells names apart by their small letters.
    SQLiteMigration("rename") { try $0.renameTable("CAR", to: "Vehicle") },
  ]

  @Test(arguments: ways.indices)
  func `Entries follow a table that is renamed, and so does what refers to them`(
    way: Int
  ) async throws {
    try await fill()
    let database = try await migrated(Self.ways[way])
    let cars = try SQLiteRepository<Car>(database, table: "Vehicle")
    #expect(try await entries(cars).map(\.model) == [Car(id: 1, name: "a")])
    let pieces = try SQLiteRepository<Piece>(database)
    let vehicle = Outbox.Reference(queue: "vehicle", key: "1")
    #expect(
      try await entries(pieces).map { Set($0.references) } == [
        [vehicle, .init(queue: "piece", key: "1")], [vehicle, .init(queue: "piece", key: "2")],
      ])
    #expect(try await pieces.look(isShort: false) { try $0.entries.ends(of: vehicle) } == 1...1)
    let former = Outbox.Reference(queue: "vehicle", key: "-1")
    #expect(
      try await pieces.look(isShort: false) { try $0.entries.renaming(of: former) }?.key == "1")
    #expect(
      try await cars.look(isShort: false) { try $0.version(of: Car(id: 1, name: "")) } == "7")
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

  /// The piece after its property `name` was renamed, and with another name of its id.
  private struct Part: Codable, Identifiable, Sendable, Equatable {
    enum CodingKeys: String, CodingKey {
      case id
      case name = "title/text"
      case size, owner
    }

    var id: Int
    var name: String
    var size: Double?
    var owner: Int?
  }

  @Test func `A property that is renamed has its values, in rows and in unsent writes`()
    async throws
  {
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    try await pieces.store([Piece(id: 1, name: "first"), Piece(id: 2, name: "a \"name\": {1}")])
    let others = try SQLiteRepository<Car>(database)
    try await others.commit(
      StoreWrite([.store([Car(id: 1, name: "a")])], outbox: OutboxNote(queuedAt: Date())))
    for name in ["second", "third"] {
      try await pieces.commit(
        StoreWrite(
          [.update([Piece(id: 1, name: name)])], outbox: OutboxNote(queuedAt: Date())))
    }
    try await pieces.transact(isShort: true) { transaction in
      guard case .entry(var entry)? = try transaction.record(at: 2) else { return }
      entry.seen = Piece(id: 1, name: "theirs")
      try transaction.replace(entry)
    }
    let before = try await entries(pieces)
    #expect(before.contains { $0.base?.name == "first" && $0.model.name == "third" })
    await database.close()
    let migrated = try await migrated(
      SQLiteMigration("rename", renaming: "name", of: "Piece", to: "title/text"))
    let parts = try SQLiteRepository<Part>(migrated, table: "piece")
    #expect(
      try await parts.find(Criteria().sorted(by: "id")).value.map(\.name)
        == ["third", "a \"name\": {1}"])
    func part(_ piece: Piece) -> Part { Part(id: piece.id, name: piece.name) }
    let after = try await entries(parts)
    #expect(after.map(\.model) == before.map(\.model).map(part))
    #expect(after.map(\.base) == before.map { $0.base.map(part) })
    #expect(after.map(\.seen) == before.map { $0.seen.map(part) })
    #expect(after.map(\.id) == before.map(\.id))
    let cars = try SQLiteRepository<Car>(migrated)
    #expect(try await entries(cars).map(\.model.name) == ["a"], "of another table")
    await migrated.close()
  }

  @Test func `A property that is not there is not renamed, and the migration says so`() async throws
  {
    try await fill()
    let error = await #expect(throws: SQLiteError.self) {
      try await migrated(SQLiteMigration("rename", renaming: "nome", of: "piece", to: "title"))
    }
    #expect(error?.description.contains("nome") == true, "\(String(describing: error))")
    let database = try SQLiteDatabase(path: path)
    #expect(try await entries(SQLiteRepository<Piece>(database)).map(\.model.name) == ["b", "c"])
    await database.close()
  }

  @Test func `Entries that wait for their own kind follow with it`() async throws {
    try await fill()
    let database = try await migrated(SQLiteMigration("rename", renaming: "piece", to: "part"))
    let parts = try SQLiteRepository<Piece>(database, table: "part")
    #expect(
      try await entries(parts).map { $0.references.filter { $0.queue == "part" } } == [
        [.init(queue: "part", key: "1")], [.init(queue: "part", key: "2")],
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
      SQLiteMigration("change") { access in
        for statement in statements { try access.execute(statement) }
      }
    ])
    let pieces = try SQLiteRepository<Piece>(database)
    #expect(try await entries(pieces).map(\.model.id) == [2, 3])
    await database.close()
  }

  @Test(arguments: [
    ["ALTER TABLE Car RENAME TO Vehicle"], ["DROP TABLE Car"],
    ["ALTER TABLE Car RENAME TO Vehicle", "DROP TABLE Vehicle"],
    // The entries of another table are gone too, and it comes first.
    ["DELETE FROM evocation_entries WHERE queue = 3", "DROP TABLE Boat", "DROP TABLE Car"],
  ])
  func `A table with unsent writes that is gone afterwards is refused, and nothing is changed`(
    statements: [String]
  ) async throws {
    try await fill()
    var database = try SQLiteDatabase(path: path)
    let boats = try SQLiteRepository<Piece>(database, table: "Boat")
    try await boats.commit(
      StoreWrite([.store([Piece(id: 1, name: "b")])], outbox: OutboxNote(queuedAt: Date())))
    await database.close()
    let error = await #expect(throws: SQLiteError.self) {
      try await migrated(
        SQLiteMigration("rename") { access in
          for statement in statements { try access.execute(statement) }
        })
    }
    #expect(error?.code == .migrationFailed)
    #expect(
      error?.description.hasSuffix(
        "Migrating the table \"car\" failed: the table no longer exists, and its outbox has "
          + "unsent writes; rename it with renameTable(_:to:), or send them first.") == true)
    database = try SQLiteDatabase(path: path)
    #expect(
      try await entries(SQLiteRepository<Car>(database, table: "Car")).map(\.model.name) == ["a"])
    await database.close()
  }

  @Test func `A table of letters beyond ASCII is one by its small letters too`() async throws {
    try await fill()
    let database = try SQLiteDatabase(path: path)
    let parts = try SQLiteRepository<Piece>(database, table: "Öl")
    try await parts.commit(
      StoreWrite([.store([Piece(id: 1, name: "b")])], outbox: OutboxNote(queuedAt: Date())))
    await database.close()
    await #expect(throws: SQLiteError.self) { try await migrated("DROP TABLE \"Öl\"") }
  }

  @Test(arguments: [
    ["DROP TABLE piece"], ["DELETE FROM evocation_entries WHERE queue = 2", "DROP TABLE piece"],
  ])
  func `A table without unsent writes, or whose writes are given up, may go`(
    statements: [String]
  ) async throws {
    try await fill()
    let before = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(before)
    if statements.count == 1 {
      try await pieces.transact(isShort: true) { transaction in
        for record in try transaction.records(after: .min, limit: 9) {
          try transaction.delete(record.position)
        }
      }
    }
    await before.close()
    let database = try await migrated(
      SQLiteMigration("drop") { access in
        for statement in statements { try access.execute(statement) }
      })
    #expect(
      try await entries(SQLiteRepository<Car>(database, table: "Car")).map(\.model.name) == ["a"])
    #expect(try await entries(SQLiteRepository<Piece>(database)).isEmpty)
    await database.close()
  }

  @Test func `A name under which other entries wait is refused, and nothing is changed`()
    async throws
  {
    try await fill()
    let error = await #expect(throws: SQLiteError.self) {
      try await migrated(
        SQLiteMigration("rename") { access in
          try access.execute("DROP TABLE piece")
          try access.renameTable("Car", to: "piece")
        })
    }
    #expect(error?.code == .migrationFailed)
    #expect(
      error?.description.hasSuffix(
        "Renaming the table \"car\" to \"piece\" failed: the outbox already has unsent writes of "
          + "a table with the new name; use another name, or send them first.") == true)
    let database = try SQLiteDatabase(path: path)
    #expect(
      try await entries(SQLiteRepository<Car>(database, table: "Car")).map(\.model.name) == ["a"])
    await database.close()
  }

  @Test func `A table takes over the name of one whose writes were sent, and none of its versions`()
    async throws
  {
    try await fill()
    let before = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(before)
    try await pieces.transact(isShort: true) { transaction in
      try transaction.setVersion("8", of: Piece(id: 2, name: ""))
      for record in try transaction.records(after: .min, limit: 9) {
        try transaction.delete(record.position)
      }
    }
    await before.close()
    let database = try await migrated(
      SQLiteMigration("rename") { access in
        try access.execute("DROP TABLE piece")
        try access.renameTable("Car", to: "piece")
      })
    let cars = try SQLiteRepository<Car>(database, table: "piece")
    #expect(try await entries(cars).map(\.model.name) == ["a"])
    let versions = try await cars.look(isShort: false) { transaction in
      try (1...2).map { try transaction.version(of: Car(id: $0, name: "")) }
    }
    #expect(versions == ["7", nil])
    await database.close()
  }

  @Test func `A table is renamed outside of a migration too`() async throws {
    try await fill()
    let database = try SQLiteDatabase(path: path)
    try await database.write { try $0.renameTable("Car", to: "Vehicle") }
    let cars = try SQLiteRepository<Car>(database, table: "Vehicle")
    #expect(try await entries(cars).map(\.model.name) == ["a"])
    await database.close()
  }
}
