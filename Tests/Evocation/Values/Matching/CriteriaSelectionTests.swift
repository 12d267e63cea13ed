import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct CriteriaSelectionTests {
  private static func random(
    _ ids: Range<Int>, using generator: inout SeededGenerator
  ) -> [Sample] {
    ids.shuffled(using: &generator).map { id in
      Sample(id) {
        if Bool.random(using: &generator) { $0.number = .random(in: -2...2, using: &generator) }
        if Bool.random(using: &generator) {
          $0.real = [-0.0, 0, 1, 1.5, .nan, .infinity].randomElement(using: &generator)
        }
        if Bool.random(using: &generator) {
          $0.name = ["", "a", "ab", "b", "\u{e9}", "e\u{301}"].randomElement(using: &generator)
        }
        if Bool.random(using: &generator) { $0.part = .init(flag: .random(using: &generator)) }
      }
    }
  }

  /// A condition in the criteria's words, and the same in the oracle's.
  private typealias Condition = (criteria: Criteria, holds: (Sample) -> Bool)

  private static func condition(
    depth: Int, using generator: inout SeededGenerator
  ) -> Condition {
    let number = Int.random(in: -2...2, using: &generator)
    let text = ["", "a", "ab", "e"].randomElement(using: &generator) ?? ""
    let kind = Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &generator)
    switch kind {
    case 0: return (["number": number], { $0.number == number })
    case 1: return (Criteria.Key("number") != number, { $0.number != number })
    case 2: return (Criteria.Key("number") < number, { $0.number.map { $0 < number } ?? false })
    case 3:
      let limit = Double(number) / 2
      return (
        Criteria.Key("real") >= limit, { $0.real.map { $0.isNaN || $0 >= limit } ?? false }
      )
    case 4:
      return (
        Criteria.Key("name").hasPrefix(text),
        { $0.name.map { Array($0.utf8).starts(with: Array(text.utf8)) } ?? false }
      )
    case 5: return (Criteria.Key("name").isNull, { $0.name == nil })
    case 6: return (["part.flag": true], { $0.part?.flag == true })
    case 7:
      return (Criteria.Key("number").in([number, 1]), { $0.number == number || $0.number == 1 })
    case 8:
      return (
        Criteria.Key("number").between(number, and: 1),
        { $0.number.map { $0 >= number && $0 <= 1 } ?? false }
      )
    case 9:
      return (
        Criteria.Key("name").contains("b"), { $0.name.map { $0.utf8.contains(98) } ?? false }
      )
    default:
      let left = condition(depth: depth - 1, using: &generator)
      let right = condition(depth: depth - 1, using: &generator)
      if kind == 10 { return (!left.criteria, { !left.holds($0) }) }
      return kind == 11
        ? (left.criteria && right.criteria, { left.holds($0) && right.holds($0) })
        : (left.criteria || right.criteria, { left.holds($0) || right.holds($0) })
    }
  }

  /// A value that Swift itself can order: a rank, a number and bytes.
  private static func sortable(_ sample: Sample, _ key: String) -> (Int, Double, [UInt8]) {
    switch key {
    case "number": sample.number.map { (1, Double($0), []) } ?? (0, 0, [])
    case "real":
      sample.real.map { $0.isNaN ? (2, 0, []) : (1, $0 + 0, []) } ?? (0, 0, [])
    case "name": sample.name.map { (1, 0, Array($0.utf8)) } ?? (0, 0, [])
    default: sample.part?.flag.map { (1, $0 ? 1 : 0, []) } ?? (0, 0, [])
    }
  }

  private static func precedes(
    _ left: Sample, _ right: Sample, _ order: [(String, Bool)]
  ) -> Bool {
    for (key, descending) in order {
      let (first, second) = (sortable(left, key), sortable(right, key))
      if (first.0, first.1) != (second.0, second.1) {
        return ((first.0, first.1) < (second.0, second.1)) != descending
      }
      if first.2 != second.2 { return first.2.lexicographicallyPrecedes(second.2) != descending }
    }
    return left.id < right.id
  }

  @Test func `a random choice is what a naive reading of the criteria chooses`() async throws {
    var generator = Trials.random("selection")
    for round in 0..<400 {
      let models = Self.random(0..<30, using: &generator)
      let condition = Self.condition(depth: 3, using: &generator)
      var criteria = condition.criteria
      let order = ["number", "real", "name", "part.flag"].shuffled(using: &generator)
        .prefix(.random(in: 0...3, using: &generator))
        .map { ($0, Bool.random(using: &generator)) }
      for (key, descending) in order {
        criteria = criteria.sorted(by: Criteria.Key(key), descending: descending)
      }
      var expected = models.filter(condition.holds)
        .sorted { Self.precedes($0, $1, order) }
      if Bool.random(using: &generator), let mark = models.randomElement(using: &generator) {
        criteria = criteria.after(try criteria.cursor(at: mark))
        expected = expected.filter { Self.precedes(mark, $0, order) }
      }
      if Bool.random(using: &generator) {
        let (offset, limit) = (Int.random(in: 0...5, using: &generator), round % 7)
        criteria = criteria.offset(offset).limit(limit)
        expected = Array(expected.dropFirst(offset).prefix(limit))
      }
      let repository = InMemoryRepository(models)
      let found = try await repository.find(criteria).value
      #expect(found.map(\.id) == expected.map(\.id), "round \(round)")
      #expect(try await repository.findOne(criteria).value?.id == expected.first?.id)
    }
  }

  @Test func `pages by cursor put together are the whole, in every order`() async throws {
    var generator = Trials.random("pages")
    let models = Self.random(0..<40, using: &generator)
    let repository = InMemoryRepository(models)
    for key in ["number", "real", "name", "part.flag", "id"] {
      for descending in [false, true] {
        let criteria = Criteria().sorted(by: Criteria.Key(key), descending: descending)
        var all: [Int] = []
        var page = try await repository.find(criteria.limit(7)).value
        while let last = page.last {
          all += page.map(\.id)
          page = try await repository.find(criteria.after(criteria.cursor(at: last)).limit(7)).value
        }
        #expect(all == (try await repository.find(criteria).value.map(\.id)))
        #expect(all.count == 40)
      }
    }
  }

  @Test func `a cursor needs a key that the model has`() {
    #expect(throws: EvocationError.unknownKey("nope", model: "", nearest: [])) {
      try Criteria().sorted(by: "nope").cursor(at: Sample(id: 1))
    }
  }

  @Test func `negative limits and offsets count as none`() async throws {
    let repository = InMemoryRepository([Sample(id: 1), Sample(id: 2)])
    #expect(try await repository.find(Criteria(limit: -1)).value.isEmpty)
    #expect(try await repository.findOne(Criteria(limit: -1)).value == nil)
    #expect(try await repository.find(Criteria(offset: -1)).value.count == 2)
  }
}
