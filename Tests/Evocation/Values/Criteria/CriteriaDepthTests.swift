import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// Criteria that nest deeply, on threads whose stacks are small.
@Suite(.patient) struct CriteriaDepthTests {
  private static let sentence =
    "The criteria nest &&, || and ! more than 200 levels deep; put the inner terms side by side."

  /// Ways to nest by the operators, each one level deeper for each of the numbers.
  private static let ways: [@Sendable (Criteria, Int) -> Criteria] = [
    { $1.isMultiple(of: 2) ? Criteria.Key("id") < 50 && $0 : Criteria.Key("year") == nil || $0 },
    { $1.isMultiple(of: 2) ? $0 && Criteria.Key("id") < 50 : $0 || Criteria.Key("year") == nil },
    { $1.isMultiple(of: 2) ? !$0 : Criteria.Key("id") < 50 && $0 },
    { $1.isMultiple(of: 2) ? !$0 : $0 || Criteria.Key("year") == nil },
  ]

  private static func nested(_ way: Int, _ levels: Int) -> Criteria {
    (0..<levels).reduce(Criteria.Key("id") == 3) { ways[way]($0, $1) }
  }

  /// Negations that were made without an operator.
  private static func negations(_ levels: Int) -> Criteria {
    let inner = Criteria.Predicate.comparison("id", .equal, .init(3))
    return Criteria((0..<levels).reduce(inner) { part, _ in .not(part) })
  }

  @Test(arguments: ways.indices) func `ten thousand levels are refused by a sentence`(
    way: Int
  ) async throws {
    let refusal = EvocationError.nestedTooDeeply(most: 400)
    #expect(EvocationError.nestedTooDeeply(most: 200).description == Self.sentence)
    for criteria in [Self.nested(way, 10_000), Self.negations(1_000)] {
      let memory = InMemoryRepository([Car(id: 3)])
      await #expect(throws: refusal) { try await memory.find(criteria) }
      await #expect(throws: refusal) { try await memory.mirror([], for: criteria) }
      #expect(throws: refusal) { try JSONEncoder().encode(criteria) }
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(local: memory).strategy(.localOnly)
      let result = await evocation.find(model: Car.self, criteria: criteria)
      #expect(result.error as? EvocationError == refusal)
      #expect(FailureKind(refusal) == .permanent)
      for await answer in evocation.observe(model: Car.self, criteria: criteria) {
        #expect(answer.error as? EvocationError == refusal)
        break
      }
      #expect(try await memory.find(Criteria()).value.count == 1)
    }
  }

  @Test(arguments: ways.indices)
  func `a hundred thousand levels are made, compared, hashed, named and let go of`(
    way: Int
  ) async throws {
    try await onSmallStack {
      let (first, second) = (Self.nested(way, 100_000), Self.nested(way, 100_000))
      #expect(first == second && !(first != second))
      #expect(Set([first, second]).count == 1)
      #expect(first.tag == second.tag && first.tag.hasPrefix(#"{"where":{"#))
      #expect(throws: EvocationError.nestedTooDeeply(most: 400)) { try first.checkLevels() }
    }
  }

  @Test(arguments: ways.indices) func `as many levels as there may be work on a small stack`(
    way: Int
  ) async throws {
    let schema = try ModelSchema.of(Car.self)
    let refusal = EvocationError.nestedTooDeeply(most: 200)
    let found = try await onSmallStack {
      let criteria = Self.nested(way, Criteria.mostLevels)
      #expect(criteria.levels == Criteria.mostLevels)
      #expect(criteria == Criteria(criteria.predicate))
      let resolved = try criteria.resolved(against: schema)
      let predicate = try #require(resolved.predicate)
      _ = predicate.demandedValues
      let coded = Self.nested(way, 200)
      let data = try JSONEncoder().encode([coded])
      #expect(try JSONDecoder().decode([Criteria].self, from: data) == [coded])
      #expect(throws: refusal) { try JSONEncoder().encode(Self.nested(way, 201)) }
      var index = ObserverIndex()
      index.insert(1, resolved)
      index.remove(1)
      let cars = (0..<60).map { Car(id: $0) }
      return try resolved.select(from: cars, id: { ModelID(of: $0, ModelIdentity.of(Car.self)) }) {
        try FieldEncoder.fields(of: $0)
      }
    }
    let one = try Self.nested(way, 4).resolved(against: schema).select(
      from: (0..<60).map { Car(id: $0) }, id: { ModelID(of: $0, ModelIdentity.of(Car.self)) },
      fields: { try FieldEncoder.fields(of: $0) })
    #expect(found == one)
  }

  @Test func `what is read is as deep as may be, and no deeper`() async throws {
    @Sendable func text(_ levels: Int) -> Data {
      let negations = String(repeating: #"{"not":"#, count: levels)
      let term = #"{"equal":{"key":"id","value":3}}"#
      let end = String(repeating: "}", count: levels + 1)
      return Data((#"{"where":"# + negations + term + end).utf8)
    }
    try await onSmallStack {
      let most = try JSONDecoder().decode(Criteria.self, from: text(200))
      #expect(most == Self.negations(200))
      let again = try JSONDecoder().decode(Criteria.self, from: JSONEncoder().encode(most))
      #expect(again == most)
    }
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Criteria.self, from: text(201))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error: \(error as Any)")
      return
    }
    #expect(context.debugDescription == Self.sentence)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Criteria.self, from: text(100_000))
    }
  }

  @Test func `levels are counted as they nest, whichever way they were joined`() {
    let (a, b) = (Criteria.Key("a") == 1, Criteria.Key("b") == 2)
    let counted: [(Criteria, Int)] = [
      (Criteria(), 0), (a, 0), (a && b, 1), (a && b && a, 1), (a && (b && a), 1), (a || b || a, 1),
      (a && (b || a), 2), ((a || b) && a, 2), (!a, 1), (!(!a), 0), (!(a && b), 2), (!(a && !b), 3),
      (Criteria() && a, 0), (Criteria() && (a || b), 1), (Criteria() || a, 0), (!Criteria(), 1),
      (!(!(a && b)), 1), (Criteria(.all([.all([])])), 2),
    ]
    for (criteria, levels) in counted {
      #expect(criteria.levels == levels, "\(criteria)")
      var set = Criteria()
      set.predicate = criteria.predicate
      #expect(set.levels == levels && set.predicate == criteria.predicate)
    }
  }
}
