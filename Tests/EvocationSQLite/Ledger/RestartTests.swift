import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What is known of a cache after the app was started anew on its file.
@Suite(.patient) struct RestartTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let cars = (0..<4).map { Car(id: $0, name: "\($0)", year: 2000 + $0 % 2) }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func start() throws -> CacheStore {
    try CacheStore(.file, folder.path(), clock: clock, remote: cars)
  }

  /// Fetches the cars of 2001, and ends the app.
  private func fetchAndEnd() async throws {
    let store = try start()
    let cache = store.cache(["year": 2001])
    #expect(try await cache.refresh() == .successful)
    let ledger = try #require(cache.ledger as? SQLiteFetchLedger)
    // It is noted behind the answer.
    try await eventually("the date in the ledger") { try await ledger.greatestDate() != nil }
    await store.database?.close()
  }

  @Test func `The ledger of the local repository is used by itself`() async throws {
    let store = try start()
    let cache = store.cache(["year": 2001])
    #expect(cache.ledger.identity == store.database.map(ObjectIdentifier.init))
    #expect(try await cache.refresh() == .successful)
    let records = try await cache.ledger.records(prefix: "")
    #expect(records.count == 1)
    #expect(records.values.first?.fetchedAt == clock.date)
  }

  @Test func `What is fresh is shown without a fetch`() async throws {
    try await fetchAndEnd()
    clock.advance(by: .seconds(60))
    let store = try start()
    let cache = store.cache(["year": 2001], maxAge: .seconds(60))
    #expect(try await cache.value().map(\.id) == [1, 3])
    var states = cache.observe().makeAsyncIterator()
    let state = try #require(await states.next())
    #expect(state.cache?.map(\.id) == [1, 3])
    #expect(state.freshness == .fresh)
    #expect(state.cacheAge == .seconds(60))
    #expect(store.fetches == 0)
  }

  @Test func `What is stale is shown, and fetched once`() async throws {
    try await fetchAndEnd()
    clock.advance(by: .seconds(61))
    let store = try start()
    let cache = store.cache(["year": 2001], maxAge: .seconds(60))
    var states = cache.observe().makeAsyncIterator()
    let state = try #require(await states.next())
    #expect(state.cache?.map(\.id) == [1, 3])
    #expect(state.freshness == .stale)
    while let state = await states.next(), !state.justFinishedSuccessfulRefresh {}
    #expect(try await store.ids() == [1, 3])
    #expect(store.fetches == 1)
  }

  @Test func `A date that was set back makes the age unknown, which is stale`() async throws {
    try await fetchAndEnd()
    clock.setDate(clock.date - 1)
    let store = try start()
    let cache = store.cache(["year": 2001], maxAge: .seconds(60))
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(store.fetches == 1)
  }

  @Test func `A date that was set back is remembered when it is where it was again`()
    async throws
  {
    try await fetchAndEnd()
    clock.setDate(clock.date - 1800)
    let second = try start()
    #expect(second.cache(["year": 2000]).state == nil)
    await #expect(throws: CacheError.self) {
      try await second.cache(["year": 2000]).value(from: .cache)
    }
    await second.database?.close()
    clock.advance(by: .seconds(3600))
    let third = try start()
    let cache = third.cache(["year": 2001], maxAge: .seconds(7200))
    await #expect(
      throws: CacheError.cacheTooOld(tag: cache.source.tag(for: ["year": 2001]), age: nil)
    ) {
      try await cache.value(from: .cache)
    }
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `A date set back while nothing ran is noticed where it is before the last seen`()
    async throws
  {
    try await fetchAndEnd()
    clock.advance(by: .seconds(3600))
    let second = try start()
    #expect(try await second.cache(["year": 2000]).refresh() == .successful)
    await second.database?.close()
    clock.advance(by: .seconds(3600))
    clock.setDate(clock.date - 7100)
    let store = try start()
    let cache = store.cache(["year": 2001], maxAge: .seconds(600))
    await #expect(
      throws: CacheError.cacheTooOld(tag: cache.source.tag(for: ["year": 2001]), age: nil)
    ) {
      try await cache.value(from: .cache)
    }
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(store.fetches == 1)
  }

  @Test func `Models that nobody stamped are no cache`() async throws {
    let store = try start()
    _ = try await store.local.store(cars)
    let cache = store.cache(["year": 2001])
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.value().map(\.id) == [1, 3])
    #expect(store.fetches == 1)
  }

  @Test func `What was declared stale or cleared is so after a restart`() async throws {
    try await fetchAndEnd()
    let second = try start()
    try await second.evocation.invalidate(Car.self, criteria: ["year": 2001])
    await second.database?.close()
    let third = try start()
    let cache = third.cache(["year": 2001])
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.refreshIfNoCache() == .successful)
    #expect(third.fetches == 0)
    try await cache.clear()
    await third.database?.close()
    let fourth = try start()
    #expect(try await fourth.ids() == [])
    #expect(try await fourth.cache(["year": 2001]).refreshIfNoCache() == .successful)
    #expect(fourth.fetches == 1)
  }
}
