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
  /// What services select by the queries of filters is what memory selects by the criteria.
  @Suite(.patient) struct HTTPFiltersMatchingTests {
    struct Model<ID: Codable & Hashable & Sendable>: Codable, Identifiable, Hashable, Sendable {
      var id: ID
      var name: String
      var year: Int
      var horsepower: Int?
    }

    private static let odd = [
      "a,b", "\"a\"", "50%", "a_b", "a*b", "null", "true", "1970", "\\", "é", "É", "{1}", "",
    ]

    @Test func `Any criteria of one item after the other are kept by services in brackets`()
      async throws
    {
      let service = try await Service.start(dialect: .plain)
      let cars = HTTPRepository<Model<Int>>(HTTPService(service.url), "cars")
      _ = try await cars.store(
        Self.odd.enumerated().map {
          Model(id: 500 + $0, name: $1, year: 1970, horsepower: $0 > 5 ? nil : $0)
        })
      try await check(cars, "criteria in brackets", least: 100)
    }

    @Test func `Any criteria of one item after the other are kept by services behind keys`()
      async throws
    {
      let service = try await Service.start(dialect: .envelope)
      let cars = HTTPRepository<Model<Int>>(at: service.url, "cars", Dialects.envelopes())
      try await check(cars, "criteria behind keys", least: 50)
    }

    /// Some have null for a property, and others miss it.
    @Test func `Any criteria of one item after the other are kept by services before keys`()
      async throws
    {
      let service = try await Service.start(dialect: .records)
      for writesNulls in [true, false] {
        var configuration = Dialects.records()
        configuration.routes.change { $0.writesNulls = writesNulls }
        let cars = HTTPRepository<Model<String>>(at: service.url, "cars", configuration)
        _ = try await cars.store(
          Self.odd.enumerated().map {
            Model(
              id: "\(writesNulls)-\($0)", name: $1, year: 1970, horsepower: $0 > 5 ? nil : $0)
          })
        guard !writesNulls else { continue }
        try await check(
          cars, "criteria before keys", least: 100, finds: { $0 != .isNull("horsepower") })
      }
    }

    private func check<ID>(
      _ cars: HTTPRepository<Model<ID>>, _ name: String, least: Int,
      finds: (Criteria.Predicate) -> Bool = { _ in true }
    ) async throws {
      let all = try await cars.find(Criteria()).value
      let reference = InMemoryRepository(all)
      var random = Trials.random(name)
      var said = 0
      for _ in 0..<300 {
        let parts = (0..<random.count(1...4)).map { _ in random.condition(of: all) }
        guard parts.allSatisfy(finds) else { continue }
        let criteria = Criteria(.all(parts)).sorted(
          by: random.chance(50) ? "name" : "year", descending: random.chance(50))
        do {
          let found = try await cars.find(criteria).value
          let wanted = try await reference.find(criteria).value
          said += 1
          #expect(found == wanted, "\(criteria)")
        } catch let error as HTTPError where error.code == .unsupportedCriteria {
          #expect(error.reason?.isEmpty == false)
        }
      }
      #expect(said >= least)
    }
  }

  extension SeededGenerator {
    /// A condition with values that the models have, of which some meet on one property.
    fileprivate mutating func condition<ID>(
      of models: [HTTPFiltersMatchingTests.Model<ID>]
    ) -> Criteria.Predicate {
      let (one, other) = (pick(models), pick(models))
      let isText = chance(50)
      let key: Criteria.Key = isText ? "name" : chance(50) ? "year" : "horsepower"
      let values: [Criteria.Scalar] =
        isText
        ? [.text(one.name), .text(other.name)]
        : key == Criteria.Key("year")
          ? [.integer(Int64(one.year)), .integer(Int64(other.year))]
          : [.integer(Int64(one.horsepower ?? 80)), .integer(Int64(other.horsepower ?? 90))]
      let comparisons: [Criteria.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
      ]
      switch count(0...9) {
      case 0: return .isIn(key, values)
      case 1: return .not(.isIn(key, values))
      case 2: return .between(key, values[0], values[1])
      case 3: return .not(.comparison(key, .equal, .init(values[0])))
      case 4: return chance(50) ? .isNull("horsepower") : .not(.isNull("horsepower"))
      case 5: return .hasPrefix("name", String(one.name.prefix(count(0...2))))
      case 6: return .contains("name", .init(.text(String(one.name.suffix(2)))))
      default: return .comparison(key, pick(comparisons), .init(values[0]))
      }
    }
  }
#endif
