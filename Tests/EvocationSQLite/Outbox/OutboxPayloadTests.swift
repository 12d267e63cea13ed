import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// What the queue keeps of models, which is read by `JSONDecoder`.
@Suite(.patient) struct OutboxPayloadTests {
  /// Encodes what it is told to, past the keys that are its columns.
  private struct Odd: Codable, Identifiable, Sendable, Equatable {
    enum Way: String, Codable, CaseIterable { case plainly, twice, unknown, nested, parent }
    enum CodingKeys: CodingKey { case id, name, way, price }
    enum Other: CodingKey { case more }

    var id: Int
    var name: String
    var way = Way.plainly
    var price: Decimal?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      if way == .twice { try container.encode("first", forKey: .name) }
      try container.encode(name, forKey: .name)
      try container.encode(way, forKey: .way)
      try container.encodeIfPresent(price, forKey: .price)
      var others = encoder.container(keyedBy: Other.self)
      switch way {
      case .plainly, .twice: break
      case .unknown: try others.encode(id, forKey: .more)
      case .nested:
        var nested = others.nestedContainer(keyedBy: CodingKeys.self, forKey: .more)
        try nested.encode(name, forKey: .name)
      case .parent: try name.encode(to: others.superEncoder(forKey: .more))
      }
    }
  }

  private let database: SQLiteDatabase

  init() throws {
    database = try .inMemory()
  }

  /// The row of the model's entry: the JSON, and the model that it is read as.
  private func kept<Model>(
    _ model: Model, in repository: SQLiteRepository<Model>
  ) async throws -> (json: String, model: Model?) {
    let note = OutboxNote<Model>(queuedAt: Date(timeIntervalSinceReferenceDate: 1))
    _ = try await repository.queue(.storeOrUpdate, [model], note: note)
    let rows = try await database.read { access in
      try access.rows("SELECT model FROM evocation_entries ORDER BY position").map(\.values)
    }
    let records = try await repository.look(isShort: true) { transaction in
      try transaction.records(of: transaction.key(of: model))
    }
    try await repository.transact(isShort: true) { transaction in
      for record in records { try transaction.delete(record.position) }
    }
    guard case .text(let json)? = rows.last?.first else { return ("", nil) }
    return (json, records.last?.entry?.model)
  }

  @Test func `Any model is read as it was queued, from JSON that any reader takes`() async throws {
    var random = Trials.random("payloads")
    let plain = try SQLiteRepository<RandomModel>(database)
    let byHand = try SQLiteRepository<MappedRandomModel>(database)
    for step in 0..<300 {
      let model = random.model(id: random.count(0...20))
      let (json, read) = try await kept(model, in: plain)
      #expect([read].compactMap(\.self).coded == [model].coded, "step \(step)")
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      let expected = try JSONSerialization.jsonObject(with: Data([model].coded.utf8)) as? [Any]
      let wanted = (expected?.first as? [String: Any])?.keys
      #expect(object?.keys.filter { !(object?[$0] is NSNull) }.sorted() == wanted?.sorted())
      let mapped = try await kept(MappedRandomModel(model), in: byHand).model
      #expect([mapped?.model].compactMap(\.self).coded == [model].coded, "step \(step)")
    }
  }

  @Test func `Text of any characters is read as it was`() async throws {
    let repository = try SQLiteRepository<Odd>(database)
    let characters = (0..<0x30).map { String(UnicodeScalar(UInt8($0))) }
    for name in characters + ["", "\"\\/", "\u{2028}\u{7F}", "é🚗", "\u{10FFFF}", "\u{0}\u{1F}x\""] {
      let model = Odd(id: 1, name: name)
      let (json, read) = try await kept(model, in: repository)
      #expect(read == model)
      #expect((try? JSONSerialization.jsonObject(with: Data(json.utf8))) != nil, "\(json)")
    }
  }

  @Test(arguments: Odd.Way.allCases)
  private func `A model that encodes more than its columns is kept as JSONEncoder writes it`(
    way: Odd.Way
  ) async throws {
    let repository = try SQLiteRepository<Odd>(database)
    // What the first one did must not be held against those after it, nor the other way round.
    for way in [Odd.Way.plainly, way, .plainly] {
      let model = Odd(id: 1, name: "last", way: way)
      let (json, read) = try await kept(model, in: repository)
      #expect(read == model)
      let (found, wanted) = (
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary,
        try JSONSerialization.jsonObject(with: JSONEncoder().encode(model)) as? NSDictionary
      )
      #expect(found == wanted)
    }
  }

  @Test func `A decimal that is not a number is refused, with nothing done`() async throws {
    let repository = try SQLiteRepository<Odd>(database)
    let note = OutboxNote<Odd>(queuedAt: Date(timeIntervalSinceReferenceDate: 1))
    for price in [Decimal(string: "-0.1"), Decimal(string: "1e30"), 3] {
      #expect(
        try await kept(Odd(id: 1, name: "", price: price), in: repository).model?.price == price)
    }
    _ = try? await repository.queue(.store, [Odd(id: 2, name: "", price: .nan)], note: note)
    let found = try await repository.find(Criteria()).value.map(\.id)
    let records = try await repository.look(isShort: true) { try $0.records(of: "2") }
    #expect(found.contains(2) == !records.isEmpty)
    #expect(records.allSatisfy { $0.entry?.model.price?.isNaN != false })
  }
}
