import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Databases that only read their file.
@Suite(.patient) struct ReadOnlyTests {
  private let folder: TemporaryFolder
  private let path: String
  private let written: SQLiteDatabase
  private let writing: SQLiteRepository<Car>

  private struct Wheel: Codable, Identifiable {
    var id: Int
  }

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
    written = try SQLiteDatabase(path: path)
    writing = try SQLiteRepository<Car>(written)
    try await writing.storeOne(Car(id: 1, name: "a"))
  }

  private func open(_ path: String? = nil) throws -> SQLiteDatabase {
    var configuration = SQLiteDatabase.Configuration()
    configuration.isReadOnly = true
    return try SQLiteDatabase(path: path ?? self.path, configuration: configuration)
  }

  private var sentence: String {
    "Writing the database in \"\(path)\" failed: its configuration has isReadOnly; open it without, "
      + "or write to another file."
  }

  @Test func `Repositories and SQL read it, and see what another database writes`() async throws {
    let database = try open()
    let cars = try SQLiteRepository<Car>(database)
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    var shown = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await shown.next(isolation: nil)?.data?.map(\.id) == [1])
    #expect(try await cars.findOne(["id": 1]).value?.name == "a")
    try await writing.storeOne(Car(id: 2, name: "b"))
    var ids = await shown.next(isolation: nil)?.data?.map(\.id)
    // The start of the observation may have counted as a change.
    while ids == [1] { ids = await shown.next(isolation: nil)?.data?.map(\.id) }
    #expect(ids == [1, 2])
    #expect(try await database.read { try $0.rows("SELECT id FROM car").count } == 2)
    #expect(try await database.check().isEmpty)
    await database.close()
    try await writing.storeOne(Car(id: 3, name: "c"))
    #expect(try await writing.count() == 3)
  }

  @Test func `All writes are refused with one sentence`() async throws {
    let database = try open()
    let cars = try SQLiteRepository<Car>(database)
    let calls: [() async throws -> Void] = [
      { try await cars.storeOne(Car(id: 2, name: "b")) },
      { try await cars.store([Car(id: 2, name: "b"), Car(id: 3, name: "c")]) },
      { try await cars.removeAll(matching: Criteria()) },
      { try await database.write { _ = try $0.execute("DELETE FROM car") } },
      { try database.migrate([SQLiteMigration("new", "CREATE TABLE a (b)")]) },
      { try await database.vacuum() }, { try await database.checkpoint() },
      { try await database.backup(to: folder.path("copy")) },
      { try await SQLiteFetchLedger(database).erase(prefix: "") },
    ]
    for (index, call) in calls.enumerated() {
      let error = await #expect(throws: SQLiteError.self, "\(index)") { try await call() }
      #expect(error?.code == .readOnly)
      #expect(error?.description == sentence, "\(index)")
    }
    #expect(try await cars.count() == 1)
  }

  @Test func `A write to it has a code`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.isReadOnly = true
    let catalog = try SQLiteDatabase(path: path, configuration: configuration)
    let error = await #expect(throws: SQLiteError.self) {
      try await catalog.write { _ = try $0.execute("DELETE FROM car") }
    }
    #expect(error?.code == .readOnly)
    #expect(error?.failureKind == .permanent)
  }

  @Test func `Signing out leaves it as it is`() async throws {
    let evocation = Evocation()
    let cars = try SQLiteRepository<Car>(open())
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    try await evocation.signOut(.discard)
    #expect(try await cars.count() == 1)
  }

  @Test func `A table or a column that is missing is told`() async throws {
    let database = try open()
    let missing = #expect(throws: SQLiteError.self) { try SQLiteRepository<Wheel>(database) }
    #expect(missing?.code == .schemaMismatch)
    #expect(
      missing?.description
        == "Making the repository of the table \"wheel\" in \"\(path)\" failed: the file has no such "
        + "table, and the configuration has isReadOnly; open it once without.")
    let column = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Optionals>(database, table: "car")
    }
    #expect(column?.code == .schemaMismatch)
  }

  @Test func `A new property without a column is told`() async throws {
    struct Note: Codable, Identifiable {
      var id: Int
      var text: String?
    }
    try await written.write { db in
      try db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY NOT NULL)")
    }
    let error = #expect(throws: SQLiteError.self) { try SQLiteRepository<Note>(open()) }
    #expect(
      error?.description
        == "Making the repository of the table \"note\" in \"\(path)\" failed: the file lacks its "
        + "columns \"text\", and the configuration has isReadOnly; open it once without.")
  }

  @Test func `A file without Evocation's tables is read`() async throws {
    let plain = folder.path("plain")
    let other = try SQLiteDatabase(path: plain)
    try await other.write { db in
      try db.execute("CREATE TABLE wheel (id INTEGER PRIMARY KEY NOT NULL)")
      try db.execute("INSERT INTO wheel VALUES (4)")
    }
    await other.close()
    let wheels = try SQLiteRepository<Wheel>(open(plain))
    #expect(try await wheels.find(Criteria()).value.map(\.id) == [4])
    #expect(try await wheels.fetchLedger?.record(for: "x") == nil)
  }

  @Test func `A file that is not there is told, and not created`() throws {
    let absent = folder.path("absent")
    let error = #expect(throws: SQLiteError.self) { try open(absent) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.description
        == "Opening the database in \"\(absent)\" failed: there is no file of this path; check the "
        + "path.")
    #expect(!FileManager.default.fileExists(atPath: absent))
  }

  @Test func `In memory there is nothing to read`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteDatabase.inMemory(configuration: .init(isReadOnly: true))
    }
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Opening the database in memory failed: its configuration has isReadOnly, and there is "
        + "nothing to read; open a file, or leave isReadOnly out.")
  }
}
