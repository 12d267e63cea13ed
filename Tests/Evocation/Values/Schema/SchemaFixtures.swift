import Evocation
import Foundation

/// Types of every shape that a schema is read from.
enum Sampled {
  struct Plain: Codable {
    var flag: Bool
    var int: Int
    var small: Int8
    var large: UInt64
    var word: UInt32
    var real: Double
    var float: Float
    var price: Decimal
    var name: String
    var id: UUID
    var link: URL
    var at: Date
    var bytes: Data
    var nickname: String?
    var seen: Date?
  }

  enum Color: String, Codable { case red, green }
  enum Level: Int, Codable { case low = 5, high = 9 }
  enum Only: String, Codable { case one }
  enum Listed: String, Codable, CaseIterable { case first, second }
  enum Unraw: Codable, CaseIterable { case a, b }
  enum Shape: Codable {
    case circle(radius: Double)
    case square(side: Double)
  }
  struct Percent: RawRepresentable, Codable { var rawValue: Int }
  struct Options: OptionSet, Codable { let rawValue: UInt8 }

  struct Enums: Codable {
    var color: Color
    var other: Color?
    var level: Level
    var only: Only
    var listed: Listed
    var unraw: Unraw
    var shape: Shape
    var maybeShape: Shape?
    var percent: Percent
    var options: Options
  }

  struct Address: Codable {
    var city: String
    var zip: Int?
  }

  struct Nested: Codable {
    var home: Address
    var work: Address?
    var names: [String]
    var sets: Set<Int>
    var colors: [Color]
    var homes: [Address]
    var maybe: [Int?]
    var table: [String: Int]
    var byColor: [Color: Int]
    var point: CGPoint
    var range: ClosedRange<Int>
  }

  struct Tree: Codable {
    var name: String
    var children: [Tree]
  }

  final class Node: Codable {
    var name = ""
    var next: Node?
  }

  final class Ring: Codable {
    let next: Ring
  }

  class Animal: Codable {
    var legs: Int
  }

  final class Dog: Animal {
    var name: String

    enum CodingKeys: String, CodingKey { case name }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }
  }

  final class Cat: Animal {
    var lives: Int

    enum CodingKeys: String, CodingKey { case lives }

    required init(from decoder: any Decoder) throws {
      lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
      try super.init(from: decoder)
    }
  }

  struct Keys: Codable {
    var name: String
    var updatedAt: Date

    enum CodingKeys: String, CodingKey {
      case updatedAt = "updated_at"
      case name = "full name"
    }
  }

  struct Defaults: Codable {
    var count: Int
    var tag: String
    var city: String

    enum CodingKeys: String, CodingKey { case count, tag, home }
    enum HomeKeys: String, CodingKey { case city }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 3
      tag =
        container.contains(.tag) ? try container.decode(String.self, forKey: .tag) : "none"
      city = try container.nestedContainer(keyedBy: HomeKeys.self, forKey: .home)
        .decode(String.self, forKey: .city)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(count, forKey: .count)
      try container.encode(tag, forKey: .tag)
      var home = container.nestedContainer(keyedBy: HomeKeys.self, forKey: .home)
      try home.encode(city, forKey: .city)
    }
  }

  @propertyWrapper
  struct Clamped: Codable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Wrapped: Codable {
    @Clamped var age: Int
  }

  struct Page<Item: Codable>: Codable {
    var items: [Item]
    var best: Item?
  }

  /// Takes text or a number, and is therefore neither.
  struct Either: Codable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(String.self)) ?? "\(container.decode(Int.self))"
    }

    func encode(to encoder: any Encoder) throws {}
  }

  struct Holder<Value: Codable>: Codable {
    var value: Value
  }

  struct Empty: Codable {}
}
