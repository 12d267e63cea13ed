import Evocation
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// Criteria of many terms, and of many within each other.
@Suite(.patient) struct CriteriaNestingTests {
  private static let cars = (0..<100).map { Car(id: $0, name: "n\($0 % 7)", year: 1950 + $0) }

  private let memory = InMemoryRepository(cars)
  private let sqlite: SQLiteRepository<Car>

  init() async throws {
    sqlite = try SQLiteRepository(.inMemory())
    try await sqlite.store(Self.cars)
  }

  private func expectSame(_ criteria: Criteria, _ ids: [Int]) async throws {
    #expect(try await memory.find(criteria).value.map(\.id) == ids)
    #expect(try await sqlite.find(criteria).value.map(\.id) == ids)
    #expect(try await sqlite.count(criteria.limit(1000)) == ids.count)
  }

  /// Joins terms from the left, or from the right.
  private func joined(
    _ terms: [Criteria], fromLeft: Bool, _ join: (Criteria, Criteria) -> Criteria
  ) throws -> Criteria {
    if fromLeft {
      return terms.dropFirst().reduce(try #require(terms.first), join)
    }
    return terms.dropLast().reversed().reduce(try #require(terms.last)) { join($1, $0) }
  }

  @Test(arguments: [true, false]) func `Fifteen hundred terms by or find those that fit one`(
    fromLeft: Bool
  ) async throws {
    let terms: [Criteria] = (0..<1_500).map { number in
      switch number % 4 {
      case 0: Criteria.Key("id") == number + 4
      case 1: Criteria.Key("year") == 2_900 + number
      case 2: Criteria.Key("name").hasPrefix("x\(number)")
      default: Criteria.Key("price") > Double(number)
      }
    }
    let criteria = try joined(terms, fromLeft: fromLeft, ||)
    try await expectSame(criteria, (4..<100).filter { $0 % 4 == 0 })
    try await expectSame(!criteria, (0..<100).filter { $0 % 4 != 0 || $0 == 0 })
    let decoded = try JSONDecoder().decode(Criteria.self, from: JSONEncoder().encode(criteria))
    #expect(decoded == criteria)
  }

  @Test(arguments: [true, false]) func `Fifteen hundred terms by and find those that fit all`(
    fromLeft: Bool
  ) async throws {
    let terms = (0..<1_500).map { Criteria.Key("year") != 1_960 + $0 }
    let criteria = try joined(terms, fromLeft: fromLeft, &&)
    try await expectSame(criteria, Array(0..<10))
    try await expectSame(!criteria, Array(10..<100))
  }

  @Test func `A term turned round as often as one likes is the term or its opposite`() async throws
  {
    var criteria = Criteria.Key("id") < 5
    for _ in 0..<10_001 { criteria = !criteria }
    try await expectSame(criteria, Array(5..<100))
  }

  /// Gives `… || (… && (… || …))`, so many within each other.
  private func alternating(_ depth: Int) -> Criteria {
    var criteria = Criteria.Key("id") == 3
    for number in 0..<depth {
      criteria =
        number.isMultiple(of: 2)
        ? Criteria.Key("id") < 50 && criteria : Criteria.Key("year") == nil || criteria
    }
    return criteria
  }

  @Test(arguments: [1, 10, 30, 50]) func `Or and and may stand within each other`(
    depth: Int
  ) async throws {
    try await expectSame(alternating(depth), [3])
    try await expectSame(!alternating(depth), (0..<100).filter { $0 != 3 })
    let removed = try await sqlite.removeAll(matching: alternating(depth).limit(5))
    #expect(removed == 1)
  }

  @Test func `What SQLite cannot nest is refused by a sentence, and found in memory`() async throws
  {
    let criteria = alternating(300)
    #expect(try await memory.find(criteria).value.map(\.id) == [3])
    let error = await #expect(throws: SQLiteError.self) { try await sqlite.find(criteria) }
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Translating the criteria for the table \"car\" failed: they nest && and "
        + "|| 300 levels deep, and SQLite takes 50; put the inner terms side by side.")
  }

  @Test func `What nothing can nest is refused in memory and by SQLite in the same words`()
    async throws
  {
    let criteria = alternating(10_000)
    let refusal = EvocationError.nestedTooDeeply(most: 400)
    await #expect(throws: refusal) { try await memory.find(criteria) }
    await #expect(throws: refusal) { try await sqlite.find(criteria) }
    await #expect(throws: refusal) { try await sqlite.count(criteria) }
    await #expect(throws: refusal) { try await sqlite.removeAll(matching: criteria) }
    #expect(try await sqlite.count(Criteria()) == 100)
  }

  @Test func `As many levels as there may be are refused on a small stack too`() async throws {
    let plan = try TablePlan(schema: .of(Car.self), table: nil, key: ["id"])
    let criteria = alternating(400)
    let error = await #expect(throws: SQLiteError.self) {
      try await onSmallStack {
        _ = try SQLSelection(plan).query(criteria.resolved(against: plan.schema))
      }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `More values than SQLite binds are refused by a sentence`() async throws {
    let parts = (0..<33).map { part in
      (0..<1000).map { Criteria.Key("id") == part * 1000 + $0 }.reduce(!Criteria(), ||)
    }
    let criteria = parts.reduce(!Criteria(), ||)
    #expect(try await memory.find(criteria).value.count == 100)
    let error = await #expect(throws: SQLiteError.self) { try await sqlite.find(criteria) }
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Translating the criteria for the table \"car\" failed: they compare with "
        + "33000 values, and SQLite takes 32766; use in(_:), which has no such limit.")
  }
}
