import Evocation
import Foundation
import TestTraits
import Testing

/// Types that ask for other keys where another value stands under one.
private enum Shaped {
  enum Kind: String, Codable { case text, image, link }
  enum Side: String, Codable, CaseIterable { case left, right }

  /// A message whose kind, an enum that does not say its cases, decides on its keys.
  struct Message: Codable {
    var kind: Kind
    var text: String?
    var url: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(Kind.self, forKey: .kind)
      switch kind {
      case .text: text = try container.decode(String.self, forKey: .text)
      case .image: url = try container.decode(String.self, forKey: .url)
      case .link: break
      }
    }
  }

  /// Keys that only both of two enums decide on, and a Boolean, and a nested enum.
  struct Deep: Codable {
    enum Keys: CodingKey { case kind, side, isOld, header, both, age, wide }

    struct Header: Codable { var width: Width }
    enum Width: Int, Codable { case narrow, wide }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      if try container.decode(Kind.self, forKey: .kind) == .link,
        try container.decodeIfPresent(Side.self, forKey: .side) == .right
      {
        _ = try container.decode(Int.self, forKey: .both)
      }
      if try container.decode(Bool.self, forKey: .isOld) {
        _ = try container.decode(Int.self, forKey: .age)
      }
      if try container.decode(Header.self, forKey: .header).width == .wide {
        _ = try container.decode(Double.self, forKey: .wide)
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// A key that is there only beside another one, and one only without it.
  struct Paired: Codable {
    enum Keys: CodingKey { case start, end, allDay, id }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      if try container.decodeIfPresent(Date.self, forKey: .start) != nil {
        _ = try container.decode(Date.self, forKey: .end)
      } else {
        _ = try container.decode(Bool.self, forKey: .allDay)
      }
      _ = try container.decode(Int.self, forKey: .id)
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// A key that holds a number for one kind and a text for another.
  struct Valued: Codable {
    enum Keys: CodingKey { case side, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      switch try container.decode(Side.self, forKey: .side) {
      case .left: _ = try container.decode(Int.self, forKey: .value)
      case .right: _ = try container.decode(String.self, forKey: .value)
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  struct Post: Codable { var id: String, title: String, tags: [String] }
  struct Photo: Codable { var id: String, url: URL, width: Int? }

  /// A feed's item, whose kind is a text.
  enum Item: CodableExample {
    case post(Post)
    case photo(Photo)

    enum Keys: CodingKey { case type }

    init(from decoder: any Decoder) throws {
      let type = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type)
      switch type {
      case "post": self = .post(try Post(from: decoder))
      case "photo": self = .photo(try Photo(from: decoder))
      default:
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: type))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      switch self {
      case .post(let post):
        try container.encode("post", forKey: .type)
        try post.encode(to: encoder)
      case .photo(let photo):
        try container.encode("photo", forKey: .type)
        try photo.encode(to: encoder)
      }
    }

    static var example: Item { .post(Post(id: "1", title: "", tags: [])) }
    static var examples: [Item] {
      [example, .photo(Photo(id: "1", url: URL(filePath: "/"), width: nil))]
    }
  }

  /// As many cases as a byte has numbers for, less one.
  struct Wide: Codable {
    var country: Country
    var last: Int?
    enum Keys: CodingKey { case country, last }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      country = try container.decode(Country.self, forKey: .country)
      if country == .c63 { last = try container.decode(Int.self, forKey: .last) }
    }
  }

  enum Country: String, Codable {
    case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19
    case c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37
    case c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55
    case c56, c57, c58, c59, c60, c61, c62, c63
  }
}

@Suite(.patient) struct SchemaShapesTests {
  @Test func `every case of an enum is tried, and a key of some cases may be absent`() throws {
    #expect(try described(Shaped.Message.self) == ["kind: text", "text: text?", "url: text?"])
    #expect(
      try described(Shaped.Wide.self) == ["country: text", "last: a whole number?"])
  }

  @Test func `keys that several values decide on together are found`() throws {
    #expect(
      try Set(described(Shaped.Deep.self)) == [
        "kind: text", "side: text?", "isOld: a Boolean", "header: an object",
        "both: a whole number?", "age: a whole number?", "wide: a number?",
      ])
  }

  @Test func `both sides of an optional are tried`() throws {
    #expect(
      try Set(described(Shaped.Paired.self)) == [
        "start: a date?", "end: a date?", "allDay: a Boolean?", "id: a whole number",
      ])
  }

  @Test func `a key that holds several kinds is any JSON`() throws {
    #expect(
      try described(Shaped.Valued.self) == ["side: text", "value: a value of any kind"])
  }

  @Test func `a union has the keys of all its examples, and what all have must be there`() throws {
    #expect(
      try Set(described(Shaped.Item.self)) == [
        "type: text", "id: text", "title: text?", "tags: a list?", "url: a URL?",
        "width: a whole number?",
      ])
  }

  private func described<Model: Decodable>(_ type: Model.Type) throws -> [String] {
    try ModelSchema.of(type).properties.map {
      "\($0.name): \($0.kind)\($0.isOptional ? "?" : "")"
    }
  }
}
