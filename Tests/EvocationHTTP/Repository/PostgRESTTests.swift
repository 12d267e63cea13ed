import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// Rows that a filter addresses, as PostgREST and Supabase have them.
  @Suite(.patient) struct PostgRESTTests {
    @Test func `Any criteria give what the reference gives`() async throws {
      let cars = try Car.all()
      let odd = ["ford, \"a\"", "50%", "a_b", "(x)", "null", "", "\\", "a.b:c", " x ", "{1}"]
      let strange = odd.enumerated().map {
        car(500 + $0, $1, horsepower: $0.isMultiple(of: 2) ? nil : $0)
      }
      let service = try await Service.start(dialect: .postgrest)
      var configuration = Dialects.rows()
      configuration.authorization = nil
      let rows = HTTPRepository<Car>(at: service.url, "cars", configuration)
      _ = try await rows.store(strange)
      let reference = InMemoryRepository(cars + strange)
      var random = Trials.random("criteria of rows")
      for _ in 0..<250 {
        let criteria = random.criteria(of: cars + strange)
        let wanted = try await reference.find(criteria).value
        let found = try await rows.find(criteria).value
        #expect(found == wanted, "\(criteria)")
        #expect(try await rows.count(criteria) == wanted.count, "\(criteria)")
      }
    }

    @Test func `A list that the service cuts off is read to its end`() async throws {
      let service = try await Service.start(dialect: .postgrest)
      var configuration = Dialects.rows()
      configuration.authorization = nil
      configuration.filters.largestPage = 100
      configuration.next = .offset
      let rows = HTTPRepository<Car>(at: service.url, "cars", configuration)
      #expect(try await rows.find(Criteria()).value == Car.all())
      #expect(
        try await service.lines() == [
          "GET /cars?order=id&limit=100", "GET /cars?order=id&limit=100&offset=100",
          "GET /cars?order=id&limit=100&offset=200", "GET /cars?order=id&limit=100&offset=300",
          "GET /cars?order=id&limit=100&offset=400",
        ])
      let some = try await rows.find(Criteria().limit(150).offset(300)).value
      #expect(some.map(\.id) == Array(301...406))
    }

    @Test func `A part can be asked for by the field Range`() async throws {
      let service = try await Service.start(dialect: .postgrest)
      var configuration = Dialects.rows()
      configuration.authorization = nil
      configuration.filters.paging = .range()
      configuration.filters.largestPage = nil
      configuration.next = .link
      let rows = HTTPRepository<Car>(at: service.url, "cars", configuration)
      #expect(
        try await rows.find(Criteria().limit(5).offset(10)).value.map(\.id) == [11, 12, 13, 14, 15])
      #expect(try await rows.find(Criteria().offset(404)).value.map(\.id) == [405, 406])
      #expect(try await rows.find(Criteria().limit(0)).value.isEmpty)
      #expect(try await rows.count(["origin": "Japan"]) == 79)
      #expect(
        try await service.requests().map { $0.headers["range"] } == [
          "10-14", "404-", "0-0",
        ])
    }
  }

  extension SeededGenerator {
    /// Criteria of any shape on the cars, with values that these have, or nearly.
    fileprivate mutating func criteria(of cars: [Car]) -> Criteria {
      var criteria = chance(90) ? Criteria(predicate(of: cars, depth: 3)) : Criteria()
      if chance(50) {
        let keys: [Criteria.Key] = ["year", "horsepower", "milesPerGallon", "name"]
        criteria = criteria.sorted(by: pick(keys), descending: chance(50))
      }
      if chance(30) { criteria = criteria.limit(count(0...20)) }
      return chance(30) ? criteria.offset(count(0...20)) : criteria
    }

    private mutating func predicate(of cars: [Car], depth: Int) -> Criteria.Predicate {
      guard depth > 0, chance(60) else { return leaf(of: cars) }
      let parts = (0..<count(1...3)).map { _ in predicate(of: cars, depth: depth - 1) }
      switch count(0...2) {
      case 0: return .all(parts)
      case 1: return .any(parts)
      default: return .not(parts[0])
      }
    }

    private mutating func leaf(of cars: [Car]) -> Criteria.Predicate {
      let (one, other) = (pick(cars), pick(cars))
      let leaves: [Criteria.Predicate?] = [
        leaf("year", .integer(Int64(one.year)), .integer(Int64(other.year))),
        leaf("horsepower", one.horsepower.map { .integer(Int64($0)) } ?? .null, .integer(100)),
        leaf("milesPerGallon", one.milesPerGallon.map { .real($0) } ?? .null, .real(18.5)),
        leaf("name", .text(one.name), .text(other.name)),
        .hasPrefix("name", String(one.name.prefix(count(0...3)))),
        .contains("name", .init(.text(String(one.name.suffix(count(1...3)))))),
        .isNull("horsepower"),
      ]
      return pick(leaves.compactMap { $0 })
    }

    private mutating func leaf(
      _ key: Criteria.Key, _ value: Criteria.Scalar, _ other: Criteria.Scalar
    ) -> Criteria.Predicate {
      let comparisons: [Criteria.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ]
      guard value != .null else {
        return .comparison(key, pick([.equal, .notEqual]), .init(value))
      }
      switch count(0...4) {
      case 0: return .isIn(key, [value, other])
      case 1: return .between(key, value, other)
      default: return .comparison(key, pick(comparisons), .init(value))
      }
    }
  }
#endif
