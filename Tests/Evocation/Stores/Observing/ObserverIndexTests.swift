import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import CoreSupport
@testable import EvocationStores
@testable import EvocationValues

@Suite struct ObserverIndexTests {
  private typealias Key = Criteria.Key

  private func fields(_ sample: Sample) throws -> Fields {
    try FieldEncoder.fields(of: sample).normalized(for: ModelSchema.of(Sample.self))
  }

  private func observers(_ criteria: [Criteria], _ sample: Sample) throws -> [UInt64] {
    var index = ObserverIndex()
    for (number, criteria) in criteria.enumerated() {
      index.insert(UInt64(number), try criteria.resolved(against: ModelSchema.of(Sample.self)))
    }
    return index.observers(of: try fields(sample)).sorted()
  }

  @Test func `a model leads to those whose criteria it matches`() throws {
    let criteria: [Criteria] = [
      Criteria(), ["number": 1], ["number": 2], Key("number") < 2, Key("number") > 1,
      Key("number") >= 1 && Key("number") < 2, Key("number").between(0, and: 0),
      Key("number").in([1, 5]), Key("number").in(Array(0..<1_000)), Key("number").in([Int]()),
      Key("name").isNull, Key("name").hasPrefix("a"), ["number": 9] || ["number": 1],
      !(["number": 1] as Criteria), Key("number") != 2, ["name": nil, "number": 1],
    ]
    #expect(
      try observers(criteria, Sample(1) { $0.number = 1 }) == [0, 1, 3, 5, 7, 8, 10, 12, 14, 15])
    #expect(try observers(criteria, Sample(1) { $0.name = "ab" }) == [0, 11, 13, 14])
    #expect(try observers(criteria, Sample(1) { $0.number = 999 }) == [0, 4, 8, 10, 13, 14])
  }

  @Test func `of several conditions the one with the fewest values is looked up`() throws {
    func demands(_ criteria: Criteria) -> Set<DemandedValue>? {
      criteria.predicate.flatMap(\.demandedValues)
    }
    func value(_ key: Criteria.Key, _ value: Criteria.Scalar) -> DemandedValue {
      DemandedValue(key: key, value: ModelID([value]))
    }
    let range = Key("number") >= 1 && Key("number") < 5
    #expect(demands(range) == nil)
    let text = value("name", .text("a"))
    #expect(demands(range && ["name": "a"]) == [text])
    #expect(demands(Key("number").in([1, 2]) && ["name": "a"]) == [text])
    #expect(demands(["number": 1] || ["name": "a"]) == [value("number", .integer(1)), text])
    #expect(demands(range || ["name": "a"]) == nil)
    #expect(demands(!(["name": "a"] as Criteria)) == nil)
  }

  @Test func `for random criteria and models, the index finds exactly those that match`() throws {
    var random = Trials.random("the index finds exactly those that match")
    let schema = try ModelSchema.of(Sample.self)
    for _ in 0..<8 {
      var index = ObserverIndex()
      var held: [UInt64: Criteria] = [:]
      for number in 0..<UInt64(random.count(1...400)) {
        let criteria = try Self.criteria(3, &random).resolved(against: schema)
        index.insert(number, criteria)
        held[number] = criteria
        if random.chance(30), let other = held.keys.min() {
          index.remove(other)
          held[other] = nil
        }
        guard random.chance(10) else { continue }
        let fields = try fields(Self.sample(&random))
        let expected = held.filter { $0.value.predicate?.matches(fields) ?? true }.keys
        #expect(index.observers(of: fields) == Set(expected))
        #expect(index.all == Set(held.keys))
      }
      for number in held.keys { index.remove(number) }
      #expect(index.count == 0)
      #expect(index.observers(of: try fields(Self.sample(&random))).isEmpty)
    }
  }

  private static func sample(_ random: inout SeededGenerator) -> Sample {
    Sample(random.count(0...9)) { sample in
      if random.chance(80) { sample.number = random.count(-3...12) }
      if random.chance(80) { sample.real = random.pick([-.infinity, -1, 0, 1.5, 9, .nan]) }
      if random.chance(80) { sample.price = Decimal(random.count(0...40)) / 4 }
      if random.chance(80) { sample.name = random.pick(texts) }
      if random.chance(80) { sample.at = Date(timeIntervalSince1970: Double(random.count(0...9))) }
      if random.chance(50) { sample.tags = [random.pick(texts)] }
    }
  }

  private static let texts = ["", "a", "ab", "abc", "b", "ä", "a\u{10FFFF}", "\u{D7FF}", "z"]

  private static func criteria(_ depth: Int, _ random: inout SeededGenerator) -> Criteria {
    guard depth > 0, random.chance(60) else { return leaf(&random) }
    let (left, right) = (criteria(depth - 1, &random), criteria(depth - 1, &random))
    switch random.count(0...4) {
    case 0: return left || right
    case 1: return !left
    default: return left && right
    }
  }

  private static func leaf(_ random: inout SeededGenerator) -> Criteria {
    let kinds: [(Key, Criteria.Scalar, Criteria.Scalar)] = [
      ("number", .integer(Int64(random.count(-3...12))), .integer(Int64(random.count(-3...12)))),
      ("real", .real(random.pick([-1, 0, 1.5, .nan, .infinity])), .real(1)),
      ("price", .decimal(Decimal(random.count(0...40)) / 4), .decimal(5)),
      ("name", .text(random.pick(texts)), .text(random.pick(texts))),
      ("at", .date(Date(timeIntervalSince1970: Double(random.count(0...9)))), .date(.now)),
    ]
    let (key, low, high) = random.pick(kinds)
    switch random.count(0...12) {
    case 0: return key == low
    case 1: return key != low
    case 2: return key < low
    case 3: return key <= low
    case 4: return key > low
    case 5: return key >= low
    case 6: return key.between(low, and: high)
    case 7: return key.in([low, high, .null])
    case 8: return key.isNull
    case 9: return Key("name").hasPrefix(random.pick(texts))
    case 10: return Key("tags").contains(random.pick(texts))
    case 11: return Key("number").in(Array(random.count(0...9)..<random.count(200...400)))
    default: return random.chance(20) ? Criteria() : [key: low]
    }
  }
}
