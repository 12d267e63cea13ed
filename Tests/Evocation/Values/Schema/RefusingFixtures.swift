import Evocation
import Foundation

@testable import CoreSupport

/// Types that do not take just any value.
enum Refusing {
  struct Refusal: Error {}

  /// Takes text that looks like a URL; one of the candidates does.
  struct Link: Codable {
    var text: String

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.contains("://") else { throw Refusal() }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// Takes an address of electronic mail, which no candidate is.
  struct Email: Codable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.contains("@") else { throw Refusal() }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Mailbox: Codable {
    var name: String
    var email: Email
  }

  /// Is refused as a whole unless its parts fit.
  struct Span: Codable, CodableExample {
    var from: Int
    var to: Int
    var note: String?
    var by: Address?

    struct Address: Codable { var email: Example }

    static var example: Span { Span(from: 3, to: 9) }

    init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      from = try container.decode(Int.self, forKey: .from)
      to = try container.decode(Int.self, forKey: .to)
      note = try container.decodeIfPresent(String.self, forKey: .note)
      by = try container.decodeIfPresent(Address.self, forKey: .by)
      guard from < to else { throw Refusal() }
    }
  }

  /// Refuses, and says what it would take.
  struct Example: Codable, CodableExample {
    var text: String

    static var example: Example { Example(text: "a@b") }

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      guard text.contains("@") else { throw Refusal() }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// One byte, which is never what a probe makes up.
  struct Grade: Codable {
    var value: UInt8

    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(UInt8.self)
      guard value > 4 else { throw Refusal() }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// Has a raw value, and is no enum of which a first case could be taken.
  struct Aloof: RawRepresentable, Codable {
    var rawValue: UInt8

    init?(rawValue: UInt8) { self.rawValue = rawValue }

    init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(UInt8.self)
      throw Refusal()
    }
  }

  /// Has to know beforehand that there are three numbers.
  struct Vector: Codable {
    var numbers: [Double]

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      guard container.count == 3 else { throw Refusal() }
      numbers = try (0..<3).map { _ in try container.decode(Double.self) }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// Codes its cases by itself.
  enum Switch: Codable {
    case on, off

    init(from decoder: any Decoder) throws {
      switch try decoder.singleValueContainer().decode(String.self) {
      case "on": self = .on
      case "off": self = .off
      default: throw Refusal()
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// The same, and says which cases there are.
  enum Lever: CaseIterable, Codable {
    case up, down

    init(from decoder: any Decoder) throws {
      switch try decoder.singleValueContainer().decode(String.self) {
      case "up": self = .up
      case "down": self = .down
      default: throw Refusal()
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  /// Refuses even what it coded itself.
  struct Stubborn: Codable, CodableExample {
    var text: String
    var count = 3
    var parts = ["a"]

    static var example: Stubborn { Stubborn(text: "a") }

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws { throw Refusal() }
  }
}
