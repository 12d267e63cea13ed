import Evocation
import Foundation
import Testing

@testable import CoreSupport

@Suite struct CriteriaMatchingTests {
  private typealias Key = Criteria.Key

  private func holds(_ criteria: Criteria, _ sample: Sample) throws -> Bool {
    let schema = try ModelSchema.of(Sample.self)
    let fields = try FieldEncoder.fields(of: sample).normalized(for: schema)
    return try criteria.resolved(against: schema).predicate?.matches(fields) ?? true
  }

  /// For each key two values, the lesser first, and how a model is given one.
  private static let kinds: [(key: Criteria.Key, low: Criteria.Scalar, high: Criteria.Scalar)] = {
    let uuid = (UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), UUID())
    let link = (URL(filePath: "/a"), URL(filePath: "/b"))
    return [
      ("flag", .bool(false), .bool(true)), ("number", .integer(-1), .integer(.max)),
      ("large", .unsigned(UInt64(Int64.max)), .unsigned(.max)), ("real", .real(0.5), .real(.nan)),
      ("price", .decimal(1), .decimal(2)), ("name", .text("a"), .text("b")),
      ("key", .uuid(uuid.0), .uuid(uuid.1)), ("link", .url(link.0), .url(link.1)),
      ("at", .date(.distantPast), .date(.distantFuture)),
      ("bytes", .data(Data()), .data(Data([1]))),
    ]
  }()

  private func sample(_ key: Criteria.Key, _ scalar: Criteria.Scalar) -> Sample {
    Sample(1) { sample in
      switch scalar {
      case .null: break
      case .bool(let value): sample.flag = value
      case .integer(let value): sample.number = Int(value)
      case .unsigned(let value): sample.large = value
      case .real(let value): sample.real = value
      case .decimal(let value): sample.price = value
      case .text(let value): sample.name = value
      case .uuid(let value): sample.key = value
      case .url(let value): sample.link = value
      case .date(let value): sample.at = value
      case .data(let value): sample.bytes = value
      }
    }
  }

  @Test func `every comparison holds of every kind as the order says, and of null never`() throws {
    for (key, low, high) in Self.kinds {
      for (left, right, order) in [(low, high, -1), (low, low, 0), (high, low, 1), (high, high, 0)]
      {
        let model = sample(key, left)
        #expect(try holds(key == right, model) == (order == 0), "\(key)")
        #expect(try holds(key != right, model) == (order != 0), "\(key)")
        #expect(try holds(key < right, model) == (order < 0), "\(key)")
        #expect(try holds(key <= right, model) == (order <= 0), "\(key)")
        #expect(try holds(key > right, model) == (order > 0), "\(key)")
        #expect(try holds(key >= right, model) == (order >= 0), "\(key)")
        #expect(try holds(key.in([right, .null]), model) == (order == 0), "\(key)")
        #expect(try holds(key.between(right, and: right), model) == (order == 0), "\(key)")
        #expect(try holds(key.isNull, model) == false, "\(key)")
      }
      let empty = Sample(id: 1)
      for value in [low, high] {
        #expect(try holds(key != value, empty), "\(key)")
        let never = [
          key == value, key < value, key <= value, key > value, key >= value, key.in([value]),
          key.between(low, and: high),
        ]
        for criteria in never {
          #expect(try !holds(criteria, empty), "\(key)")
          #expect(try holds(!criteria, empty), "\(key)")
        }
      }
      #expect(try holds(key.isNull && key == nil && key.in([Criteria.Scalar.null]), empty))
      #expect(try !holds(key.in([Criteria.Scalar]()), empty))
      #expect(try !holds(key != nil, empty))
    }
  }

  @Test func `text is taken by its bytes`() throws {
    let name = Key("name")
    let model = Sample(1) { $0.name = "e\u{301}a\0b" }
    #expect(try !holds(name == "\u{e9}a\0b", model))
    #expect(try !holds(name.hasPrefix("\u{e9}"), model))
    #expect(try holds(name.hasPrefix("e"), model))
    #expect(try holds(name.contains("a\0b") && name.contains("") && name.hasPrefix(""), model))
    #expect(try !holds(name.contains("ab"), model))
    #expect(try !holds(name.contains("") || name.hasPrefix(""), Sample(id: 1)))
    let linked = Sample(1) { $0.link = URL(string: "http://a/b") }
    #expect(try holds(Key("link").hasPrefix("http:") && Key("link").contains("/b"), linked))
    #expect(try holds(["link": "http://a/b"], linked))
  }

  @Test func `lists contain, and otherwise only are null or not`() throws {
    let model = Sample(1) {
      $0.tags = ["a", "b"]
      $0.part = .init(list: [1, 2])
    }
    #expect(try holds(Key("tags").contains("b") && !Key("tags").contains("c"), model))
    #expect(try holds(Key("part.list").contains(2.0) && Key("tags") != nil, model))
    #expect(try !holds(Key("part").isNull, model))
    #expect(try holds(Key("part").isNull && !Key("tags").contains("a"), Sample(id: 1)))
  }

  @Test func `nested values compare as JSON has them`() throws {
    let id = UUID()
    let model = Sample(1) {
      $0.part = .init(
        name: "x", at: Date(timeIntervalSinceReferenceDate: 5), key: id, flag: true,
        price: Decimal(string: "0.1"), bytes: Data([1, 2])
      )
      $0.open = ["n": .number(2), "t": .text("b"), "f": .bool(true), "z": .nothing]
    }
    let true1: [Criteria] = [
      ["part.name": "x"], ["part.key": id], ["part.flag": true], ["part.price": 0.1],
      ["part.bytes": Data([1, 2])], Key("part.at") > "2001-01-01T00:00:04Z",
      Key("part.list").isNull, ["open.n": 2], ["open.f": true], ["open.f": 1],
      Key("open.z").isNull, Key("open.missing.deep").isNull, Key("open.n") < "",
      Key("open.t") > 1e300, Key("open.t") != 3, Key("open.t.deeper").isNull,
      Key("open") != 3,
    ]
    for criteria in true1 { #expect(try holds(criteria, model), "\(criteria)") }
    #expect(try !holds(Key("open") == 3 || Key("open").isNull || Key("open") < "x", model))
  }

  @Test func `nothing holds any of none, and everything all of none`() throws {
    #expect(try holds(Criteria(.all([])), Sample(id: 1)))
    #expect(try !holds(Criteria(.any([])), Sample(id: 1)))
    #expect(try !holds(!Criteria(), Sample(id: 1)))
  }
}
