import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

private enum ShapeKeys: CodingKey { case id, corners, radius, side }

/// A model in which a number decides which keys it reads, of which no probe tries all.
private struct Shape: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var corners: Int
  var radius: Double?
  var side: Double?

  init(id: Int, side: Double?) {
    (self.id, self.side, corners) = (id, side, side == nil ? 0 : 4)
    if side == nil { radius = 1 }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ShapeKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    corners = try container.decode(Int.self, forKey: .corners)
    switch corners {
    case 4: side = try container.decodeIfPresent(Double.self, forKey: .side)
    default: radius = try container.decodeIfPresent(Double.self, forKey: .radius)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ShapeKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(corners, forKey: .corners)
    try container.encodeIfPresent(radius, forKey: .radius)
    try container.encodeIfPresent(side, forKey: .side)
  }
}

/// The same with an example of each shape.
private struct Shown: CodableExample, Identifiable, Sendable, Equatable {
  var shape: Shape
  var id: Int { shape.id }
  init(id: Int, side: Double?) { shape = Shape(id: id, side: side) }
  init(from decoder: any Decoder) throws { shape = try Shape(from: decoder) }
  func encode(to encoder: any Encoder) throws { try shape.encode(to: encoder) }

  static var example: Shown { Shown(id: 1, side: nil) }
  static var examples: [Shown] { [example, Shown(id: 2, side: 2)] }
}

/// Encodes keys that it never reads, and null under a key that it reads for some ids.
private struct Sent: Codable, Identifiable, Sendable, Equatable {
  enum CodingKeys: CodingKey { case id, name, label, more }

  var id: Int
  var name: String

  init(id: Int, name: String) { (self.id, self.name) = (id, name) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    if id == 7 { _ = try container.decodeIfPresent(String.self, forKey: .more) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode("\(id): \(name)", forKey: .label)
    try container.encodeNil(forKey: .more)
  }
}

/// A class, whose subclass has a key more.
private class Base: Codable, Identifiable, @unchecked Sendable {  // it has no variables
  let id: Int
  init(id: Int) { self.id = id }
}

private final class Derived: Base, @unchecked Sendable {  // neither
  let more: String
  enum CodingKeys: CodingKey { case more }

  init(id: Int, more: String) {
    self.more = more
    super.init(id: id)
  }

  required init(from decoder: any Decoder) throws {
    more = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .more)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(more, forKey: .more)
  }
}

@Suite(.patient) struct UnlearnedKeyTests {
  private let database: SQLiteDatabase
  private static let refusal = EvocationError.unmappable(
    model: "Shape", property: "side", reason: "")

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  @Test func `a value that the table has no column for is refused, and nothing is stored`()
    async throws
  {
    let shapes = try SQLiteRepository<Shape>(database)
    let square = Shape(id: 2, side: 2)
    try await shapes.store([Shape(id: 1, side: nil), Shape(id: 3, side: nil)])
    for models in [[square], [Shape(id: 4, side: nil), square]] {
      await #expect(throws: Self.refusal) { try await shapes.store(models) }
      await #expect(throws: Self.refusal) { try await shapes.storeOrUpdate(models) }
      await #expect(throws: Self.refusal) { try await shapes.mirror(models, for: Criteria()) }
    }
    await #expect(throws: Self.refusal) { try await shapes.storeOne(square) }
    await #expect(throws: Self.refusal) { try await shapes.update([Shape(id: 1, side: 2)]) }
    await #expect(throws: Self.refusal) { try await shapes.updateOne(Shape(id: 1, side: 2)) }
    #expect(
      try await shapes.find(Criteria()).value
        == [Shape(id: 1, side: nil), Shape(id: 3, side: nil)])
  }

  @Test func `the error names the key and the way out`() async throws {
    let shapes = try SQLiteRepository<Shape>(database)
    let error = await #expect(throws: EvocationError.self) {
      try await shapes.storeOne(Shape(id: 2, side: 2))
    }
    #expect(
      error?.description
        == "Evocation cannot map the property \"side\" of Shape, because its table has no column for "
        + "this key, which the type reads for some values only; make Shape conform to "
        + "CodableExample with one example of each shape, or read the key with decodeIfPresent for "
        + "every value.")
    #expect(error.map { FailureKind($0) } == .permanent)
  }

  @Test func `an example of each shape gives each key a column`() async throws {
    let shapes = try SQLiteRepository<Shown>(database)
    let models = [Shown(id: 1, side: nil), Shown(id: 2, side: 2)]
    try await shapes.store(models)
    #expect(try await shapes.find(Criteria()).value == models)
    #expect(try await shapes.find(["side": 2.0]).value == [models[1]])
  }

  @Test func `a model that cannot be stored can be removed`() async throws {
    let shapes = try SQLiteRepository<Shape>(database)
    try await shapes.store([Shape(id: 2, side: nil)])
    #expect(try await shapes.remove([Shape(id: 2, side: 2)]).value.map(\.id) == [2])
    #expect(try await shapes.removeOne(Shape(id: 2, side: 2)).value == nil)
  }

  @Test func `null, and what the type never reads, need no column`() async throws {
    let sent = try SQLiteRepository<Sent>(database)
    let models = [Sent(id: 1, name: "a"), Sent(id: 7, name: "b")]
    try await sent.store(models)
    try await sent.update(models)
    #expect(try await sent.find(Criteria()).value == models)
  }

  @Test func `what only a subclass has is refused`() async throws {
    let bases = try SQLiteRepository<Base>(database)
    try await bases.store([Base(id: 1)])
    await #expect(throws: EvocationError.unmappable(model: "Base", property: "more", reason: "")) {
      try await bases.store([Derived(id: 2, more: "x")])
    }
    #expect(try await bases.count(Criteria()) == 1)
  }

  @Test func `a fetch that brings such a model says so, and loses nothing`() async throws {
    let shapes = try SQLiteRepository<Shape>(database)
    let circle = Shape(id: 1, side: nil)
    try await shapes.store([circle])
    let remote = InMemoryRepository([Shape(id: 2, side: 2), Shape(id: 3, side: nil)])
    for strategy in [Strategy.remoteFirst, .default(), .offlineFirst] {
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      evocation.register(for: Shape.self).repository(remote: remote).repository(local: shapes)
        .strategy(strategy)
      let found = await evocation.find(model: Shape.self, criteria: ["id": 2])
      #expect(found.data == [Shape(id: 2, side: 2)] && found.origin == .remote)
      #expect(found.synchronizationError as? EvocationError == Self.refusal)
      #expect(try await shapes.find(Criteria()).value == [circle])
      let cache = evocation.cache(Shape.self)
      guard case .failed(let error) = try await cache.refresh(force: true) else {
        Issue.record("a refresh that saved nothing")
        continue
      }
      #expect(error as? EvocationError == Self.refusal)
      #expect(try await shapes.find(Criteria()).value == [circle])
    }
  }

  @Test func `a write that would be sent later is refused, and nothing is queued`() async throws {
    let shapes = try SQLiteRepository<Shape>(database)
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Shape.self).repository(remote: InMemoryRepository<Shape>())
      .repository(local: shapes).strategy(.offlineFirst)
    let stored = await evocation.storeOne(Shape(id: 2, side: 2))
    #expect(stored.error as? EvocationError == Self.refusal && !stored.isPending)
    #expect(try await evocation.outbox.entries(of: Shape.self).isEmpty)
    #expect(try await shapes.count(Criteria()) == 0)
  }

  @Test func `a page with such a model is not saved, and the list says why`() async throws {
    let shapes = try SQLiteRepository<Shape>(database)
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Shape.self)
      .repository(remote: InMemoryRepository([Shape(id: 2, side: 2)]))
      .repository(local: shapes).strategy(.offlineFirst)
    let list = evocation.pagingCache(Shape.self, pageSize: 5)
    guard case .failed(let error) = try await list.refresh(force: true) else {
      Issue.record("a refresh that saved nothing")
      return
    }
    #expect(error as? EvocationError == Self.refusal)
    #expect(try await shapes.count(Criteria()) == 0)
  }
}
