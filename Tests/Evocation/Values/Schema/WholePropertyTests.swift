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
}
