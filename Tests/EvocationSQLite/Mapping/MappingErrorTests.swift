import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// A model whose mapping makes mistakes, each with another id.
private struct Odd: SQLiteMappedModel, Equatable {
  enum CodingKeys: CodingKey, CaseIterable { case id, name, note, gear }

  var id: Int
  var name = ""
  var note: String?
  var gear = Gear.first
}

extension Odd {
  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    id = try row.read(.id)
    switch id {
    case 1: _ = try row.read(.name, as: Int.self)
    case 2: _ = try row.read(.name, as: Gear.self)
    case 3: _ = try row.readIfPresent(.id, as: UInt64.self)
    default: break
    }
    name = try row.read(.name)
    note = id == 4 ? try row.read(.note, as: String.self) : try row.readIfPresent(.note)
    gear = try row.read(.gear)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(id, to: .id)
    switch id {
    case 11: return
    case 12: try row.write(name, to: .name)
    case 13: return try row.write(1, to: .name)
    case 14: return try row.write(Gear.second, to: .name)
    case 15: try row.writeIfPresent(String?.none, to: .note)
    default: break
    }
    try row.write(name, to: .name)
    try row.writeIfPresent(note, to: .note)
    try row.write(gear, to: .gear)
  }
}

/// A model whose `CodingKeys` are not what it is coded with.
private struct Misspelt<Keys: CodingKey & CaseIterable>: SQLiteMappedModel {
  typealias CodingKeys = Keys

  private enum Coded: CodingKey { case id, name }

  var id: Int
  var name: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Coded.self)
    id = try container.decode(Int.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Coded.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
  }

  init(row: borrowing SQLiteRowReader<CodingKeys>) throws { (id, name) = (0, "") }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {}
}

private enum Wrong: String, CodingKey, CaseIterable {
  case id
  case name = "nmae"
}

private enum Few: CodingKey, CaseIterable { case id }

@Suite(.patient) struct MappingErrorTests {
  private let odd: SQLiteRepository<Odd>

  init() throws {
    odd = try SQLiteRepository(.inMemory())
  }

  private func insert(_ id: Int, note: String? = "a") async throws {
    try await odd.database.write { db in
      _ = try db.execute("INSERT INTO odd VALUES (?, 'x', ?, 1)", [id, note])
    }
  }

  @Test func `A key that is no column is refused by name, with the nearest`() throws {
    let database = try SQLiteDatabase.inMemory()
    let error = #expect(throws: EvocationError.self) {
      try SQLiteRepository<Misspelt<Wrong>>(database, table: "t")
    }
    #expect(error?.description == "Misspelt<Wrong> has no key \"nmae\"; did you mean \"name\"?")
  }

  @Test func `A column without a key is refused by name`() throws {
    let database = try SQLiteDatabase.inMemory()
    let error = #expect(throws: EvocationError.self) {
      try SQLiteRepository<Misspelt<Few>>(database, table: "t")
    }
    #expect(
      error?.description
        == "Evocation cannot map the property \"name\" of Misspelt<Few>, because its CodingKeys "
        + "have no case of this name, so the mapping by hand can neither read nor write it.")
  }

  @Test(arguments: [
    (1, "\"name\" holds text, and Odd reads Int from it"),
    (2, "\"name\" holds text, and Odd reads Gear from it"),
    (3, "\"id\" holds a whole number, and Odd reads UInt64 from it"),
  ]) func `A type that is not the column's is refused when it is read`(
    _ id: Int, _ reason: String
  ) async throws {
    try await insert(id)
    let error = await #expect(throws: SQLiteError.self) { try await odd.find(Criteria()) }
    #expect(error?.code == .misuse)
    #expect(
      error?.description == "Reading the table \"odd\" failed: the column \(reason); use the type "
        + "that the property has.")
  }

  @Test(arguments: [
    (
      11,
      "Odd did not write \"name\", \"note\", \"gear\"; write each column once, with "
        + "writeIfPresent for values that may be nil."
    ),
    (12, "Odd wrote \"name\" twice; write each column once."),
    (
      13,
      "the column \"name\" holds text, and Odd writes Int to it; use the type that the property "
        + "has."
    ),
    (
      14,
      "the column \"name\" holds text, and Odd writes Gear to it; use the type that the property "
        + "has."
    ),
    (15, "Odd wrote \"note\" twice; write each column once."),
  ])
  func `A column not written, written twice, or with another type, is refused and nothing stored`(
    _ id: Int, _ reason: String
  ) async throws {
    for count in [1, 2, 60] {
      let models = (0..<count).map { Odd(id: $0 == count - 1 ? id : 100 + $0) }
      let error = await #expect(throws: SQLiteError.self) { try await odd.store(models) }
      #expect(error?.code == .misuse)
      #expect(error?.description == "Writing the table \"odd\" failed: \(reason)")
    }
    #expect(try await odd.find(Criteria()).value == [])
    try await odd.store([Odd(id: 5), Odd(id: 6, note: "b")])
    #expect(try await odd.find(Criteria()).value == [Odd(id: 5), Odd(id: 6, note: "b")])
  }

  @Test func `Null where a value is read is the decoding error that Codable would give`()
    async throws
  {
    try await insert(4, note: nil)
    let error = await #expect(throws: SQLiteError.self) { try await odd.find(Criteria()) }
    guard case .valueNotFound(let type, let context) = error?.underlying as? DecodingError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect("\(type)" == "String")
    #expect(context.codingPath.map(\.stringValue) == ["note"])
    #expect(context.debugDescription == "The column is null.")
  }

  @Test func `What a column should not hold is the decoding error that Codable would give`()
    async throws
  {
    try await odd.database.write { db in
      _ = try db.execute("INSERT INTO odd VALUES (5, x'00', NULL, 1)")
    }
    let error = await #expect(throws: SQLiteError.self) { try await odd.find(Criteria()) }
    guard case .typeMismatch(_, let context) = error?.underlying as? DecodingError else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["name"])
    #expect(context.debugDescription == "The column holds another type.")
  }
}
