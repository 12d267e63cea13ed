import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Codes itself by hand, with every kind of container.
private struct Custom: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var left: Int
  var right: String?
  var numbers: [Double]
  var base: Date
  var wrapped: Wrapped
  var either: Either
  var explicit: Date?

  struct Wrapped: Codable, Sendable, Equatable {
    var value: UUID

    init(value: UUID) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(UUID.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// A number or text, as it comes.
  enum Either: Codable, Sendable, Equatable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  enum Key: String, CodingKey {
    case id = "ID number"
    case sides = "the \"sides\""
    case numbers, base, wrapped, either, explicit
  }

  enum Side: String, CodingKey { case left, right }
}

extension Custom {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(Int.self, forKey: .id)
    let sides = try container.nestedContainer(keyedBy: Side.self, forKey: .sides)
    left = try sides.decode(Int.self, forKey: .left)
    right = try sides.decodeIfPresent(String.self, forKey: .right)
    var list = try container.nestedUnkeyedContainer(forKey: .numbers)
    numbers = []
    while !list.isAtEnd { numbers.append(try list.decode(Double.self)) }
    base = try Date(from: container.superDecoder(forKey: .base))
    wrapped = try container.decode(Wrapped.self, forKey: .wrapped)
    either = try container.decode(Either.self, forKey: .either)
    explicit = try container.decode(Date?.self, forKey: .explicit)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    var sides = container.nestedContainer(keyedBy: Side.self, forKey: .sides)
    try sides.encode(left, forKey: .left)
    try sides.encodeIfPresent(right, forKey: .right)
    var list = container.nestedUnkeyedContainer(forKey: .numbers)
    for number in numbers { try list.encode(number) }
    try base.encode(to: container.superEncoder(forKey: .base))
    try container.encode(wrapped, forKey: .wrapped)
    try container.encode(either, forKey: .either)
    try container.encode(explicit, forKey: .explicit)
  }
}

/// Hands its whole coding to another type.
private struct Delegating: Codable, Identifiable, Sendable, Equatable {
  var car: Car
  var id: Int { car.id }

  init(_ car: Car) { self.car = car }
  init(from decoder: any Decoder) throws { car = try Car(from: decoder) }
  func encode(to encoder: any Encoder) throws { try car.encode(to: encoder) }
}

/// Two classes with coding keys of their own share one row.
private class Base: Codable {
  let id: Int
  let first: String

  enum CodingKeys: String, CodingKey { case id, first }

  init(id: Int, first: String) {
    self.id = id
    self.first = first
  }
}

private final class Derived: Base, Identifiable, @unchecked Sendable {  // it has no variables
  let second: String
  let third: Int

  enum Key: String, CodingKey { case third, second }

  init(id: Int, first: String, second: String, third: Int) {
    self.second = second
    self.third = third
    super.init(id: id, first: first)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    second = try container.decode(String.self, forKey: .second)
    third = try container.decode(Int.self, forKey: .third)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(third, forKey: .third)
    try container.encode(second, forKey: .second)
    try super.encode(to: encoder)
  }
}

/// Asks rows of some ids for what nobody can tell by its type alone.
private struct Moody: Codable, Identifiable, Sendable, Equatable {
  enum CodingKeys: CodingKey { case id, more }

  var id: Int

  init(id: Int) { self.id = id }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    if id == 7 { _ = try container.decode(String.self, forKey: .more) }
    if id == 8 { _ = try decoder.unkeyedContainer() }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}

@Suite(.patient) struct CustomCodingTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase.inMemory()
  }

  @Test func `Nested containers, super coders and single values come back`() async throws {
    let repository = try SQLiteRepository<Custom>(database, key: ["ID number"])
    let models = [
      Custom(
        id: 1, left: 5, right: "r\0", numbers: [.infinity, 0.1],
        base: Date(timeIntervalSinceReferenceDate: 0.3), wrapped: .init(value: UUID()),
        either: .number(5), explicit: Date(timeIntervalSinceReferenceDate: 1)),
      Custom(
        id: 2, left: -5, right: nil, numbers: [], base: .distantPast,
        wrapped: .init(value: UUID()), either: .text("5"), explicit: nil),
    ]
    try await repository.store(models)
    #expect(try await repository.find(Criteria()).value == models)
    #expect(try await repository.find(["ID number": 2]).value == [models[1]])
  }

  @Test func `A model that codes itself as another one comes back`() async throws {
    let repository = try SQLiteRepository<Delegating>(database)
    let model = Delegating(Car(id: 3, name: "x", year: nil, tags: ["a"]))
    try await repository.store([model])
    #expect(try await repository.find(Criteria()).value == [model])
  }

  @Test func `Two kinds of coding keys share one row`() async throws {
    let repository = try SQLiteRepository<Derived>(database)
    try await repository.store([
      Derived(id: 1, first: "a", second: "b", third: 3),
      Derived(id: 2, first: "c", second: "d", third: 4),
    ])
    let found = try await repository.find(Criteria()).value
    #expect(found.map(\.first) == ["a", "c"])
    #expect(found.map(\.second) == ["b", "d"])
    #expect(found.map(\.third) == [3, 4])
  }

  @Test(
    arguments: [
      (7, "more", "The table has no column of this name."),
      (8, nil, "A row has keys, and the model asks for elements without keys."),
    ] as [(Int, String?, String)])
  func `A row that cannot be what its model asks for is a decoding error, and no other row is`(
    id: Int, key: String?, reason: String
  ) async throws {
    let repository = try SQLiteRepository<Moody>(database)
    try await repository.store([Moody(id: id), Moody(id: 9)])
    let error = await #expect(throws: SQLiteError.self) { try await repository.find(["id": id]) }
    switch error?.underlying as? DecodingError {
    case .keyNotFound(let missing, let context):
      #expect(missing.stringValue == key)
      #expect(context.debugDescription == reason)
    case .typeMismatch(_, let context):
      #expect(key == nil)
      #expect(context.debugDescription == reason)
    default: Issue.record("another error: \(String(describing: error))")
    }
    #expect(try await repository.find(["id": 9]).value == [Moody(id: 9)])
  }

  @Test func `What a model does not encode is null, whatever stood there before`() async throws {
    struct Sparse: Codable, Identifiable, Sendable, Equatable {
      var id: Int
      var note: String?
      enum CodingKeys: String, CodingKey { case id, note }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if let note { try container.encode(note, forKey: .note) }
      }
    }
    let repository = try SQLiteRepository<Sparse>(database)
    let models = [Sparse(id: 1, note: "a"), Sparse(id: 2, note: nil)]
    try await repository.store(models)
    #expect(try await repository.find(Criteria()).value == models)
  }
}
