import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

struct CarList {
  let cars: any CacheProviding<ProxyCacheDataSource<Car>>

  func show(carsOf year: Int) async throws -> [Car] {
    cars.requirements = ["year": year]
    return try await cars.value()
  }
}

struct CarPages {
  let cars: any PagingCacheProviding<CarListSource>

  func scrolledToEnd() async -> String? {
    guard case .failed(let error) = await cars.goToNextPage() else { return nil }
    return "\(error)"
  }
}

/// The samples of the page on testing, as they stand there.
@Suite(.patient) struct TestingPageTests {
  private let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)
  private let requirements: Criteria = ["year": 1980]
  private let date = Date(timeIntervalSinceReferenceDate: 0)

  private func cache(
    _ ledger: any FetchLedger
  ) -> CacheRepository<ProxyCacheDataSource<Car>> {
    let evocation = Evocation(configuration: .init(ledger: ledger))
    evocation.register(for: Car.self).strategy(.default())
      .repository(remote: RepositoryMock { [car] _ in [car] })
      .repository(local: CarStore())
    return evocation.cache(Car.self, maxAge: .seconds(60))
  }

  @Test func `a mock takes the place of a cache`() async throws {
    let cars = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
    cars.onValue = { _ in [car] }
    let list = CarList(cars: cars)
    #expect(try await list.show(carsOf: 1980) == [car])
    #expect(cars.calls == [.requirements(["year": 1980]), .value(from: .both)])
  }

  @Test func `a mock is fed by hand`() async throws {
    let cars = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
    let error = Offline()
    cars.send(CacheState.testing.noCache(requirements: requirements) { $0.fetchingFirstTime() })
    cars.send(CacheState.testing.noCache(requirements: requirements) { $0.failedFirstFetch(error) })
    var states = cars.observe().makeAsyncIterator()
    #expect(await states.next()?.refreshError is Offline)
    cars.finish()
    #expect(await states.next() == nil)
  }

  @Test func `states are built`() {
    let waiting: CacheState<[Car]> = CacheState.testing.noCache(requirements: requirements) {
      $0.fetchingFirstTime()
    }
    let shown = CacheState.testing.cache(requirements: requirements, lastTimeFetched: date) {
      $0.cache([car]).fetching()
    }
    #expect(waiting.isFirstFetch)
    #expect(shown.cache == [car])
    #expect(shown.isRefreshing)
  }

  @Test func `a mock takes the place of a list`() async {
    let cars = PagingCacheRepositoryMock<CarListSource>()
    cars.onPage = { _ in .failed(Offline()) }
    cars.requirements = "cars"
    #expect(await CarPages(cars: cars).scrolledToEnd() == "Offline()")
    #expect(cars.calls.last == .goToNextPage(continueWhenError: true))
  }

  @Test func `states of lists are built`() {
    let requirements: CacheTag = "cars"
    let list: CacheState<PagedCache<[Car]>> = CacheState.testing.cache(
      requirements: requirements, lastTimeFetched: date
    ) { $0.cache([car]).loadingNextPage() }
    #expect(list.cache == PagedCache([car], areMorePages: true, next: .loading))
  }

  @Test func `a list is put into a state`() async throws {
    let cars = PagingCacheRepository(CarListSource(), ledger: InMemoryFetchLedger())
    try PagingCacheRepository.testing.initState(repository: cars, requirements: "cars") {
      $0.cache([car], nextPage: 2) { $0.cacheTooOld() }
    }
    #expect(await cars.goToNextPage() == .successful)
    var states = cars.observe().makeAsyncIterator()
    #expect(await states.next()?.cache?.cache.map(\.id) == [1, 2])
  }

  @Test func `a repository is put into a state`() async throws {
    let ledger = InMemoryFetchLedger()
    let cars = cache(ledger)
    try CacheRepository.testing.initState(repository: cars, requirements: requirements) {
      $0.cache([car]) { $0.cacheTooOld() }
    }
    var states = cars.observe().makeAsyncIterator()
    #expect(await states.next()?.isStale == true)
    #expect(await states.next()?.isRefreshing == true)
    try CacheTesting.clearAll(in: [ledger])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  @Test func `things go wrong by a schedule`() async {
    let schedule = FaultSchedule(.fails(), on: .number(3))
      .and(.isDelayed(by: .seconds(2)), on: .each(.read))
    print(schedule)  // Call 3 fails; every read is delayed by 2.0 seconds.
    #expect("\(schedule)" == "Call 3 fails; every read is delayed by 2.0 seconds.")
    let flaky = FaultyRepository(
      InMemoryRepository<Car>(), FaultSchedule(.fails(), on: .first(2, ofEvery: 3)))
    await #expect(throws: InjectedFault.self) { try await flaky.store([car]) }
  }

  @Test func `time moves when it is told to`() async throws {
    let clock = ManualClock()
    let remote = FaultyRepository(
      InMemoryRepository<Car>([car]),
      FaultSchedule(.isDelayed(by: .seconds(5)), on: .each(.read)), clock: clock)
    async let answer = remote.find(requirements)
    await clock.sleeps(1)
    clock.advance(by: .seconds(5))
    #expect(try await answer.value == [car])
  }

  @Test func `a source is played, and its uses are counted`() async throws {
    let source = CacheDataSourceMock<[Car], Criteria> { _ in [car] }
    let cars = CacheRepository(source, ledger: InMemoryFetchLedger())
    cars.requirements = ["year": 1980]
    #expect(try await cars.value() == [car])
    #expect(source.calls == [.fetch(["year": 1980]), .save([car], ["year": 1980])])
    var states = cars.observe().makeAsyncIterator()
    let first = await states.next()
    #expect(first?.cache == [car])
  }

  @Test func `a source of pages is played, and its uses are counted`() async throws {
    let cars = [car, car(2), car(3)]
    let source = PagingCacheDataSourceMock<[Car], CacheTag, PageNumber>(firstPage: 1) { _, page in
      FetchedPage([cars[page.number - 1]], next: page.number < 3 ? page.next : nil)
    }
    let list = PagingCacheRepository(source, ledger: InMemoryFetchLedger())
    list.requirements = "cars"
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    #expect(source.calls.last == .save([cars[1]], "cars", page: 2, position: .after))
  }

  @Test func `chance is played again by its seed`() {
    let cars = [car, car(2)]
    var random = SeededGenerator("cars come and go")  // cars come and go: EVOCATION_SEED=…
    let car = cars.randomElement(using: &random)
    let isRemoved = random.chance(30)
    let count = random.count(1...5)
    var again = SeededGenerator(seed: random.seed)
    #expect(cars.randomElement(using: &again) == car)
    #expect(again.chance(30) == isRemoved)
    #expect(again.count(1...5) == count)
    #expect(!again.chance(0) && again.chance(100))
  }

  @Test func `a repository of one's own is held against the contract`() async {
    let contract = RepositoryContract([car, car(2), car(3)]) { car in
      var car = car
      car.year += 1
      return car
    }
    let violations = await contract.violations { CarStore() }
    #expect(violations == [])
  }

  private func car(_ id: Int) -> Car {
    Car(id: id, name: "datsun \(id)", origin: "Japan", year: 1980 + id)
  }
}
