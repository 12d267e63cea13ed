import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import TestSupport
import TestTraits
import Testing

/// The samples of the doc comments on registering, finding, caching and the outbox.
///
/// Two of them register `Car` with the shared instance, so they take turns.
@Suite(.serialized, .patient) struct CallSiteSampleTests {
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var origin: String
    var year: Int
    var milesPerGallon: Double?
  }

  private struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var title: String
  }

  private let datsun = Car(id: 7, origin: "Japan", year: 1981, milesPerGallon: 40)
  private let evocation = Evocation()

  init() throws {
    try evocation.register(
      Car.self, remote: InMemoryRepository([datsun]), local: InMemoryRepository([datsun]),
      strategy: .remoteFirst)
  }

  @Test func `a model type is registered in one call`() throws {
    let database = try SQLiteDatabase.inMemory()
    let service = HTTPService(try #require(URL(string: "http://127.0.0.1/")))
    defer { Evocation.shared.unregister(Car.self) }
    try Evocation.shared.register(
      Car.self, remote: HTTPRepository(service, "cars"), local: try SQLiteRepository(database),
      strategy: .offlineFirst)
    #expect(throws: Never.self) { try Evocation.shared.proxy(for: Car.self) }
  }

  @Test func `models are found`() async throws {
    do {
      let cars = try await evocation.find(
        Car.self, where: \.origin == "Japan" && \.year >= 1980, sortedBy: \.year)
      #expect(cars == [datsun])
    }
    do {
      let cars = try await evocation.find(Car.self, where: ["origin": "Japan"])
      #expect(cars == [datsun])
    }
    do {
      let cars = try await evocation.count(Car.self, where: \.origin == "Japan")
      #expect(cars == 1)
    }
    do {
      let cars = try await evocation.find(Car.self, where: .init(id: 7))
      #expect(cars == [datsun])
    }
    let car = try await evocation.findOne(Car.self, id: 7)
    #expect(car == datsun)
    #expect(
      try await evocation.count(
        Car.self,
        where:
          Criteria.Key(\Car.year).between(1970, and: 1972)
      ) == 0)
    let watch = Task {
      for await result in evocation.observe(Car.self, where: \.origin == "Japan") {
        print(result.data?.count ?? 0)
      }
    }
    watch.cancel()
    await watch.value
  }

  @Test func `models are found through shared`() async throws {
    try Evocation.register(Car.self, local: InMemoryRepository([datsun]))
    defer { Evocation.shared.unregister(Car.self) }
    do {
      let cars = try await Evocation.find(Car.self, where: \.year >= 1980, sortedBy: \.year)
      #expect(cars == [datsun])
    }
    let thrifty = try await Evocation.find(
      Car.self, where: \.origin == "Japan" && \.milesPerGallon > 30, sortedBy: \.year)
    #expect(thrifty == [datsun])
    let (column, value) = ("origin", "Japan")
    let chosen: Criteria.Of<Car> = \.year >= 1980 && Criteria.Key(column) == value
    #expect(try await Evocation.find(Car.self, where: chosen) == [datsun])
  }

  @Test func `caches and lists are made`() async throws {
    do {
      let cars = evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .hours(5))
      for await state in cars.observe() {
        if case .content(let cars, _) = state.phase { print(cars.count) }
        if state.cache != nil { break }
      }
    }
    do {
      let cars = evocation.cache(Car.self, where: ["year": 1980], maxAge: .hours(5))
      #expect(cars.requirements == ["year": 1980])
    }
    do {
      let cars = evocation.pagingCache(
        Car.self, where: \.year >= 1980, pageSize: 50, maxAge: .hours(1))
      #expect(try await cars.value() == [datsun])
    }
    let list = Evocation.pagingCache(
      Car.self, pageSize: 50, maxAge: .hours(1), options: .init(paging: .link, maxPages: 20))
    #expect(list.source.options.maxPages == 20)
    let cars = Evocation.cache(
      Car.self, where: \.origin == "Japan", maxAge: .hours(5),
      options: .init(refreshEvery: .minutes(10)))
    #expect(cars.source.refreshEvery == .seconds(600))
  }

  @Test @MainActor func `a cache is shown by a view`() {
    let cars = ObservedCache(
      Evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .hours(5)))
    #expect(cars.criteria == ["origin": "Japan"])
    cars.criteria = ["year": 1980]
    #expect(cars.repository.requirements == ["year": 1980])
    let list = ObservedList(Evocation.pagingCache(Car.self, pageSize: 50))
    list.criteria = ["year": 1981]
    #expect(list.criteria == ["year": 1981])
  }

  private final class Spinner {
    var isVisible = false
  }

  @Test func `a state is shown by its phase`() {
    var shown: [String] = []
    let spinner = Spinner()
    func showNothingYet() { shown.append("nothing") }
    func showEmpty() { shown.append("empty") }
    func show(_ cars: [Int], of date: Date) { shown.append("\(cars.count)") }
    let states: [CacheState<[Int]>] = [
      .init(.noCache, isRefreshing: true), .init(.cache(nil, fetchedAt: .distantPast)),
      .init(.cache([1, 2], fetchedAt: .distantPast)),
    ]
    for state in states {
      switch state.phase {
      case .never: showNothingYet()
      case .empty: showEmpty()
      case .content(let cars, let fetchedAt): show(cars, of: fetchedAt)
      }
      spinner.isVisible = state.isRefreshing
    }
    #expect(shown == ["nothing", "empty", "2"] && !spinner.isVisible)
  }

  @Test func `what is parked is listed and discarded`() async throws {
    let note = Note(id: 1, title: "a")
    try evocation.register(
      Note.self, remote: InMemoryRepository([note]), local: InMemoryRepository(),
      strategy: .offlineFirst)
    let outbox = evocation.outbox
    outbox.pause()
    _ = await evocation.storeOne(note)
    for entry in try await outbox.parked(Note.self) {
      print(entry.model.title, entry.failure?.reason ?? "")
    }
    try await outbox.discard(note)
    #expect(try await outbox.entries(of: Note.self).isEmpty)
  }

  @Test func `a fleet has a pause of its own`() {
    var configuration = Outbox.Configuration.fleet
    configuration.retry.maximumDelay = .minutes(3)
    #expect(configuration.retry.maximumDelay == .seconds(180))
  }
}
