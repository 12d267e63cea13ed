import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct MappingTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  @Test func `Every type comes back as it was`() async throws {
    let repository = try SQLiteRepository<Everything>(database)
    let models = [Everything.least, .greatest]
    try await repository.store(models)
    #expect(try await repository.find(Criteria()).value == models)
  }

  @Test func `NaN comes back as NaN`() async throws {
    struct Reading: Codable, Identifiable, Sendable {
      var id: Int
      var double: Double
      var float: Float
      var list: [Double]
      var decimal: Decimal
    }
    let repository = try SQLiteRepository<Reading>(database)
    try await repository.store([
      Reading(id: 1, double: .nan, float: .nan, list: [.nan], decimal: .nan)
    ])
    let back = try #require(try await repository.findOne(["id": 1]).value)
    #expect(back.double.isNaN)
    #expect(back.float.isNaN)
    #expect(back.list.first?.isNaN == true)
    #expect(back.decimal.isNaN)
  }

  @Test func `Nil is null, and empty is not`() async throws {
    let repository = try SQLiteRepository<Optionals>(database)
    let models = [
      Optionals(id: "a"),
      Optionals(
        id: "b", isOn: false, int: 0, uint64: .max, double: 0, decimal: 0, text: "",
        date: Date(timeIntervalSinceReferenceDate: 0), uuid: Everything.least.id, data: Data(),
        url: URL(string: "a:"), fuel: .petrol, payload: .text(""), list: [nil],
        owner: Car.Owner(city: "")),
    ]
    try await repository.store(models)
    #expect(try await repository.find(Criteria()).value == models)
    let row = try await database.read { try $0.rows("SELECT * FROM optionals WHERE id = 'a'") }
    #expect(row.first?.values.dropFirst().allSatisfy { $0 == .null } == true)
  }

  @Test func `A column has the type and form that the documentation names`() async throws {
    let repository = try SQLiteRepository<Everything>(database)
    try await repository.store([.greatest])
    let types = try await database.read { db in
      try db.rows("SELECT name, type FROM pragma_table_info('everything')").map { row in
        row.values.map { if case .text(let text) = $0 { text } else { "" } }.joined(separator: " ")
      }
    }
    #expect(
      types.sorted() == [
        "data BLOB", "date REAL", "decimal TEXT", "dictionary TEXT", "double REAL", "float REAL",
        "fuel TEXT", "gear INTEGER", "id BLOB", "int INTEGER", "int16 INTEGER", "int32 INTEGER",
        "int64 INTEGER", "int8 INTEGER", "isOn INTEGER", "list TEXT", "nested TEXT", "owner TEXT",
        "payload TEXT", "text TEXT", "uint INT", "uint16 INTEGER", "uint32 INTEGER", "uint64 INT",
        "uint8 INTEGER", "url TEXT",
      ])
    let row = try await database.read { try $0.rows("SELECT * FROM everything").first }
    #expect(row?["uint64"] == .data(Data(repeating: 255, count: 8)))
    #expect(row?["date"] == .real(0.1 + 0.2))
    #expect(row?["isOn"] == .integer(1))
    #expect(row?["fuel"] == .text("diesel"))
    #expect(row?["list"] == .text(#"["inf","-inf",0.1,1e+300]"#))
    #expect(row?["dictionary"] == .text(#"{"":0,"a.b":2,"ü":-1}"#))
    #expect(row?["decimal"] == .text(Decimal.greatestFiniteMagnitude.description))
  }

  @Test func `A row written with SQL is read as a model`() async throws {
    let repository = try SQLiteRepository<Car>(database)
    try await database.write { db in
      _ = try db.execute(
        "INSERT INTO car (id, name, year, price, tags, owner) VALUES (?, ?, ?, ?, ?, ?)",
        [7, "Kadett", 1984, 900, #"["red"]"#, #"{"city":"Bonn"}"#])
    }
    #expect(
      try await repository.find(Criteria()).value == [
        Car(
          id: 7, name: "Kadett", year: 1984, price: 900, tags: ["red"],
          owner: Car.Owner(city: "Bonn"))
      ])
  }

  @Test func `A column of another type is a decoding error that names it`() async throws {
    let repository = try SQLiteRepository<Car>(database)
    try await database.write { db in
      _ = try db.execute("INSERT INTO car VALUES (1, x'00', NULL, 1, '[]', NULL)")
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await repository.find(Criteria())
    }
    guard case .typeMismatch(_, let context) = error?.underlying as? DecodingError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["name"])
  }

  @Test func `Text longer than any buffer comes back`() async throws {
    let repository = try SQLiteRepository<Car>(database)
    let models = (0..<5).map { Car(id: $0, name: String(repeating: "ä", count: 1000 << (3 * $0))) }
    try await repository.store(models)
    try await repository.storeOrUpdate(models)
    #expect(try await repository.find(Criteria()).value == models)
  }

  @Test func `A nested decimal that is no number is refused, because JSON would be broken`()
    async throws
  {
    struct Priced: Codable, Identifiable, Sendable {
      var id: Int
      var prices: [Decimal]
      var note = "NaN"
    }
    let repository = try SQLiteRepository<Priced>(database)
    try await repository.store([Priced(id: 1, prices: [1.5])])
    await #expect(throws: EncodingError.self) {
      try await repository.store([Priced(id: 2, prices: [1]), Priced(id: 3, prices: [.nan])])
    }
    #expect(try await repository.find(Criteria()).value.map(\.id) == [1])
  }

  @Test func `A nested key with a quote is refused, because a path cannot name it`() async throws {
    struct Open: Codable, Identifiable, Sendable {
      var id: Int
      var open: [String: Int]
    }
    let repository = try SQLiteRepository<Open>(database)
    try await repository.store([Open(id: 1, open: ["a\"b": 1, "a'b": 2, "ü/": 3])])
    await #expect(throws: EvocationError.self) { try await repository.find(["open.a\"b": 1]) }
    await #expect(throws: EvocationError.self) { try await repository.find(["open.a\\b": 1]) }
    #expect(try await repository.find(["open.a'b": 2, "open.ü/": 3]).value.count == 1)
  }
}
