import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct MatchingTests {
  private let cars: SQLiteRepository<Car>

  init() throws {
    cars = try SQLiteRepository<Car>(SQLiteDatabase.inMemory())
  }

  private func fill() async throws {
    try await cars.store(
      (1...10).map { Car(id: $0, name: $0 % 2 == 0 ? "even" : "odd", year: 1990 + $0) })
  }

  @Test func `The models that match are counted, and a page of them`() async throws {
    try await fill()
    #expect(try await cars.count() == 10)
    #expect(try await cars.count(["name": "odd"]) == 5)
    #expect(try await cars.count(Criteria().limit(3)) == 3)
    #expect(try await cars.count(Criteria().offset(8).limit(5)) == 2)
    #expect(try await cars.count(["name": "none"]) == 0)
    await #expect(throws: EvocationError.self) { try await cars.count(["nme": 1]) }
  }

  @Test func `A repository says whether a model matches, and whether one is on a page`()
    async throws
  {
    #expect(try await cars.exists(Criteria()) == false)
    try await fill()
    for (criteria, exists) in [
      (Criteria(), true), (["id": 3], true), (["id": 30], false), (["name": "odd"], true),
      (["name": "none"], false), (Criteria().limit(0), false), (Criteria().offset(9), true),
      (Criteria().offset(10), false), ((["id": 3] as Criteria).limit(0), false),
    ] {
      #expect(try await cars.exists(criteria) == exists, "\(criteria)")
    }
    await #expect(throws: EvocationError.self) { try await cars.exists(["nme": 1]) }
  }

  @Test func `The models that match are removed, and nothing else`() async throws {
    try await fill()
    #expect(try await cars.removeAll(matching: Criteria.Key("year") < 1993) == 2)
    let last = Criteria().sorted(by: "year", descending: true).limit(2)
    #expect(try await cars.removeAll(matching: last) == 2)
    #expect(try await cars.find(Criteria()).value.map(\.id) == [3, 4, 5, 6, 7, 8])
    #expect(try await cars.removeAll(matching: ["name": "none"]) == 0)
    await #expect(throws: EvocationError.self) { try await cars.removeAll(matching: ["nme": 1]) }
    #expect(try await cars.removeAll(matching: Criteria()) == 6)
  }

  @Test func `Observers are told which models went`() async throws {
    try await fill()
    let told = Lock<[[Int]]>([])
    let observation = cars.observeChanges { change in
      guard case .models(_, _, let removed) = change.extent else { return }
      told.withLock { $0.append(removed.map(\.id)) }
    }
    try await cars.removeAll(matching: Criteria.Key("id") <= 2)
    try await cars.removeAll(matching: ["name": "none"])
    #expect(told.withLock { $0 } == [[1, 2]])
    observation.cancel()
  }

  @Test func `Counting and removing are statements of their own`() throws {
    let selection = SQLSelection(try TablePlan(schema: .of(Car.self), table: nil, key: ["id"]))
    let named: Criteria = ["name": "x"]
    #expect(
      try selection.count(named)
        == SQLQuery(#"SELECT count(*) FROM "car" WHERE "name" = ?"#, [.text("x")]))
    #expect(
      try selection.removal(named)
        == SQLQuery(#"DELETE FROM "car" WHERE "name" = ?"#, [.text("x")]))
    #expect(
      try selection.count(named.limit(2)).text
        == #"SELECT count(*) FROM (SELECT 1 FROM "car" WHERE "name" = ? ORDER BY "id" LIMIT ?)"#)
    #expect(
      try selection.removal(named.limit(2)).text
        == #"DELETE FROM "car" WHERE ("id") IN (SELECT "id" FROM "car" WHERE "name" = ? "#
        + #"ORDER BY "id" LIMIT ?)"#)
  }
}
