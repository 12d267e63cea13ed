import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// The reads that return models and throw.
@Suite(.patient) struct ModelCallTests {
  private struct Trip: Codable, Identifiable, Hashable, Sendable {
    struct Key: Codable, Hashable, Sendable {
      var day: Int
      var driver: String
    }

    var id: Key
    var length: Double
    var note: String?
  }

  private struct Named: Codable, Identifiable, Hashable, Sendable {
    var code: String
    var size: Int
    var id: String { code }

    enum CodingKeys: String, CodingKey { case code = "short", size }
  }

  private struct Unnamed: Codable, Identifiable, Sendable {
    var size: Int
    var id: String { "\(size)" + "m" }
  }

  private static let trips = [
    Trip(id: .init(day: 1, driver: "Ann"), length: 12, note: nil),
    Trip(id: .init(day: 1, driver: "Bob"), length: 7, note: "wet"),
    Trip(id: .init(day: 2, driver: "Ann"), length: 30, note: "dry"),
  ]

  private let evocation = Evocation()

  @Test func `models are found by key paths, and by keys as text`() async throws {
    try evocation.register(Trip.self, local: InMemoryRepository(Self.trips))
    func lengths(_ trips: [Trip]) -> [Double] { trips.map(\.length) }
    #expect(lengths(try await evocation.find(Trip.self)) == [12, 7, 30])
    #expect(
      lengths(try await evocation.find(Trip.self, where: \.length > 10, sortedBy: \.length))
        == [12, 30])
    #expect(
      lengths(
        try await evocation.find(
          Trip.self, where: \.note != nil, sortedBy: \.length, descending: true, limit: 1)) == [30])
    #expect(
      lengths(try await evocation.find(Trip.self, where: ["note": "wet"])) == [7])
    #expect(
      lengths(
        try await evocation.find(
          Trip.self, where: Criteria.Key("length") > 10, sortedBy: \.length, descending: true))
        == [30, 12])
    #expect(
      try await evocation.findOne(Trip.self, where: \.id.driver == "Bob")?.length == 7)
    #expect(
      try await evocation.findOne(Trip.self, sortedBy: \.length, descending: true)?.length == 30)
    #expect(try await evocation.findOne(Trip.self, where: ["note": "snow"]) == nil)
    #expect(try await evocation.count(Trip.self) == 3)
    #expect(try await evocation.count(Trip.self, where: \.id.driver == "Ann") == 2)
    #expect(try await evocation.exists(Trip.self))
    #expect(try await !evocation.exists(Trip.self, where: \.length > 100))
  }

  @Test func `the order and the limit of the call come before those of the criteria`() async throws
  {
    try evocation.register(Trip.self, local: InMemoryRepository(Self.trips))
    let criteria = Criteria().sorted(by: "length").limit(2)
    #expect(
      try await evocation.find(Trip.self, where: criteria, sortedBy: \.id.day, descending: true)
        .map(\.length) == [30, 7])
    #expect(try await evocation.find(Trip.self, where: criteria, limit: 1).map(\.length) == [7])
    #expect(
      try await evocation.find(Trip.self, where: criteria, limit: 3).map(\.length) == [7, 12])
  }

  @Test func `one model is found by its id, however the id is coded`() async throws {
    try evocation.register(Trip.self, local: InMemoryRepository(Self.trips))
    #expect(
      try await evocation.findOne(Trip.self, id: .init(day: 1, driver: "Bob"))?.length == 7)
    #expect(try await evocation.findOne(Trip.self, id: .init(day: 3, driver: "Bob")) == nil)
    try evocation.register(
      Named.self, local: InMemoryRepository([Named(code: "a", size: 1), Named(code: "b", size: 2)]))
    #expect(try await evocation.findOne(Named.self, id: "b")?.size == 2)
    try evocation.register(Car.self, local: InMemoryRepository([Car(id: 1), Car(id: 2)]))
    #expect(try await evocation.findOne(Car.self, id: 2)?.id == 2)
    try evocation.register(Unnamed.self, local: InMemoryRepository([Unnamed(size: 1)]))
    await #expect(throws: EvocationError.notIdentifiable(model: "Unnamed")) {
      try await evocation.findOne(Unnamed.self, id: "1m")
    }
  }

  @Test func `what a result has as its error is thrown`() async throws {
    await #expect(throws: EvocationError.proxyNotFound(model: "Car")) {
      try await evocation.find(Car.self)
    }
    let remote = RepositoryMock<Car> { _ in throw Outage(place: .remote) }
    try evocation.register(Car.self, remote: remote)
    await #expect(throws: Outage.self) { try await evocation.find(Car.self) }
    await #expect(throws: Outage.self) { try await evocation.findOne(Car.self, id: 1) }
    await #expect(throws: Outage.self) { try await evocation.count(Car.self) }
    await #expect(throws: Outage.self) { try await evocation.exists(Car.self) }
  }

  @Test func `a rule holds for the one call`() async throws {
    try evocation.register(
      Trip.self, remote: InMemoryRepository(), local: InMemoryRepository(Self.trips),
      strategy: .remoteOnly)
    #expect(try await evocation.find(Trip.self).isEmpty)
    #expect(try await evocation.find(Trip.self, rule: .localOnly).count == 3)
    #expect(try await evocation.findOne(Trip.self, where: \.length > 7, rule: .localOnly) != nil)
    #expect(try await evocation.count(Trip.self, where: \.length > 7, rule: .localOnly) == 2)
    #expect(try await evocation.exists(Trip.self, where: \.length > 7, rule: .localOnly))
  }

  @Test func `shared has the same forms`() async throws {
    struct Mine: Codable, Identifiable, Sendable { var id = 1 }
    try Evocation.register(Mine.self, local: InMemoryRepository([Mine()]))
    defer { Evocation.shared.unregister(Mine.self) }
    #expect(try await Evocation.find(Mine.self).count == 1)
    #expect(try await Evocation.find(Mine.self, where: \.id == 1, sortedBy: \.id).count == 1)
    #expect(try await Evocation.findOne(Mine.self, id: 1) != nil)
    #expect(try await Evocation.findOne(Mine.self, where: \.id == 1) != nil)
    #expect(try await Evocation.findOne(Mine.self, where: ["id": 2]) == nil)
    #expect(try await Evocation.count(Mine.self) == 1)
    #expect(try await Evocation.count(Mine.self, where: \.id == 2) == 0)
    #expect(try await Evocation.exists(Mine.self, where: \.id == 1))
    #expect(try await Evocation.exists(Mine.self))
    for await result in Evocation.observe(Mine.self) {
      #expect(result.data?.count == 1)
      break
    }
    for await result in Evocation.observe(Mine.self, where: \.id == 2) {
      #expect(result.data?.isEmpty == true)
      break
    }
  }

  @Test func `models are observed by key paths`() async throws {
    let trips = InMemoryRepository(Self.trips)
    try evocation.register(Trip.self, local: trips)
    var counts: [Int?] = []
    for await result in evocation.observe(Trip.self, where: \.id.driver == "Bob") {
      counts.append(result.data?.count)
      if counts.count == 2 { break }
      _ = try await trips.store([Trip(id: .init(day: 9, driver: "Bob"), length: 1)])
    }
    #expect(counts == [1, 2])
    for await result in evocation.observe(Trip.self, where: ["note": nil]) {
      #expect(result.data?.count == 2)
      break
    }
  }
}
