import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

struct Ride: SQLiteMappedModel {
  enum CodingKeys: CodingKey, CaseIterable { case id, city, start, note }

  var id: Int
  var city: String
  var start: Date
  var note: String?
}

extension Ride {
  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    id = try row.read(.id)
    city = try row.read(.city)
    start = try row.read(.start)
    note = try row.readIfPresent(.note)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(id, to: .id)
    try row.write(city, to: .city)
    try row.write(start, to: .start)
    try row.writeIfPresent(note, to: .note)
  }
}

/// The next version of a ride, with a key type of its own and a default.
private struct LongRide: SQLiteMappedModel, Equatable {
  struct CodingKeys: CodingKey, CaseIterable {
    static let id = CodingKeys("id")
    static let city = CodingKeys("city")
    static let wheels = CodingKeys("wheels")
    static let allCases = [id, city, wheels]

    let stringValue: String
    var intValue: Int? { nil }

    private init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var id: Int
  var city: String
  var wheels = 4
}

extension LongRide {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    city = try container.decode(String.self, forKey: .city)
    wheels = try container.decodeIfPresent(Int.self, forKey: .wheels) ?? 4
  }

  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    id = try row.read(.id)
    city = try row.read(.city)
    wheels = try row.readIfPresent(.wheels) ?? 4
    if id < 0, let key = CodingKeys(stringValue: "citty") {
      _ = try row.readIfPresent(key, as: Int.self)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(city, forKey: .city)
    try container.encode(wheels, forKey: .wheels)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(id, to: .id)
    try row.write(city, to: .city)
    try row.write(wheels, to: .wheels)
  }
}

/// A model of nothing but its id, whose key takes no byte at all.
private struct Bare: SQLiteMappedModel, Equatable {
  enum CodingKeys: CodingKey, CaseIterable { case id }

  var id: UUID

  init(id: UUID) { self.id = id }

  init(row: borrowing SQLiteRowReader<CodingKeys>) throws { id = try row.read(.id) }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws { try row.write(id, to: .id) }
}

@Suite(.patient) struct MappedSampleTests {
  @Test func `A mapping by hand is used without being mentioned`() async throws {
    let rides = try SQLiteRepository<Ride>(.inMemory(), indexes: ["city"])
    let start = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    try await rides.store([
      Ride(id: 1, city: "Bonn", start: start), Ride(id: 2, city: "Ulm", start: start, note: "x"),
    ])
    let found = try await rides.find(["city": "Ulm"]).value
    #expect(found.map(\.note) == ["x"])
    #expect(found.map(\.start) == [start])
  }

  @Test func `A new property with a default becomes a column, and old rows have the default`()
    async throws
  {
    let folder = try TemporaryFolder()
    let first = try SQLiteDatabase(path: folder.path())
    struct Old: Codable, Identifiable, Sendable {
      var id: Int
      var city: String
    }
    try await SQLiteRepository<Old>(first, table: "longRide").store([Old(id: 1, city: "Ulm")])
    await first.close()
    let rides = try SQLiteRepository<LongRide>(SQLiteDatabase(path: folder.path()))
    try await rides.store([LongRide(id: 2, city: "Bonn", wheels: 3)])
    #expect(try await rides.find(["wheels": 4]).value == [LongRide(id: 1, city: "Ulm")])
    #expect(try await rides.find(Criteria()).value.map(\.wheels) == [4, 3])
  }

  @Test func `A key that is made up while reading is refused`() async throws {
    let rides = try SQLiteRepository<LongRide>(.inMemory())
    try await rides.store([LongRide(id: -1, city: "Ulm")])
    let error = await #expect(throws: SQLiteError.self) { try await rides.find(Criteria()) }
    #expect(
      error?.description == "Mapping LongRide to the table \"longRide\" failed: it uses a key "
        + "that is not one of the cases of its CodingKeys; use only these.")
  }

  @Test func `A model of nothing but its id is mapped too`() async throws {
    let bare = try SQLiteRepository<Bare>(.inMemory())
    let models = Pool.uuids.map { Bare(id: $0) }
    try await bare.store(models)
    #expect(Set(try await bare.find(Criteria()).value.map(\.id)) == Set(models.map(\.id)))
    #expect(try await bare.remove(models).value.count == models.count)
  }
}
