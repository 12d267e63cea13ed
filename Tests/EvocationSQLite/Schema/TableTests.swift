import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

private enum Other {
  struct Car: Codable, Identifiable, Sendable {
    var id: Int
    var name: String
  }
}

private struct Wheel: Codable, Identifiable, Sendable, Equatable {
  struct ID: Codable, Hashable, Sendable {
    var car: String
    var number: Int
  }

  var car: String
  var number: Int
  var size: Double
  var id: ID { ID(car: car, number: number) }
}

private struct Item<Key: Codable & Hashable & Sendable>: Codable, Identifiable, Sendable {
  var id: Key
  var note = "a"
}

@Suite(.patient) struct TableTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  @Test func `Two types of one name are refused, and share a database under two names`() throws {
    _ = try SQLiteRepository<Car>(database)
    let error = #expect(throws: SQLiteError.self) { try SQLiteRepository<Other.Car>(database) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.description
        == "Using the table \"car\" of memory for \(String(reflecting: Other.Car.self)) failed: "
        + "it already belongs to SQLiteSupport.Car; give one of them another name with table:.")
    _ = try SQLiteRepository<Other.Car>(database, table: "other cars")
  }

  @Test func `A table of the same name with other columns is refused and left alone`() async throws
  {
    try await database.write { db in
      try db.execute(
        "CREATE TABLE car (id INTEGER PRIMARY KEY, name BLOB, year INTEGER NOT NULL, extra NOT NULL)"
      )
      _ = try db.execute("INSERT INTO car VALUES (1, 'x', 2, 3)")
    }
    let error = #expect(throws: SQLiteError.self) { try SQLiteRepository<Car>(database) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.description == """
        Using the table "car" of memory for Car failed: its columns differ: "name" is BLOB \
        instead of TEXT, "year" does not take null, "price" is missing, and the existing rows \
        have no value for it (make it optional, give it a default, or add it in a migration), \
        "tags" is missing, and the existing rows have no value for it (make it optional, give it \
        a default, or add it in a migration), "extra" is not of the model, and wants a value; \
        use another name with table:, or change the table in a migration, such as ALTER TABLE \
        "car" RENAME COLUMN "name" TO "old name"; ALTER TABLE "car" ADD COLUMN "name" TEXT NOT \
        NULL DEFAULT ''; UPDATE "car" SET "name" = "old name"; ALTER TABLE "car" DROP COLUMN \
        "old name".
        """)
    let rows = try await database.read { try $0.rows("SELECT * FROM car") }
    #expect(rows.count == 1)
  }

  @Test func `A refused table leaves its name free`() async throws {
    try await database.write { _ = try $0.execute("CREATE TABLE car (id TEXT)") }
    #expect(throws: SQLiteError.self) { try SQLiteRepository<Car>(database) }
    try await database.write { _ = try $0.execute("DROP TABLE car") }
    _ = try SQLiteRepository<Other.Car>(database)
  }

  @Test(arguments: ["a\"b", "'; DROP TABLE car; --", "select", "ü 🚗", "t.x", "[a]", "`a`"])
  func `A table may have any name`(name: String) async throws {
    let cars = try SQLiteRepository<Car>(
      database, table: name, indexes: ["year", SQLiteIndex("name", isUnique: true)])
    try await cars.store([Car(id: 1, name: "a", tags: ["x"]), Car(id: 2, name: "b")])
    try await cars.storeOrUpdate([Car(id: 1, name: "c", tags: ["x"])])
    #expect(try await cars.find(Criteria.Key("tags").contains("x")).value.map(\.name) == ["c"])
    #expect(try await cars.remove([Car(id: 2, name: "")]).value.count == 1)
  }

  @Test(arguments: ["", "a\0b", "sqlite_x", "evocation_format"])
  func `Names that cannot be tables are refused`(name: String) {
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Car>(database, table: name)
    }
    #expect(error?.code == .misuse)
  }

  @Test func `A key may be several properties`() async throws {
    let wheels = try SQLiteRepository<Wheel>(database, key: ["car", "number"])
    let models = [
      Wheel(car: "a", number: 2, size: 1), Wheel(car: "b", number: 1, size: 2),
      Wheel(car: "a", number: 1, size: 3),
    ]
    try await wheels.store(models)
    #expect(try await wheels.find(Criteria()).value.map(\.size) == [3, 1, 2])
    let error = await #expect(throws: EvocationError.self) {
      _ = try await wheels.storeOne(models[0])
    }
    #expect(error == .alreadyExists(["a/2"]))
    #expect(try await wheels.update([models[1]]).value == [models[1]])
    #expect(try await wheels.remove([models[2]]).value == [models[2]])
    let cursor = try Criteria().cursor(at: models[0])
    #expect(try await wheels.find(Criteria().after(cursor)).value.map(\.size) == [2])
  }

  @Test func `A key may be of any single value`() async throws {
    try await keep([UInt64.max, 0, UInt64(Int64.max) + 1], sorted: [1, 2, 0])
    try await keep(["b", "a", "e\u{301}", "é"], sorted: [1, 0, 2, 3])
    try await keep(Array(Pool.decimals.reversed()), sorted: Array(Pool.decimals.indices.reversed()))
    try await keep([Everything.greatest.id, Everything.least.id], sorted: [1, 0])
    try await keep([Date.distantFuture, .distantPast], sorted: [1, 0])
    try await keep([1.5, -.infinity, .nan, 0.1], sorted: [1, 3, 0, 2])
    try await keep([Data([1]), Data()], sorted: [1, 0])
    try await keep([true, false], sorted: [1, 0])
    try await keep([Fuel.petrol, .diesel], sorted: [1, 0])
  }

  private func keep<Key: Codable & Hashable & Sendable>(
    _ keys: [Key], sorted: [Int]
  ) async throws {
    let repository = try SQLiteRepository<Item<Key>>(database, table: "\(Key.self)")
    let models = keys.enumerated().map { Item(id: $1, note: "\($0)") }
    try await repository.store(models)
    let found = try await repository.find(Criteria()).value.map(\.note)
    #expect(found == sorted.map { "\($0)" }, "\(Key.self)")
    for model in models {
      if let id = model.id as? any CriteriaValue {
        #expect(try await repository.findOne(["id": id]).value?.note == model.note, "\(id)")
      }
      await #expect(throws: EvocationError.self) { _ = try await repository.storeOne(model) }
      #expect(try await repository.remove([model]).value.count == 1, "\(Key.self)")
    }
  }

  @Test func `What cannot be a table's key is refused by name`() {
    struct NoID: Codable, Identifiable, Sendable {
      var name: String
      var kind: Int
      var id: String { "\(kind)/\(name)" }
    }
    struct Absent: Codable, Identifiable, Sendable { var id: Int? }
    #expect(
      refusal { try SQLiteRepository<NoID>(database) }
        == "Evocation cannot map the property \"id\" of NoID, because it has no such coding key "
        + "for the table's key; name the properties that form its id with key:.")
    #expect(
      refusal { try SQLiteRepository<Absent>(database) }
        == "Evocation cannot map the property \"id\" of Absent, because a value that may be "
        + "absent cannot be the table's key.")
    #expect(
      refusal { try SQLiteRepository<Car>(database, key: ["tags"]) }
        == "Evocation cannot map the property \"tags\" of Car, because a list cannot be the "
        + "table's key.")
    #expect(
      refusal { try SQLiteRepository<Car>(database, key: []) }
        == "Evocation cannot map Car, because its key names no property.")
  }

  @Test func `An index over nothing is refused`() {
    #expect(
      refusal { try SQLiteRepository<Car>(database, indexes: ["year", SQLiteIndex()]) }
        == "Evocation cannot map Car, because one of its indexes names no property.")
  }

  @Test func `Properties whose names cannot be columns are refused by name`() {
    struct Cased: Codable, Identifiable, Sendable {
      var id: Int
      var name: String
      var Name: String
    }
    struct Nameless: Codable, Identifiable, Sendable {
      enum CodingKeys: String, CodingKey {
        case id
        case name = ""
      }
      var id: Int
      var name: String
    }
    struct Cut: Codable, Identifiable, Sendable {
      enum CodingKeys: String, CodingKey {
        case id
        case name = "na\0me"
      }
      var id: Int
      var name: String
    }
    let reason =
      "its coding key is empty, holds a NUL, or differs from another in case "
      + "only, and cannot be the name of a column."
    #expect(
      refusal { try SQLiteRepository<Cased>(database) }
        == "Evocation cannot map the property \"Name\" of Cased, because \(reason)")
    #expect(
      refusal { try SQLiteRepository<Nameless>(database) }
        == "Evocation cannot map Nameless, because \(reason)")
    #expect(
      refusal { try SQLiteRepository<Cut>(database) }
        == "Evocation cannot map the property \"na\0me\" of Cut, because \(reason)")
  }

  private func refusal<Value>(_ body: () throws -> Value) -> String? {
    let error = #expect(throws: EvocationError.self) { _ = try body() }
    return error?.description
  }

  @Test func `A column that the model does not know is left alone`() async throws {
    _ = try SQLiteRepository<Car>(database)
    try await database.write { db in
      _ = try db.execute("ALTER TABLE car ADD COLUMN extra TEXT DEFAULT 'kept'")
    }
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 1, name: "a")])
    try await database.write { _ = try $0.execute("UPDATE car SET extra = 'mine'") }
    try await cars.storeOrUpdate([Car(id: 1, name: "b")])
    let row = try await database.read { try $0.rows("SELECT name, extra FROM car") }
    #expect(row.map(\.values) == [[.text("b"), .text("mine")]])
  }

  @Test func `Declared indexes are used`() async throws {
    _ = try SQLiteRepository<Car>(database, indexes: ["year", "owner.city"])
    for condition in ["year > 5", "evocation_json(owner -> '$.\"city\"') = 'x'"] {
      let plan = try await database.read { db in
        try db.rows("EXPLAIN QUERY PLAN SELECT * FROM car WHERE \(condition)")
      }
      #expect("\(plan)".contains("USING INDEX car("), "\(plan)")
    }
  }

  private struct Leaf: Codable, Identifiable, Equatable, Sendable {
    var id: String
    var note: String
    var weight: Double?
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func `A table is used as it is, whether its rows are in the tree of their keys or not`(
    _ end: String
  ) async throws {
    let leaves = (1...5).map { Leaf(id: "\($0)", note: "note \($0 % 2)", weight: nil) }
    let definition =
      "CREATE TABLE leaf (id TEXT NOT NULL, note TEXT NOT NULL, weight REAL, PRIMARY KEY (id))\(end)"
    let make = { @Sendable () throws -> SQLiteRepository<Leaf> in
      let database = try SQLiteDatabase.inMemory()
      try database.migrate([SQLiteMigration("make the table", definition)])
      return try SQLiteRepository<Leaf>(
        database, indexes: ["weight", .unique("weight", "id"), .fullText("note")])
    }
    let contract = RepositoryContract(leaves) { leaf in
      var leaf = leaf
      leaf.note += "!"
      return leaf
    }
    let report = await contract.report { try make() }
    #expect(report.violations == [])
    let repository = try make()
    _ = try await repository.store(leaves)
    #expect(
      try await repository.find(.matching("note 1")).value.map(\.id) == ["1", "3", "5"])
    try await repository.database.write {
      _ = try $0.execute("UPDATE leaf SET weight = 'heavy' WHERE id = '2'")
    }
    let rows = try await repository.unreadableRows()
    #expect(rows.map(\.id) == ["2"])
    try await repository.repair(rows[0], as: Data(#"{"id":"2","note":"note 0"}"#.utf8))
    #expect(try await repository.find(Criteria()).value == leaves)
    let found = try await repository.database.read {
      try $0.rows("SELECT sql FROM sqlite_schema WHERE name = 'leaf'").first?["sql"]
    }
    #expect(found == .text(definition))
  }
}
