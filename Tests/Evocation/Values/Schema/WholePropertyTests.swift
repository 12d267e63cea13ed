import Evocation
import Foundation
import TestTraits
import Testing

/// Key paths of properties that are no single values, or that only some models have.
@Suite(.patient) struct WholePropertyTests {
  struct Address: Codable, Sendable {
    var street: String
    var zip: Int?
  }

  enum Size: Codable, Sendable { case small, custom(Int) }

  struct Mail: CodableExample, Sendable {
    var text: String
    static var example: Mail { Mail(text: "a@example.org") }

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.contains("@") else { throw CocoaError(.coderInvalidValue) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Parcel: Codable, Identifiable, Sendable {
    var id: Int
    var home: Address
    var work: Address?
    var counts: [String: Int]
    var homes: [Int: Address]
    var days: Range<Int>
    var hours: Range<Int>
    var size: Size?
    var mail: Mail?
    var reply: Mail?
    var sender: Mail
    var copies: Mail
    var either: Address { id > 0 ? home : work ?? home }

    enum CodingKeys: String, CodingKey {
      case id, home = "to", work = "from", counts = "labels", homes = "all", days = "open"
      case hours = "from_to", size = "extent", mail = "email", reply = "reply_to"
      case sender = "sent_by", copies = "cc"
    }
  }

  final class Crate: Codable, Identifiable, Sendable {
    let id: Int
    let home: Address
    let counts: [String: Int]

    enum CodingKeys: String, CodingKey { case id, home = "to", counts = "labels" }

    init(id: Int, home: Address, counts: [String: Int]) {
      (self.id, self.home, self.counts) = (id, home, counts)
    }
  }

  enum Kind: String, Codable, Sendable { case text, image, sound }

  /// A message whose kind decides which of its keys it has.
  struct Message: Codable, Identifiable, Sendable {
    enum CodingKeys: String, CodingKey { case id, kind, text = "body", url = "link", seconds }

    var id: Int
    var kind: Kind
    var text: String?
    var url: URL?
    var seconds: Double?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      kind = try container.decode(Kind.self, forKey: .kind)
      switch kind {
      case .text: text = try container.decode(String.self, forKey: .text)
      case .image: url = try container.decode(URL.self, forKey: .url)
      case .sound: seconds = try container.decode(Double.self, forKey: .seconds)
      }
    }
  }

  enum Place: Codable, Sendable {
    case shelf
    case box(Size)
    case truck(plate: String, row: Int?)
  }

  /// A model that has several enums with payloads.
  struct Move: Codable, Identifiable, Sendable {
    var id: Int
    var from: Place
    var to: Place
    var via: Place?

    enum CodingKeys: String, CodingKey { case id, from = "a/b", to = "ß", via = "over" }
  }

  /// A file whose source decides which of its keys it has.
  struct File: Codable, Identifiable, Sendable {
    enum Source: Codable, Sendable {
      case device
      case link(URL)
      case copy(of: Int)
    }

    enum CodingKeys: String, CodingKey {
      case id, source, place = "at", text = "body", url = "link", owner = "by"
    }

    var id: Int
    var source: Source
    var place: Place?
    var text: String?
    var url: URL?
    var owner: Place?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      source = try container.decode(Source.self, forKey: .source)
      switch source {
      case .device: text = try container.decode(String.self, forKey: .text)
      case .link:
        url = try container.decode(URL.self, forKey: .url)
        owner = try container.decode(Place.self, forKey: .owner)
      case .copy: place = try container.decode(Place.self, forKey: .place)
      }
    }
  }

  /// A tree, whose first case holds the type itself.
  indirect enum Tree: Codable, Sendable {
    case both(Tree, Tree)
    case leaf(Int)
  }

  struct Wood: Codable, Identifiable, Sendable {
    var id: Int
    var tree: Tree
    var name: String
  }

  @Test func `a key path of an object, a dictionary or a range is its coding key`() {
    #expect(Criteria.Key(\Parcel.home) == "to")
    #expect(Criteria.Key(\Parcel.work) == "from")
    #expect(Criteria.Key(\Parcel.counts) == "labels")
    #expect(Criteria.Key(\Parcel.homes) == "all")
    #expect(Criteria.Key(\Parcel.days) == "open")
    #expect(Criteria.Key(\Parcel.hours) == "from_to")
    #expect(Criteria.Key(\Parcel.size) == "extent")
    #expect(Criteria.Key(\Parcel.mail) == "email")
    #expect(Criteria.Key(\Parcel.reply) == "reply_to")
    #expect(Criteria.Key(\Parcel.sender) == "sent_by")
    #expect(Criteria.Key(\Parcel.copies) == "cc")
    #expect(Criteria.Key(\Crate.home) == "to")
    #expect(Criteria.Key(\Crate.counts) == "labels")
  }

  @Test func `a computed object is no key`() {
    #expect(Criteria.Key(\Parcel.either).name.hasPrefix(#"\Parcel."#))
  }

  @Test func `a key path of a property that only some models have is its coding key`() {
    #expect(Criteria.Key(\Message.text) == "body")
    #expect(Criteria.Key(\Message.url) == "link")
    #expect(Criteria.Key(\Message.seconds) == "seconds")
  }

  /// Two pairs of properties that only change together, with keys that are called as the other one.
  struct Flight: Codable, Identifiable, Sendable {
    enum CodingKeys: String, CodingKey {
      case id, kind, from = "to", to = "from", first = "last", last = "first"
    }

    var id: Int
    var kind: Kind
    var from: Place?
    var to: Place?
    var first: Decimal?
    var last: Decimal?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      kind = try container.decode(Kind.self, forKey: .kind)
      guard kind == .sound else { return }
      from = try container.decode(Place.self, forKey: .from)
      to = try container.decode(Place.self, forKey: .to)
      first = try container.decode(Decimal.self, forKey: .first)
      last = try container.decode(Decimal.self, forKey: .last)
    }
  }

  /// Properties of types that take few values, and one that is not coded.
  struct Clock: Codable, Identifiable, Sendable {
    enum CodingKeys: String, CodingKey { case id, zone = "tz", home = "tz_home", days = "calendar" }

    var id: Int
    var zone: TimeZone
    var home: TimeZone
    var here = TimeZone.gmt
    var days: Calendar
  }

  /// A number of a form of which the type knows no other one than its example.
  struct Number: CodableExample, Equatable, Sendable {
    var text: String
    static var example: Number { Number(text: "ORD-0001") }

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.wholeMatch(of: /ORD-\d{4}/) != nil else { throw CocoaError(.coderInvalidValue) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// Numbers that nothing tells apart; the one that is called as another key has another value.
  struct Order: Codable, Identifiable, Sendable {
    enum CodingKeys: String, CodingKey { case id, number, parent, kind, size = "note" }

    var id: Int
    var number: Number
    var parent: Number
    var kind: Kind
    var size: Kind
    var note = Number(text: "ORD-0002")
  }

  @Test
  func `properties of values that nothing tells apart have the keys that are called as they are`() {
    #expect(Criteria.Key(\Order.number) == "number")
    #expect(Criteria.Key(\Order.parent) == "parent")
    #expect(Criteria.Key(\Order.note).name.hasPrefix(#"\Order."#))
  }

  @Test func `properties that change together have the key of their own, whatever they are called`()
  {
    #expect(Criteria.Key(\Flight.from) == "to")
    #expect(Criteria.Key(\Flight.to) == "from")
    #expect(Criteria.Key(\Flight.first) == "last")
    #expect(Criteria.Key(\Flight.last) == "first")
  }

  @Test func `properties of types that take few values have the key of their own, or none`() {
    #expect(Criteria.Key(\Clock.zone) == "tz")
    #expect(Criteria.Key(\Clock.home) == "tz_home")
    #expect(Criteria.Key(\Clock.days) == "calendar")
    #expect(Criteria.Key(\Clock.here).name.hasPrefix(#"\Clock."#))
  }

  @Test func `of several enums with payloads, a key path is the coding key of its own`() {
    #expect(Criteria.Key(\Move.from) == "a/b")
    #expect(Criteria.Key(\Move.to) == "ß")
    #expect(Criteria.Key(\Move.via) == "over")
  }

  @Test func `the case of an enum with payloads may decide which keys a model has`() throws {
    #expect(Criteria.Key(\File.text) == "body")
    #expect(Criteria.Key(\File.url) == "link")
    #expect(Criteria.Key(\File.owner) == "by")
    #expect(Criteria.Key(\File.place) == "at")
    let schema = try ModelSchema.of(File.self)
    #expect(schema.properties.map(\.name) == ["id", "source", "body", "link", "by", "at"])
    #expect(schema.properties.map(\.isOptional) == [false, false, true, true, true, true])
  }

  @Test func `a type whose first case holds the type itself is made up by another case`() throws {
    let schema = try ModelSchema.of(Wood.self)
    #expect(schema.properties.map(\.name) == ["id", "tree", "name"])
    #expect(Criteria.Key(\Wood.name) == "name")
  }
}
