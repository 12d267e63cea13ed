import Evocation
import EvocationHTTP
import EvocationLive
import EvocationSQLite
import EvocationTesting
import Foundation

/// A device of a fleet: its file, its connection, and its app, which is killed and started again.
///
/// It changes one car of its own, and has those of all others.
actor LiveDevice {
  let number: Int
  private let fleet: LiveFleet
  private let file: String
  private let connectivity = ManualConnectivity()
  private var app: App?
  private var random: SeededGenerator
  /// What the user was told to be written.
  private(set) var acknowledged = 0

  /// One run of the app.
  private struct App {
    let evocation: Evocation
    let database: SQLiteDatabase
    let local: SQLiteRepository<BaseCar>
    let cache: CacheRepository<ProxyCacheDataSource<BaseCar>>
    let observations: [Evocation.Observation]
  }

  init(_ number: Int, in fleet: LiveFleet, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    self.number = number
    self.fleet = fleet
    file = fleet.folder.appending(path: "device-\(number).sqlite").path
  }

  /// Starts the app, and observes all cars.
  func start() throws {
    guard app == nil else { return }
    // To look for others' commits would take each device a hundredth of a core.
    let database = try SQLiteDatabase(unwatched: file, .init())
    let local = try SQLiteRepository<BaseCar>(database)
    let evocation = Evocation(configuration: .init(outbox: .init(connectivity: connectivity)))
    try evocation.register(
      BaseCar.self, remote: fleet.repository(), local: local, strategy: .offlineFirst)
    if fleet.isLive { evocation.live.start() }
    let cache = evocation.cache(
      BaseCar.self, options: .init(refreshEvery: fleet.isLive ? nil : .seconds(5)))
    cache.requirements = Criteria()
    let since = ContinuousClock.now
    let observer = fleet.observer(number, since: since)
    let observations = [
      cache.observe { _ in },
      local.observeChanges { [connectivity] in if connectivity.isOnline { observer($0) } },
    ]
    app = App(
      evocation: evocation, database: database, local: local, cache: cache,
      observations: observations)
  }

  /// Ends the app in the midst of whatever it does.
  func kill() {
    guard let app else { return }
    for observation in app.observations { observation.cancel() }
    self.app = nil
  }

  func goOffline() {
    fleet.recordAway(number)
    connectivity.goOffline()
  }

  func goOnline() {
    connectivity.goOnline()
    fleet.recordBack(number)
  }

  /// Changes the device's car, whether the service can be reached or not.
  func write() async {
    guard let app else { return }
    var car = fleet.model(of: number)
    car.weight = acknowledged + 1
    if connectivity.isOnline { fleet.recordWritten(number, car.weight) }
    // Nothing is changed before the first fetch.
    let result = await app.evocation.updateOne(car)
    if result.data != nil { acknowledged = max(acknowledged, car.weight) }
  }

  /// Acts as a user does, until a time.
  func live(until end: ContinuousClock.Instant) async throws {
    while ContinuousClock.now < end {
      let next = ContinuousClock.now + .seconds(random.count(1...(2 * fleet.secondsBetweenWrites)))
      try await Task.sleep(until: min(next, end), clock: .continuous)
      switch random.count(0...19) {
      case 0:
        goOffline()
        try await pause(5...30)
        await write()
        try await pause(5...30)
        goOnline()
      case 1:
        fleet.recordAway(number)
        await write()
        kill()
        try await pause(2...20)
        try start()
        fleet.recordBack(number)
      default: await write()
      }
    }
    goOnline()
    try start()
  }

  private func pause(_ seconds: ClosedRange<Int>) async throws {
    try await Task.sleep(for: .seconds(random.count(seconds)))
  }

  /// Sends what is left.
  func settle() async -> Int {
    await app?.evocation.outbox.flush(deadline: .seconds(120)).left ?? 0
  }

  /// What the device has.
  func cars() async throws -> [BaseCar] { try await app?.local.find(Criteria()).value ?? [] }

  /// How its cache is, for a failure.
  var story: String {
    guard let state = app?.cache.state else { return "no state" }
    return
      "refreshing: \(state.isRefreshing), error: \(state.refreshError.map { "\($0)" } ?? "none"), "
      + "age: \(state.cacheAge.map { "\($0)" } ?? "none"), online: \(connectivity.isOnline)"
  }

  func end() async {
    let database = app?.database
    kill()
    await database?.close()
  }
}
