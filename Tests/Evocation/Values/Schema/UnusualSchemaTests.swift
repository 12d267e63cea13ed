import Evocation
import Foundation
import Testing

@testable import CoreSupport

@Suite struct UnusualSchemaTests {
  indirect enum JSON: Codable {
    case text(String)
    case number(Double)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode([String: JSON].self) {
        self = .object(value)
      } else if let value = try? container.decode([JSON].self) {
        self = .list(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {}
  }

  struct Deep<Value: Codable>: Codable {
    var value: Value
    var deeper: Deeper<Value>?
  }

  final class Deeper<Value: Codable>: Codable {
    var wrapped: Deep<[Value]>
    init(_ wrapped: Deep<[Value]>) { self.wrapped = wrapped }
  }

  struct Foundationals: Codable {
    var size: Measurement<UnitLength>
    var parts: DateComponents
    var locale: Locale
    var zone: TimeZone
    var components: URLComponents
    var duration: Duration
    var indices: IndexSet
    var range: Range<Date>
    var twice: Int??
    var byID: [UUID: [String]]
    var json: JSON
    var table: [String: Foundationals]
    var fixed: SIMD2<Float>
    var character: ContiguousArray<UInt8>
  }

  struct Lenient: Codable {
    var id: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let number = try? container.decode(Int.self, forKey: .id) {
        id = "\(number)"
      } else {
        id = try container.decode(String.self, forKey: .id)
      }
    }
  }

  /// Passes its decoder on, as wrappers of one value do.
  struct Passing<Value: Codable>: Codable {
    var value: Value
    init(_ value: Value) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  struct Passed: Codable {
    var number: Passing<Int>
    var maybe: Passing<Int?>
    var home: Passing<Sampled.Address>
    var level: Passing<Sampled.Level>
  }

  struct Picky: Codable {
    var year: Int
    var code: Sampled.Listed
    var extra: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      year = try container.decode(Int.self, forKey: .year)
      guard year > 0 else { throw Refusing.Refusal() }
      code = try container.decode(Sampled.Listed.self, forKey: .code)
      extra = try container.decodeIfPresent(String.self, forKey: .extra)
      guard extra == nil else { throw Refusing.Refusal() }
    }
  }

  @Test func `the library's and Foundation's own types are mapped`() throws {
    let schema = try ModelSchema.of(Foundationals.self)
    let kinds = schema.properties.map { "\($0.name): \($0.kind)\($0.isOptional ? "?" : "")" }
    #expect(
      kinds == [
        "size: an object", "parts: an object", "locale: an object", "zone: an object",
        "components: an object", "duration: a list", "indices: an object", "range: a list",
        "twice: a whole number?", "byID: a value of any kind", "json: a value of any kind",
        "table: a value of any kind", "fixed: a list", "character: a list",
      ])
  }

  @Test func `generic types that nest without end stop somewhere`() throws {
    #expect(try ModelSchema.of(Deep<Int>.self)["deeper"]?.isOptional == true)
  }

  @Test func `a wrapper that passes its decoder on is what it wraps`() throws {
    let schema = try ModelSchema.of(Passed.self)
    #expect(schema["number"]?.kind == .scalar(.integer))
    #expect(schema["maybe"] == .init(name: "maybe", kind: .scalar(.integer), isOptional: true))
    guard case .object(let home) = schema["home"]?.kind else {
      Issue.record("The wrapped address has no keys.")
      return
    }
    #expect(home.properties.map(\.name) == ["city", "zip"])
  }

  @Test func `a wrapper that passes its decoder on to an enum needs an example`() throws {
    let error = #expect(throws: EvocationError.self) {
      try ModelSchema.of(Sampled.Holder<Passing<Sampled.Color>>.self)
    }
    #expect(
      error?.description == """
        Evocation cannot map the property "value" of Holder<Passing<Color>>, because Passing<Color> \
        rejects every example value; make Passing<Color> conform to CodableExample.
        """)
    #expect(try ModelSchema.of(Passed.self)["level"]?.kind == .scalar(.integer))
  }

  @Test func `what a type encodes decides, if it asks for another kind first`() throws {
    #expect(try ModelSchema.of(Lenient.self)["id"]?.kind == .scalar(.text))
  }

  @Test func `a model that picks its values is offered others until all its keys are known`() throws
  {
    let schema = try ModelSchema.of(Picky.self)
    #expect(schema.properties.map(\.name) == ["year", "code", "extra"])
    #expect(schema["extra"] == .init(name: "extra", kind: .scalar(.text), isOptional: true))
  }
}

extension UnusualSchemaTests.Passing: CodableExample where Value == Sampled.Level {
  static var example: Self { Self(.low) }
}
