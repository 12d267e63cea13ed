import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SQLiteRepositoryTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    cars = try SQLiteRepository<Car>(
      database, indexes: ["year", SQLiteIndex("name", "owner.city")])
  }

  private func ids(_ criteria: Criteria = Criteria()) async throws -> [Int] {
    try await cars.find(criteria).value.map(\.id)
  }

  @Test func `Models outlive the database object`() async throws {
    try await cars.store([Car(id: 2, name: "b"), Car(id: 1, name: "a")])
    await database.close()
    let again = try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
    #expect(try await again.find(Criteria()).value.map(\.name) == ["a", "b"])
  }

  @Test func `Storing what is there, or twice, stores nothing and names the ids`() async throws {
    try await cars.store([Car(id: 1, name: "a")])
    let error = await #expect(throws: EvocationError.self) {
      try await cars.store([2, 1, 3, 3, 1].map { Car(id: $0, name: "x") })
    }
    #expect(error == .alreadyExists(["1", "3"]))
    #expect(try await cars.find(Criteria()).value == [Car(id: 1, name: "a")])
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      _ = try await cars.storeOne(Car(id: 1, name: "b"))
    }
  }

  @Test func `Updating gives those that are there`() async throws {
    try await cars.store([Car(id: 1, name: "a"), Car(id: 2, name: "b")])
    let updated = try await cars.update([Car(id: 3, name: "c"), Car(id: 2, name: "d")]).value
    #expect(updated == [Car(id: 2, name: "d")])
    #expect(try await cars.find(Criteria()).value.map(\.name) == ["a", "d"])
    #expect(try await cars.updateOne(Car(id: 9, name: "x")).value == nil)
  }

  @Test func `Removing gives models as they last were`() async throws {
    try await cars.store([Car(id: 1, name: "a"), Car(id: 2, name: "b")])
    let removed = try await cars.remove([Car(id: 2, name: "other"), Car(id: 3, name: "c")]).value
    #expect(removed == [Car(id: 2, name: "b")])
    #expect(try await cars.removeOne(Car(id: 1, name: "")).value == Car(id: 1, name: "a"))
    #expect(try await ids().isEmpty)
  }

  @Test func `Empty arrays do nothing`() async throws {
    #expect(try await cars.store([]).value.isEmpty)
    #expect(try await cars.update([]).value.isEmpty)
    #expect(try await cars.storeOrUpdate([]).value.isEmpty)
    #expect(try await cars.remove([]).value.isEmpty)
  }

  @Test func `A bulk call that fails in the middle leaves nothing behind`() async throws {
    let unique = try SQLiteRepository<Car>(
      database, table: "unique", indexes: [SQLiteIndex("name", isUnique: true)])
    let error = await #expect(throws: SQLiteError.self) {
      try await unique.storeOrUpdate([Car(id: 1, name: "a"), Car(id: 2, name: "a")])
    }
    #expect(error?.code == .constraint)
    #expect(try await unique.find(Criteria()).value.isEmpty)
  }

  @Test func `Mirroring removes what the answer does not have`() async throws {
    try await cars.store((1...5).map { Car(id: $0, name: "a", year: $0) })
    let removed = try await cars.mirror(
      [Car(id: 2, name: "b", year: 2), Car(id: 9, name: "c", year: 3)],
      for: Criteria.Key("year") <= 3
    ).value
    #expect(removed.map(\.id) == [1, 3])
    #expect(try await ids() == [2, 4, 5, 9])
  }

  @Test func `Observers are told of each commit, in order`() async throws {
    let recorder = Recorder<Car>()
    let observation = cars.observeChanges { recorder.record($0) }
    try await cars.store([Car(id: 1, name: "a")])
    try await cars.storeOrUpdate([Car(id: 1, name: "b"), Car(id: 2, name: "c")])
    try await cars.remove([Car(id: 2, name: ""), Car(id: 3, name: "")])
    _ = try? await cars.store([Car(id: 1, name: "x")])
    try await cars.update([Car(id: 7, name: "x")])
    try await database.write { db in _ = try db.execute("DELETE FROM car") }
    observation.cancel()
    try await cars.store([Car(id: 5, name: "x")])
    let told = recorder.told.map { change in
      guard case .models(let stored, let updated, let removed) = change.extent
      else { return "unknown" }
      return [stored, updated.map(\.after), removed].map { $0.map(\.name).joined() }.joined(
        separator: "|")
    }
    #expect(told == ["a||", "c|b|", "||c", "unknown"])
  }

  @Test func `A hundred thousand members are looked up`() async throws {
    try await cars.store((0..<100).map { Car(id: $0, name: "\($0)", price: Double($0) / 8) })
    let many = 50..<100_050
    #expect(try await ids(Criteria.Key("id").in(many)) == Array(50..<100))
    #expect(try await ids(Criteria.Key("name").in(many.map { "\($0)" })) == Array(50..<100))
    #expect(try await ids(Criteria.Key("price").in(many.map { Double($0) / 8 })) == Array(50..<100))
  }

  @Test func `Metacharacters are nothing but text`() async throws {
    let names = ["'", "\"", "a\0b", "a", "%", "_", "'; DROP TABLE car; --", "\\"]
    let models = names.enumerated().map { Car(id: $0, name: $1, tags: [$1]) }
    try await cars.store(models)
    for (id, name) in names.enumerated() {
      #expect(try await ids(["name": name]) == [id])
      #expect(try await ids(Criteria.Key("tags").contains(name)) == [id])
    }
    #expect(try await ids(Criteria.Key("name").hasPrefix("a\0")) == [2])
    #expect(try await ids(Criteria.Key("name").contains("%")) == [4])
    #expect(try await ids(Criteria.Key("owner.city") == "'; --").isEmpty)
  }

  @Test func `Ids are told apart to the last byte, whatever they hold`() async throws {
    let ids = ["", "\0", "a", "a\0", "a\0b", "a\0c", "'", "''", "\"", "x' OR '1'='1", "; --", "%"]
    let models = try SQLiteRepository<Optionals>(database)
    try await models.store(ids.map { Optionals(id: $0, text: $0) })
    for id in ids {
      #expect(try await models.findOne(["id": id]).value?.text == id)
      _ = try await models.updateOne(Optionals(id: id, int: 1, text: id))
    }
    #expect(try await models.find(["int": 1]).value.count == ids.count)
    for (index, id) in ids.enumerated() {
      #expect(try await models.removeOne(Optionals(id: id)).value?.text == id)
      #expect(try await models.find(Criteria()).value.count == ids.count - index - 1)
    }
  }

  @Test func `A key that the model does not have is refused before SQL sees it`() async throws {
    let error = await #expect(throws: EvocationError.self) {
      try await cars.find(["yeer\"; DROP TABLE car; --": 1])
    }
    guard case .unknownKey = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    await #expect(throws: EvocationError.unknownKey("yeer", model: "Car", nearest: ["year"])) {
      try await cars.find(["yeer": 1])
    }
  }

  @Test func `A cancelled call throws and writes nothing`() async throws {
    let cars = cars
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await cars.storeOne(Car(id: 1, name: "a"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let bulk = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await cars.store((0..<1000).map { Car(id: $0, name: "a") })
    }
    await #expect(throws: CancellationError.self) { try await bulk.value }
    #expect(try await ids().isEmpty)
  }
}
