import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Caches and lists that are made with their criteria, and with options as one value.
@Suite(.patient) struct CacheOptionsTests {
  private let remote = InMemoryRepository([Car(id: 1, year: 1), Car(id: 2, year: 2)])
  private let local = InMemoryRepository<Car>()
  private let evocation = Evocation(configuration: .init(clock: ManualClock()))

  init() throws {
    try evocation.register(Car.self, remote: remote, local: local, strategy: .remoteFirst)
  }

  @Test func `a cache has the criteria that it is made with`() async throws {
    #expect(try await evocation.cache(Car.self).value().map(\.id) == [1, 2])
    #expect(try await evocation.cache(Car.self, where: \.year == 1).value().map(\.id) == [1])
    #expect(try await evocation.cache(Car.self, where: ["year": 2]).value().map(\.id) == [2])
    let cache = evocation.cache(Car.self, where: \.year == 1, maxAge: .hours(5))
    cache.requirements = ["year": 2]
    #expect(try await cache.value().map(\.id) == [2])
    #expect(Evocation.cache(Car.self, where: \.year == 1).requirements == ["year": 1])
    #expect(Evocation.cache(Car.self).requirements == Criteria())
  }

  @Test func `a list has the criteria that it is made with`() async throws {
    let list = evocation.pagingCache(Car.self, pageSize: 1)
    #expect(try await list.value().map(\.id) == [1])
    let later = evocation.pagingCache(Car.self, where: \.year > 1, pageSize: 9, maxAge: .days(1))
    #expect(try await later.value().map(\.id) == [2])
    #expect(later.source.maxAge == .seconds(86_400))
    let wanted = Criteria.Key("year") > 1
    #expect(
      Evocation.pagingCache(Car.self, where: \.year > 1, pageSize: 9).requirements == wanted)
    #expect(
      Evocation.pagingCache(Car.self, where: ["year": 1], pageSize: 9).requirements == ["year": 1])
  }

  @Test(arguments: [true, false])
  func `a fetch removes what the service has no more, unless it is not to`(
    removes: Bool
  ) async throws {
    _ = try await local.store([Car(id: 3, year: 1)])
    let cache = evocation.cache(
      Car.self, where: \.year == 1, options: .init(removesMissing: removes))
    _ = try await cache.refresh(force: true)
    #expect(try await local.find(Criteria()).value.map(\.id) == (removes ? [1] : [1, 3]))
  }

  @Test func `models are prefetched, and caches declared stale, by key paths`() async throws {
    #expect(await evocation.prefetch(Car.self, where: \.year == 1).data == 1)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1])
    let cache = evocation.cache(Car.self, where: \.year == 1, maxAge: .days(1))
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    try await evocation.invalidate(Car.self, where: \.year == 1)
    #expect(try await cache.refresh() == .successful)
    #expect(await Evocation.prefetch(Unregistered.self, where: \.id == 1).error is EvocationError)
  }

  private struct Unregistered: Codable, Identifiable, Sendable {
    var id: Int
  }

  @Test func `durations are written in the unit that suits them`() {
    #expect(Duration.minutes(3) == .seconds(180))
    #expect(Duration.hours(-2) == .seconds(-7200))
    #expect(Duration.days(2) == .seconds(172_800))
    #expect(Duration.hours(.max) > .days(1_000_000_000))
    #expect(Duration.days(.min) < .seconds(0))
  }

  @Test func `a state is one of three phases`() {
    let date = Date(timeIntervalSinceReferenceDate: 7)
    typealias State = CacheState<[Int]>
    #expect(State(.noCache).phase == .never)
    #expect(State(.cache(nil, fetchedAt: date)).phase == .empty(date))
    #expect(State(.cache(nil, fetchedAt: date), isReading: true).phase == .never)
    #expect(State(.cache([1], fetchedAt: date)).phase == .content([1], date))
    let page: PagedCache<[Int]> = PagedCache([1, 2])
    #expect(page.items == [1, 2])
  }

  @Test func `a state has at most one event`() {
    for (first, isSuccess, refreshed, event) in [
      (false, false, false, nil), (true, false, false, .firstFetchFailed),
      (true, true, true, .firstFetchSucceeded), (false, false, true, .refreshSucceeded),
    ] as [(Bool, Bool, Bool, FetchEvent?)] {
      let state = CacheState<[Int]>(
        .noCache, justFinishedFirstFetch: first, justFinishedSuccessfulFirstFetch: isSuccess,
        justFinishedSuccessfulRefresh: refreshed)
      #expect(state.event == event)
    }
  }
}
