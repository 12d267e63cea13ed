import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

struct Settings: Sendable {
  var isDark = false
  var isEmpty: Bool { false }
}

/// A file of one value, as far as the samples need one.
struct ValueFile<Value: Sendable>: Sendable {
  let value: Value

  func write(_ value: Value) async throws {}

  func values() -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(value)
      continuation.finish()
    }
  }
}

typealias SettingsFile = ValueFile<Settings>
typealias TextFile = ValueFile<String>

struct SettingsService: Sendable {
  func settings() async throws -> Settings { Settings(isDark: true) }
}

struct SettingsSource: CacheDataSource {
  let file: SettingsFile
  let service: SettingsService
  let maxAge: Duration? = .seconds(3600)

  func fetchFreshCache(_ requirements: CacheTag) async throws -> Settings {
    try await service.settings()
  }
  func saveCache(_ fetched: Settings, requirements: CacheTag) async throws {
    try await file.write(fetched)
  }
  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<Settings, any Error> {
    file.values()
  }
  func isCacheEmpty(_ cache: Settings, requirements: CacheTag) -> Bool { cache.isEmpty }
}

extension FetchLedger {
  /// What an app's own ledger does in its `note(_:)`.
  fileprivate static func note(_ date: Date, _ greatest: inout Date?, _ markAllUndated: () -> Void)
  {
    let isSetBack = Self.isSetBack(date, from: greatest)
    if isSetBack { markAllUndated() }
    greatest = isSetBack ? date : Self.latest(date, greatest)
  }
}

struct UsernameSource: LocalCacheDataSource {
  let file: TextFile

  func saveCache(_ cache: String, requirements: CacheTag) async throws {
    try await file.write(cache)
  }
  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
    file.values()
  }
  func isCacheEmpty(_ cache: String, requirements: CacheTag) -> Bool { cache.isEmpty }
}

struct ReposOfUser: CacheRequirements {
  let name: String
  var tag: String { "repos of \(name)" }
}

/// A clock with the server's date, for a device whose own date may be wrong.
struct ServerClock: DateClock {
  let ahead: TimeInterval

  var date: Date { Date() + ahead }
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
  }
}

extension CacheAccess {
  func pull() async -> Bool {
    (try? await refresh(force: true)) == .successful
  }
}

/// The samples of the cache layer's documentation comments, as they stand there.
@Suite(.patient) struct CacheSampleTests {
  /// A model of its own, because `shared` has one proxy for each type and suites run side by side.
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var year = 2002
  }

  private struct Owner: Codable, Identifiable, Hashable, Sendable {
    let id: Int
  }

  private struct Spinner {
    var isVisible = false
  }

  private func register(_ evocation: Evocation) {
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: RepositoryMock { _ in [Car(id: 1)] })
    evocation.register(for: Owner.self).repository(local: InMemoryRepository<Owner>())
      .repository(remote: RepositoryMock { _ in [Owner(id: 1)] })
  }

  private func evocation() -> Evocation {
    let evocation = Evocation()
    register(evocation)
    return evocation
  }

  @Test func `A repository says its present state, and a ledger what date it saw`() async throws {
    let cars = CacheRepository(
      SettingsSource(file: SettingsFile(value: Settings()), service: SettingsService()),
      ledger: InMemoryFetchLedger())
    cars.requirements = "settings"
    try await cars.refresh()
    print(cars.state?.refreshError ?? "fetched")
    #expect(cars.state?.refreshError == nil)
    #expect(cars.state?.isReading == true)

    var greatest: Date? = Date(timeIntervalSinceReferenceDate: 100)
    var isUndated = false
    let date = Date(timeIntervalSinceReferenceDate: 50)
    InMemoryFetchLedger.note(date, &greatest) { isUndated = true }
    #expect(isUndated)
    #expect(greatest == date)
  }

  @Test func `a cache of a registered model is made and observed`() async throws {
    let (shown, continuation) = AsyncStream<CacheState<[Car]>>.makeStream()
    @Sendable func show(_ state: CacheState<[Car]>) { continuation.yield(state) }
    register(.shared)
    let task = Task {
      let cars = Evocation.shared.cache(Car.self, maxAge: .seconds(5 * 3600))
      cars.requirements = ["year": 2002]
      for await state in cars.observe() { show(state) }
    }
    #expect(await shown.first { !$0.isRefreshing && $0.cache != nil }?.cache == [Car(id: 1)])
    task.cancel()
    await task.value
  }

  @Test func `a cache that nothing else keeps is observed`() async throws {
    let (shown, continuation) = AsyncStream<CacheState<[Car]>>.makeStream()
    @Sendable func show(_ state: CacheState<[Car]>) { continuation.yield(state) }
    let evocation = Evocation()
    register(evocation)
    let task = Task {
      for await state in evocation.cache(Car.self).observe() { show(state) }
    }
    #expect(await shown.first { !$0.isRefreshing && $0.cache != nil }?.cache == [Car(id: 1)])
    task.cancel()
    await task.value
  }

  @Test func `a cache tells its states`() async throws {
    let (printed, continuation) = AsyncStream<(cars: [Car], isRefreshing: Bool)>.makeStream()
    /// What the sample prints comes back to the test.
    @Sendable func print(_ cars: [Car], _ isRefreshing: Bool, _ error: Any) {
      continuation.yield((cars, isRefreshing))
    }
    let cars = evocation().cache(Car.self)
    cars.requirements = ["year": 2002]
    let task = Task {
      for await state in cars.observe() {
        print(state.cache ?? [], state.isRefreshing, state.refreshError ?? "")
      }
    }
    #expect(await printed.first { !$0.isRefreshing && !$0.cars.isEmpty }?.cars == [Car(id: 1)])
    task.cancel()
    await task.value
  }

  @Test func `two caches are observed as one`() async throws {
    let evocation = evocation()
    let (cars, owners) = (evocation.cache(Car.self), evocation.cache(Owner.self))
    cars.requirements = ["year": 2002]
    owners.requirements = Criteria()
    let (printed, continuation) = AsyncStream<(cars: [Car], owners: [Owner])>.makeStream()
    /// What the sample prints comes back to the test.
    @Sendable func print(_ cars: [Car], _ owners: [Owner], _ isRefreshing: Bool) {
      continuation.yield((cars, owners))
    }
    let task = Task {
      for await state in cars.observe().combine(owners.observe(), { ($0, $1) }) {
        print(state.cache?.0 ?? [], state.cache?.1 ?? [], state.isRefreshing)
      }
    }
    let last = await printed.first { !$0.cars.isEmpty && !$0.owners.isEmpty }
    #expect(last?.cars == [Car(id: 1)])
    #expect(last?.owners == [Owner(id: 1)])
    task.cancel()
    await task.value
  }

  @Test func `what is cached is read once`() async throws {
    let evocation = evocation()
    let repository = evocation.cache(Car.self)
    repository.requirements = ["year": 2002]
    let cars = try await repository.value()
    #expect(cars == [Car(id: 1)])
  }

  @Test func `a stale cache is an error where nothing may be fetched`() async throws {
    let repository = evocation().cache(Car.self)
    repository.requirements = ["year": 2002]
    var printed: [String] = []
    /// What the sample prints comes back to the test.
    func print(_ text: String) { printed.append(text) }
    do {
      let cars = try await repository.value(from: .cache)
      print("\(cars.count) cars")
    } catch CacheError.noCache, CacheError.cacheTooOld {
      print("nothing here is fresh")
    }
    #expect(printed == ["nothing here is fresh"])
    #expect(await repository.pull())
    #expect(try await repository.value(from: .cache) == [Car(id: 1)])
  }

  @Test func `a ledger says what was fetched when, and forgets it`() async throws {
    let ledger = InMemoryFetchLedger()
    let evocation = Evocation(configuration: .init(ledger: ledger))
    register(evocation)
    let cars = evocation.cache(Car.self, where: ["year": 2002], maxAge: .hours(1))
    #expect(try await cars.refresh() == .successful)
    let records = try await ledger.records(prefix: "")
    for (tag, record) in records { print(tag, record.fetchedAt) }
    #expect(!records.isEmpty)
    try await ledger.invalidate()
    let count = try await ledger.records(prefix: "").count
    print(count, "caches are stale now")
    #expect(try await ledger.records(prefix: "").values.allSatisfy(\.isInvalidated))
    try await ledger.clear()
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  @Test func `fetches have the date of the clock`() async throws {
    let ledger = InMemoryFetchLedger()
    let clock = ServerClock(ahead: -86_400)
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    register(evocation)
    let cars = evocation.cache(Car.self, where: ["year": 2002])
    #expect(try await cars.refresh() == .successful)
    let records = try await ledger.records(prefix: "")
    #expect(records.values.allSatisfy { $0.fetchedAt < Date() - 80_000 })
  }

  @Test @MainActor func `a view observes a cache`() async throws {
    let repository = evocation().cache(Car.self)
    let cars = ObservedCache(repository)
    #expect(cars.state == nil)
  }

  @Test func `a source of one's own is fetched, saved and observed`() async throws {
    let source = SettingsSource(file: SettingsFile(value: Settings()), service: SettingsService())
    let settings = CacheRepository(source, ledger: InMemoryFetchLedger())
    settings.requirements = "settings"
    #expect(try await settings.refresh() == .successful)
    #expect(try await !settings.value().isDark)
  }

  @Test func `a source without a fetch is as easy`() async throws {
    let source = UsernameSource(file: TextFile(value: "Ada"))
    let name = CacheRepository(source, ledger: InMemoryFetchLedger())
    name.requirements = "name"
    #expect(try await name.value() == "Ada")
  }

  @Test func `ages can be kept by the user defaults`() {
    let source = UsernameSource(file: TextFile(value: "Ada"))
    let cars = CacheRepository(source, ledger: UserDefaultsFetchLedger())
    #expect(cars.requirements == nil)
  }

  @Test func `requirements have a tag, and limits three numbers`() {
    #expect(ReposOfUser(name: "ada").tag == "repos of ada")
    let limits = CacheLimits(age: .seconds(30 * 86_400), count: 100, size: 50_000_000)
    #expect(limits.count == 100)
  }

  @Test func `a state says how fresh it is, and which fetch has just ended`() {
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    let state = CacheState<[Car]>(
      .cache([Car(id: 1)], fetchedAt: Date(timeIntervalSinceReferenceDate: 0)),
      justFinishedSuccessfulRefresh: true, freshness: .stale)
    switch state.freshness {
    case .fresh: show("up to date")
    case .stale: show("may have changed since")
    case .expired, nil: show("not loaded yet")
    }
    switch state.event {
    case .firstFetchSucceeded, .refreshSucceeded: show("just loaded")
    case .firstFetchFailed: show("could not be loaded")
    case nil: break
    }
    #expect(shown == ["may have changed since", "just loaded"])
  }

  @Test func `a state is shown case by case`() {
    var spinner = Spinner()
    var shown = ""
    func showNothingYet() { shown = "nothing yet" }
    func showEmpty() { shown = "empty" }
    func show(_ cars: [Car], of date: Date) { shown = "\(cars.count)" }
    let state = CacheState([Car(id: 1)], fetchedAt: Date(timeIntervalSinceReferenceDate: 0))
    switch state.state {
    case .noCache: showNothingYet()
    case .cache(nil, _): showEmpty()
    case .cache(let cars?, let fetchedAt): show(cars, of: fetchedAt)
    }
    spinner.isVisible = state.isRefreshing
    #expect(shown == "1")
    #expect(!spinner.isVisible)
  }
}

extension CacheState {
  fileprivate init(_ cache: Cache, fetchedAt: Date) {
    self.init(.cache(cache, fetchedAt: fetchedAt), isRefreshing: false)
  }
}
