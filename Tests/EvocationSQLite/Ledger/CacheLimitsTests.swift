import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct CacheLimitsTests {
  private let folder: TemporaryFolder
  private let cars = (0..<12).map { Car(id: $0, name: "\($0)", year: $0 % 6) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ place: CacheStore.Place) throws -> CacheStore {
    try CacheStore(place, folder.path(), remote: cars)
  }

  /// Puts a year's cars into the cache, a second later, and waits until the limits are kept.
  private func fill(_ store: CacheStore, _ criteria: Criteria, _ limits: CacheLimits) async throws {
    store.clock.advance(by: .seconds(1))
    let remote = InMemoryRepository<Car>(cars)
    let models = try await remote.find(criteria).value
    try await store.cache(criteria, limits: limits).update(models)
  }

  private func years(_ store: CacheStore) async throws -> [Int] {
    let records = try await store.cache([:]).ledger.records(prefix: "")
    return try records.values.map { record in
      let data = try #require(record.requirements)
      let criteria = try JSONDecoder().decode(Criteria.self, from: data)
      guard case .integer(let year)? = criteria["year"]?.criteriaValue else { return -1 }
      return Int(year)
    }.sorted()
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `The longest unused goes first, and its models with it`(
    place: CacheStore.Place
  )
    async throws
  {
    let store = try store(place)
    for year in 0..<5 { try await fill(store, ["year": .init(year)], CacheLimits(count: 3)) }
    #expect(try await years(store) == [2, 3, 4])
    #expect(try await store.ids() == [2, 3, 4, 8, 9, 10])
    let gone = store.cache(["year": 0])
    await #expect(throws: CacheError.self) { try await gone.value(from: .cache) }
    #expect(try await gone.value().map(\.id) == [0, 6])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `A fetch keeps the limits too`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let cache = store.cache(["year": 0], limits: CacheLimits(count: 1))
    for year in 0..<3 {
      cache.requirements = ["year": .init(year)]
      store.clock.advance(by: .seconds(1))
      #expect(try await cache.refresh() == .successful)
    }
    try await fill(store, ["year": 3], CacheLimits(count: 1))
    // The eviction of a fetch follows its answer.
    try await eventually("an end of the first three years and of their models") {
      let (years, ids) = try await (years(store), store.ids())
      return years == [3] && ids == [3, 9]
    }
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `Values that are asked for at once all come, whatever the limit`(
    place: CacheStore.Place
  )
    async throws
  {
    let store = try store(place)
    for _ in 0..<20 {
      try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
        for year in 0..<6 {
          let cache = store.cache(["year": .init(year)], limits: CacheLimits(count: 1))
          group.addTask { (year, try await cache.value().map(\.id)) }
        }
        for try await (year, ids) in group { #expect(ids == [year, year + 6]) }
      }
    }
    try await eventually("the limit holds") { try await years(store).count == 1 }
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `What is observed stays, and goes when it is observed no longer`(
    place: CacheStore.Place
  )
    async throws
  {
    let store = try store(place)
    let limits = CacheLimits(count: 1)
    try await fill(store, ["year": 0], limits)
    let observed = store.cache(["year": 0])
    var states: (some AsyncIteratorProtocol)? = observed.observe().makeAsyncIterator()
    _ = try await states?.next()
    try await fill(store, ["year": 1], limits)
    #expect(try await years(store) == [0, 1])
    #expect(try await store.ids() == [0, 1, 6, 7])
    states = nil
    try await fill(store, ["year": 2], limits)
    #expect(try await years(store) == [2])
    #expect(try await store.ids() == [2, 8])
    // A repository that was not observed is told.
    await #expect(throws: CacheError.self) { try await observed.value(from: .cache) }
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `What another kept cache has too stays`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let limits = CacheLimits(count: 2)
    try await fill(store, Criteria.Key("year") <= 2, limits)
    try await fill(store, ["year": 1], limits)
    try await fill(store, ["year": 5], limits)
    #expect(try await store.ids() == [1, 5, 7, 11])
    try await fill(store, Criteria(), limits)
    try await fill(store, ["year": 0], limits)
    #expect(try await store.ids() == cars.map(\.id))
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `A page that goes takes nothing that came after it`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let limits = CacheLimits(count: 2)
    _ = try await store.local.store(cars)
    let page = (Criteria.Key("year") <= 1).limit(3)
    try await fill(store, page, limits)
    try await fill(store, ["year": 0], limits)
    try await fill(store, ["year": 5], limits)
    // The page was 0, 1 and 6, of which year 0 keeps 0 and 6.
    #expect(try await store.ids() == [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `A size limits what all take together`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let one = try JSONEncoder().encode(Array(cars.prefix(2))).count
    let limits = CacheLimits(size: 2 * one + one / 2)
    for year in 0..<4 { try await fill(store, ["year": .init(year)], limits) }
    #expect(try await years(store) == [2, 3])
    // What is just saved stays, however large.
    try await fill(store, Criteria(), CacheLimits(size: 1))
    #expect(try await years(store) == [-1])
    #expect(try await store.ids() == cars.map(\.id))
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `What was not used for too long goes`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let limits = CacheLimits(age: .seconds(100))
    try await fill(store, ["year": 0], limits)
    store.clock.advance(by: .seconds(90))
    try await fill(store, ["year": 1], limits)
    #expect(try await years(store) == [0, 1])
    store.clock.advance(by: .seconds(10))
    try await fill(store, ["year": 2], limits)
    #expect(try await years(store) == [1, 2])
    #expect(try await store.ids() == [1, 2, 7, 8])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `To read a cache is to use it`(place: CacheStore.Place) async throws {
    let store = try store(place)
    let limits = CacheLimits(count: 2)
    try await fill(store, ["year": 0], limits)
    try await fill(store, ["year": 1], limits)
    store.clock.advance(by: .seconds(100))
    let read = store.cache(["year": 0], limits: limits)
    #expect(try await read.value(from: .cache).count == 2)
    let now = store.clock.date
    // The use is written down beside the read; an update of the same cache takes the turn after it.
    try await eventually("the use in the ledger") {
      try await read.ledger.records(prefix: "").values.map(\.usedAt).max() == now
    }
    try await fill(store, ["year": 2], limits)
    #expect(try await years(store) == [0, 2])
  }

  @Test func `What cannot be deleted is told, kept as stale, and tried again`() async throws {
    let store = try store(.file)
    let limits = CacheLimits(count: 1)
    try await fill(store, ["year": 0], limits)
    let trigger = "CREATE TRIGGER refuse BEFORE DELETE ON car BEGIN SELECT RAISE(ABORT, 'no'); END"
    try await store.database?.write { _ = try $0.execute(trigger) }
    try await fill(store, ["year": 1], limits)
    #expect(store.failures.count == 1)
    #expect(try await years(store) == [0, 1])
    #expect(try await store.ids() == [0, 1, 6, 7])
    let kept = store.cache(["year": 0])
    await #expect(throws: CacheError.self) { try await kept.value(from: .cache) }
    #expect(try await store.cache(["year": 1]).value(from: .cache).count == 2)
    try await store.database?.write { _ = try $0.execute("DROP TRIGGER refuse") }
    try await fill(store, ["year": 2], limits)
    #expect(try await years(store) == [2])
    #expect(try await store.ids() == [2, 8])
    #expect(store.failures.count == 1)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `A write of the app on its way is waited for`(place: CacheStore.Place) async throws {
    let store = try store(place)
    try await fill(store, ["year": 0], CacheLimits(count: 1))
    // One after the other in the model's line, whichever comes first.
    async let stored = store.evocation.store([Car(id: 100, name: "mine", year: 4)])
    async let filled: Void = fill(store, ["year": 1], CacheLimits(count: 1))
    #expect(await stored.error == nil)
    try await filled
    #expect(try await store.ids() == [1, 7, 100])
  }

  @Test func `Very many kept caches are not too many`() async throws {
    let store = try store(.file)
    try await fill(store, ["year": 1], .none)
    store.clock.advance(by: .seconds(1))
    let ledger = store.cache([:]).ledger
    for year in 0..<1_500 {
      let criteria: Criteria = ["year": .init(year + 1_000)]
      let record = FetchRecord(
        fetchedAt: store.clock.date,
        source: "Evocation.ProxyCacheDataSource<SQLiteSupport.Car>",
        requirements: try JSONEncoder().encode(criteria))
      try await ledger.write(record, for: store.cache([:]).source.tag(for: criteria))
    }
    try await fill(store, ["year": 2], CacheLimits(count: 1_501))
    #expect(store.failures == [])
    #expect(try await store.ids() == [2, 8])
  }
}
