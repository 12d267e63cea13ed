import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation
import TestSupport
import Testing

/// The samples of the page on reading and writing, run against a service and a real file.
@Suite(.serialized) struct ReadingPageTests {
  /// A model of its own, because `shared` has one proxy for each type and suites run side by side.
  struct Car: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
    var origin: String
    var year: Int
    var milesPerGallon: Double?
  }

  private func withDatabase(_ body: (SQLiteDatabase) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try SQLiteDatabase(path: folder.appendingPathComponent("cars.sqlite").path)
    try await body(database)
  }

  @Test func `the first sample answers from the service, and from the file when it is down`()
    async throws
  {
    let running = try await Service.start()
    defer { running.stop() }
    let service = HTTPService(running.url)
    defer { Evocation.shared.unregister(Car.self) }
    try await withDatabase { database in
      try Evocation.shared.register(
        Car.self, remote: HTTPRepository(service, "cars"), local: try SQLiteRepository(database),
        strategy: .remoteFirst)

      let cars = try await Evocation.find(
        Car.self, where: \.origin == "Japan" && \.year >= 1980, sortedBy: \.year)
      print(cars.count, "cars")
      #expect(cars.count == 34)
      #expect(cars.map(\.year) == cars.map(\.year).sorted())

      let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
      print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
      print(result.trace)
      #expect(result.data?.count == 79 && result.origin == .remote)

      running.stop()
      let again = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
      #expect(again.data == result.data && again.origin == .local)
    }
  }

  @Test func `models are found by id, by key paths and by text`() async throws {
    let cars = [
      Car(id: 7, name: "datsun 210", origin: "Japan", year: 1980, milesPerGallon: 40.8),
      Car(id: 8, name: "ford pinto", origin: "USA", year: 1974, milesPerGallon: 19),
    ]
    try Evocation.register(Car.self, local: InMemoryRepository(cars))
    defer { Evocation.shared.unregister(Car.self) }
    let car = try await Evocation.findOne(Car.self, id: 7)
    let thrifty = try await Evocation.find(
      Car.self, where: \.milesPerGallon > 30, sortedBy: \.year, descending: true, limit: 20)
    let old = try await Evocation.count(Car.self, where: Criteria.Key("year") < 1975)
    #expect(car == cars[0] && thrifty == [cars[0]] && old == 1)
  }

  @Test func `text is found without case and accents`() async throws {
    let car = Car(id: 7, name: "Citroën DS-21", origin: "Europe", year: 1970, milesPerGallon: nil)
    try Evocation.register(Car.self, local: InMemoryRepository([car]))
    defer { Evocation.shared.unregister(Car.self) }
    let found = try await Evocation.find(
      Car.self, where: .contains(\.name, "citroen", options: .like))
    #expect(found == [car])
  }

  /// The start of an app, which this process is past.
  private func start() throws {
    try Evocation.bootstrap(.init(log: .console))
  }

  @Test func `the shared instance is configured before it is used`() async {
    _ = await Evocation.count(model: ReadingPageTests.self)
    #expect(throws: EvocationError.alreadyStarted) { try start() }
  }

  @Test func `a single call goes by another rule`() async throws {
    let cars = [Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)]
    try Evocation.register(
      Car.self, remote: InMemoryRepository(), local: InMemoryRepository(cars), strategy: .remoteOnly
    )
    defer { Evocation.shared.unregister(Car.self) }
    let here = try await Evocation.find(Car.self, rule: .localOnly)
    #expect(here == cars)
  }

  @Test func `a write says whether the other side followed`() async throws {
    let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)
    try Evocation.register(Car.self, local: InMemoryRepository())
    defer { Evocation.shared.unregister(Car.self) }
    let stored = await Evocation.storeOne(car)
    if let error = stored.error { print("Not stored:", error) }
    if let error = stored.synchronizationError {
      print("Saved locally; syncing to the server failed:", error)
    }

    Evocation.findOne(model: Car.self, criteria: ["id": car.id]) { result in
      print(result.trace)
    }
    #expect(stored.data == car)
  }

  @Test @MainActor func `a view is given models that change`() async throws {
    let evocation = Evocation()
    try evocation.register(Car.self, local: InMemoryRepository([Self.car]))
    let shown = ObservedModels(Car.self, where: \.origin == "Japan", in: evocation)
    print(shown.models.count, "cars,", shown.error ?? "all well")
    try await eventually("the first answer") { shown.result != nil }
    #expect(shown.models == [Self.car])
  }

  private static let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)

  @Test func `a screen is told what state its data are in`() async throws {
    let evocation = Evocation()
    let store = InMemoryRepository<Car>()
    try evocation.register(
      Car.self,
      remote: InMemoryRepository((1...3).map { Car(id: $0, name: "", origin: "Japan", year: 1) }),
      local: store, strategy: .remoteFirst)
    let screen = Task {
      let cars = evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .hours(5))
      for await state in cars.observe() {
        switch state.phase {
        case .never: print("nothing yet")
        case .empty: print("no cars")
        case .content(let cars, let fetchedAt): print(cars.count, "cars of", fetchedAt)
        }
      }
    }
    let other = evocation.cache(Car.self, where: ["origin": "Japan"])
    #expect(try await other.value().count == 3)
    #expect(try await store.find(Criteria()).value.count == 3)
    screen.cancel()
    await screen.value
  }
}
