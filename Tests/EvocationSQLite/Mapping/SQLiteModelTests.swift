import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

private struct Wheel: SQLiteModel {
  static let table = "wheels"
  static let key: [Criteria.Key] = ["car", "place"]
  static let indexes: [SQLiteIndex] = ["size", .unique("serial")]

  var car: Int
  var place: String
  var size: Double
  var serial: String?
  var id: String { "\(car)/\(place)" }
}

private struct Plain: SQLiteModel {
  var id: Int
}

private struct Person: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var email: String?
  var home: Home?

  struct Home: Codable, Sendable, Equatable { var city: String }
}

@Suite(.patient) struct SQLiteModelTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  private func names(_ type: String) async throws -> [Criteria.Scalar] {
    try await database.read { db in
      try db.rows(
        "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT GLOB 'sqlite_*' "
          + "AND name NOT GLOB 'evocation_*' ORDER BY name", [type]
      ).map { $0.values[0] }
    }
  }

  @Test func `A model names its table, key and indexes`() async throws {
    let wheels = try SQLiteRepository<Wheel>(database)
    try await wheels.store([
      Wheel(car: 1, place: "left", size: 17, serial: "a"),
      Wheel(car: 1, place: "right", size: 16, serial: nil),
    ])
    #expect(try await wheels.find(["size": 16]).value.map(\.place) == ["right"])
    #expect(try await names("table") == [.text("wheels")])
    #expect(try await names("index") == [.text("wheels(serial)"), .text("wheels(size)")])
  }

  @Test func `A model that says nothing gets what other models get`() async throws {
    let plain = try SQLiteRepository<Plain>(database)
    _ = try await plain.storeOne(Plain(id: 1))
    #expect(try await names("table") == [.text("plain")])
    #expect(try await names("index") == [])
  }

  @Test func `What a repository is given counts before what the model says`() async throws {
    _ = try SQLiteRepository<Wheel>(database, table: "others")
    _ = try SQLiteRepository<Wheel>(database, table: "rims", key: ["place"], indexes: [])
    #expect(try await names("table") == [.text("others"), .text("rims")])
    #expect(try await names("index") == [.text("others(serial)"), .text("others(size)")])
  }

  @Test func `A write that breaks a unique constraint names the column, and writes nothing`()
    async throws
  {
    let people = try SQLiteRepository<Person>(database, indexes: [.unique("email")])
    let (first, second) = (Person(id: 1, email: "secret"), Person(id: 2, email: "other"))
    try await people.store([first, second])
    let sentence =
      "Writing the table \"person\" in memory failed: the values of person.email have to be unique, "
      + "and two rows would have the same; change one of them."
    let twin = Person(id: 3, email: "secret")
    let writes: [@Sendable () async throws -> Void] = [
      { try await people.store([Person(id: 4), twin]) },
      { _ = try await people.storeOne(twin) },
      { try await people.storeOrUpdate([Person(id: 4), twin]) },
      { try await people.update([Person(id: 2, email: "secret")]) },
      { _ = try await people.updateOne(Person(id: 2, email: "secret")) },
      { try await people.storeOrUpdate([Person(id: 2, email: "secret")]) },
    ]
    for (index, write) in writes.enumerated() {
      let error = await #expect(throws: SQLiteError.self, "\(index)") { try await write() }
      #expect(error?.code == .constraint)
      #expect(error?.description == sentence)
      #expect(try await people.find(Criteria()).value == [first, second])
    }
  }

  @Test func `A constraint over what is nested names its index`() async throws {
    let people = try SQLiteRepository<Person>(database, indexes: [.unique("home.city", "email")])
    try await people.store([Person(id: 1, email: "a", home: .init(city: "x"))])
    // Those without a value do not count.
    try await people.store([Person(id: 2, email: "b"), Person(id: 3, email: "b")])
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await people.storeOne(Person(id: 4, email: "a", home: .init(city: "x")))
    }
    #expect(
      error?.description
        == "Writing the table \"person\" in memory failed: the values of index "
        + "'person(home.city,email)' have to be unique, and two rows would have the same; change one "
        + "of them.")
  }

  @Test func `A changed index is made anew, and one no longer declared is left alone`()
    async throws
  {
    func sql() async throws -> [Criteria.Scalar] {
      try await database.read { db in
        try db.rows("SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'person'")
          .map { $0.values[0] }
      }
    }
    _ = try SQLiteRepository<Person>(database, indexes: ["email"])
    #expect(
      try await sql() == [.text(#"CREATE INDEX "person(email)" ON "person" ("email")"#)])
    _ = try SQLiteRepository<Person>(database, indexes: ["email", .unique("email")])
    let unique = Criteria.Scalar.text(
      #"CREATE UNIQUE INDEX "person(email)" ON "person" ("email")"#)
    #expect(try await sql() == [unique])
    _ = try SQLiteRepository<Person>(database)
    #expect(try await sql() == [unique])
  }

  @Test func `A constraint that the rows break already is refused, and nothing is changed`()
    async throws
  {
    let people = try SQLiteRepository<Person>(database, indexes: ["email"])
    try await people.store([Person(id: 1, email: "a"), Person(id: 2, email: "a")])
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Person>(database, indexes: [.unique("email")])
    }
    #expect(error?.code == .constraint)
    #expect(
      error?.description
        == "Making an index of the table \"person\" in memory failed: the values of person.email "
        + "have to be unique, and two rows would have the same; change one of them.")
    #expect(try await names("index") == [.text("person(email)")])
    _ = try await people.storeOne(Person(id: 3, email: "a"))
  }

  @Test func `Tables and keys whose names run together have indexes of their own`() async throws {
    struct Part: Codable, Identifiable, Sendable {
      var id: Int
      var b: Int
      var a_b: Int
    }
    _ = try SQLiteRepository<Part>(database, table: "t", indexes: ["a_b"])
    _ = try SQLiteRepository<Part>(database, table: "t_a", indexes: ["b"])
    #expect(try await names("index") == [.text("t(a_b)"), .text("t_a(b)")])
  }

  @Test func `An index of no key, of a list, or of an unknown key is refused by name`() {
    #expect(throws: EvocationError.self) {
      try SQLiteRepository<Person>(database, indexes: [SQLiteIndex()])
    }
    let list = #expect(throws: EvocationError.self) {
      try SQLiteRepository<Car>(database, indexes: ["tags"])
    }
    #expect(
      list?.description == "Evocation cannot map the property \"tags\" of Car, because an index "
        + "takes single values, and it holds a list.")
    for key in ["emial", "email\0", "home.\"city"] {
      #expect(throws: EvocationError.self) {
        try SQLiteRepository<Person>(database, indexes: [SQLiteIndex(Criteria.Key(key))])
      }
    }
  }
}
