import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import Testing

/// The samples of the README, run against the real service and a real file.
@Suite(.serialized) struct ReadmeTests {
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
    try await withDatabase { database in
      Evocation.shared
        .register(for: Car.self)
        .repository(remote: HTTPRepository<Car>(service, "cars"))
        .repository(local: try SQLiteRepository<Car>(database))
        .strategy(.remoteFirst)

      let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
      print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
      #expect(result.data?.count == 79 && result.origin == .remote)

      running.stop()
      let again = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
      #expect(again.data == result.data && again.origin == .local)
      Evocation.shared.unregister(Car.self)
    }
  }

  /// The start of an app, which this process is past.
  private func start() throws {
    try Evocation.bootstrap(.init(log: .console))
  }

  @Test func `the shared instance is configured before it is used`() async {
    _ = await Evocation.count(model: ReadmeTests.self)
    #expect(throws: EvocationError.alreadyStarted) { try start() }
  }

  @Test func `a single call goes by another rule`() async {
    let cars = [Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)]
    Evocation.shared.register(for: Car.self).repository(local: InMemoryRepository(cars))
      .strategy(.remoteOnly)
    defer { Evocation.shared.unregister(Car.self) }
    let here = await Evocation.find(model: Car.self, rule: .localOnly)
    print(here.data?.count ?? 0, "cars, fetched at", here.fetchedAt ?? .distantPast)
    #expect(here.data == cars && here.fetchedAt == nil)
  }

  @Test func `a write says whether the other side followed`() async throws {
    let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)
    Evocation.shared.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .strategy(.localOnly)
    defer { Evocation.shared.unregister(Car.self) }
    let stored = await Evocation.storeOne(car)
    if let error = stored.error { print("Not stored:", error) }
    if let error = stored.synchronizationError { print("Stored, and nobody followed:", error) }

    Evocation.findOne(model: Car.self, criteria: ["id": car.id]) { result in
      print(result.trace)
    }
    #expect(stored.data == car)
  }

  @Test func `what matches is counted`() async {
    struct Car: Codable, Identifiable, Sendable {
      let id: Int
      let origin: String
    }
    Evocation.shared.register(for: Car.self)
      .repository(local: InMemoryRepository([Car(id: 1, origin: "Japan")])).strategy(.localOnly)
    let cars = await Evocation.count(model: Car.self, criteria: ["origin": "Japan"])
    print(cars.data ?? 0, "cars from Japan")
    #expect(cars.data == 1)
  }

  @Test func `criteria are written with operators`() {
    let thrifty = (Criteria.Key("origin") == "Japan" && Criteria.Key("milesPerGallon") > 30)
      .sorted(by: "year", descending: true)
      .limit(20)
    #expect(thrifty["origin"] as? String == "Japan")
  }

  @Test @MainActor func `a view is given models that change`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(local: InMemoryRepository<Car>([Self.car])).strategy(.localOnly)
    let shown = ObservedModels(evocation, of: Car.self, criteria: ["origin": "Japan"])
    print(shown.models.count, "cars,", shown.result?.error ?? "all well")
    try await eventually("the first answer") { shown.result != nil }
    #expect(shown.models == [Self.car])
  }

  @Test func `a mock takes a service's place`() async {
    let evocation = Evocation()
    let car = Self.car
    let remote = RepositoryMock<Car> { call in
      guard case .find = call else { throw URLError(.notConnectedToInternet) }
      return [car]
    }
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    #expect(await evocation.find(model: Car.self).data == [car])
    #expect(await evocation.storeOne(car).error is URLError)
    #expect(remote.calls.count == 2)
  }

  private static let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)

  struct Draft: Codable, Identifiable, Equatable, Sendable {
    var id: Int?
    var text: String
  }

  @Test func `an optional id is refused by a table, and in memory nil is one id`() async throws {
    let message =
      "Evocation cannot map the property \"id\" of Draft, because a value that may be absent "
      + "cannot be the table's key."
    let error = #expect(throws: (any Error).self) {
      try SQLiteRepository<Draft>(SQLiteDatabase.inMemory())
    }
    #expect(error.map { "\($0)" } == message)
    let drafts = InMemoryRepository<Draft>()
    let first = Draft(id: nil, text: "a")
    #expect(try await drafts.store([first]).value == [first])
    await #expect(throws: EvocationError.self) {
      try await drafts.store([Draft(id: nil, text: "b")])
    }
    #expect(try await drafts.update([Draft(id: nil, text: "c")]).value.count == 1)
    _ = try await drafts.store([Draft(id: 1, text: "d")])
    #expect(try await drafts.find(Criteria()).value.map(\.text) == ["c", "d"])
  }

  @Test func `a strategy comes from a file`() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("strategy-\(UUID().uuidString).json")
    try JSONEncoder().encode(Strategy.default()).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let strategy = try Strategy(json: Data(contentsOf: file))
    print(strategy.explain())
    #expect(strategy == .default())
  }

  @Test func `a screen is told what state its data are in`() async throws {
    let evocation = Evocation()
    let store = InMemoryRepository<Car>()
    evocation.register(for: Car.self)
      .repository(
        remote: InMemoryRepository((1...3).map { Car(id: $0, name: "", origin: "Japan", year: 1) })
      )
      .repository(local: store)
    let screen = Task {
      let cars = evocation.cache(for: Car.self, maxAge: .seconds(5 * 3600))
      cars.requirements = ["origin": "Japan"]
      for await state in cars.observe() {
        print(state.cache?.count ?? 0, state.isRefreshing, state.refreshError ?? "all well")
      }
    }
    let other = evocation.cache(for: Car.self)
    other.requirements = ["origin": "Japan"]
    #expect(try await other.value().count == 3)
    #expect(try await store.find(Criteria()).value.count == 3)
    screen.cancel()
    await screen.value
  }
}
