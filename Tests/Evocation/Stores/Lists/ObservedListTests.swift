import Evocation
import EvocationTesting
import Foundation
import Observation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// A list for a view.
@Suite(.patient) @MainActor struct ObservedListTests {
  private typealias Cars = ProxyPagingCacheDataSource<Car>
  private let service = ShiftingCars()
  private let evocation = Evocation(configuration: .init(clock: ManualClock()))

  init() {
    evocation.register(for: Car.self).repository(remote: service.remote)
      .repository(local: InMemoryRepository<Car>())
  }

  private func repository(distance: Int? = nil) -> PagingCacheRepository<Cars> {
    let cars = evocation.pagingCache(
      Car.self, pageSize: 4, options: .init(prefetchDistance: distance))
    cars.requirements = Criteria()
    return cars
  }

  /// Waits until what a view reads is so.
  private func wait(
    _ list: ObservedList<Cars>, until holds: (ObservedList<Cars>) -> Bool
  ) async throws {
    while !holds(list) {
      try Task.checkCancellation()
      let changed = Gate.Counter()
      withObservationTracking {
        _ = (list.state, list.models)
      } onChange: {
        changed.increase()
      }
      await changed.reach(1)
      // The change is announced before it is made, on this actor.
      await Task.yield()
    }
  }

  @Test func `Pages come as one array when the last rows appear`() async throws {
    let list = ObservedList(repository(distance: 1))
    #expect(list.models.isEmpty)
    #expect(list.state == nil)
    try await wait(list) { $0.models.count == 4 && !$0.isRefreshing }
    #expect(list.next == .fixed(canRequestAdditionalData: true))
    list.appeared(Car(id: 1))
    #expect(service.remote.questions.count == 1)
    list.appeared(Car(id: 2))
    try await wait(list) { $0.models.map(\.id) == Array(0..<8) && $0.next != .loading }
    list.appeared(at: 7)
    try await wait(list) { $0.models.map(\.id) == Array(0..<10) && $0.next != .loading }
    #expect(list.next == .noMorePages)
    #expect(list.previous == .noMorePages)
    #expect(service.remote.questions.count == 3)
  }

  @Test func `A failure is seen, and what failed is loaded again when asked`() async throws {
    let list = ObservedList(repository())
    try await wait(list) { $0.models.count == 4 && !$0.isRefreshing }
    service.fails.withLock { $0 = true }
    list.appeared(at: 3)
    try await wait(list) { $0.next == .error(Outage(place: .remote)) }
    #expect(list.error == nil)
    #expect(await list.refresh() == .failed(Outage(place: .remote)))
    try await wait(list) { $0.error is Outage }
    #expect(list.models.count == 4)
    service.fails.withLock { $0 = false }
    #expect(await list.loadMore() == .successful)
    try await wait(list) { $0.models.count == 8 && $0.next != .loading }
    #expect(await list.refresh() == .successful)
    try await wait(list) { $0.models.count == 4 && $0.error == nil }
  }

  @Test
  func `A view can force a refresh, and says what is missing where there are no requirements`()
    async throws
  {
    let repository = repository()
    try await repository.refresh()
    let list = ObservedList(repository, forceRefresh: true)
    try await wait(list) { _ in service.remote.questions.count == 2 }
    #expect(list.repository as? PagingCacheRepository<Cars> === repository)
    let unset = ObservedList(evocation.pagingCache(Car.self, pageSize: 4))
    unset.criteria = nil
    guard case .failed(let error) = await unset.refresh() else {
      Issue.record("A list without requirements was refreshed.")
      return
    }
    #expect(
      "\(error)" == "The cache of Array<Car> does not know its query; set its requirements before "
        + "you use it.")
  }

  @Test func `A mock takes the repository's place`() async throws {
    let mock = PagingCacheRepositoryMock<Cars>()
    mock.requirements = Criteria()
    mock.prefetchDistance = 0
    let list = ObservedList(mock)
    #expect(list.models.isEmpty)
    #expect(await mock.observations(1))
    let cars = PagedCache([Car(id: 1), Car(id: 2)], areMorePages: true)
    mock.send(CacheState(.cache(cars, fetchedAt: .distantPast)))
    try await wait(list) { $0.models.count == 2 }
    list.appeared(Car(id: 2))
    list.appeared(Car(id: 3))
    #expect(mock.calls.last == .rowAppeared(at: 1))
    list.appeared(at: 0)
    #expect(mock.calls.suffix(2) == [.rowAppeared(at: 1), .rowAppeared(at: 0)])
  }
}

/// Each form for a view ends observing when it is released.
@Suite(.patient) @MainActor struct ObservedReleaseTests {
  private let service = ShiftingCars()
  private let evocation = Evocation(configuration: .init(clock: ManualClock()))

  init() {
    evocation.register(for: Car.self).repository(remote: service.remote)
      .repository(local: InMemoryRepository<Car>())
  }

  private func isGone(_ value: () -> AnyObject?) async throws -> Bool {
    try await eventually("what nobody holds to go") { value() == nil }
    return true
  }

  @Test func `A list`() async throws {
    let mock = PagingCacheRepositoryMock<ProxyPagingCacheDataSource<Car>>()
    var list: ObservedList? = ObservedList(mock)
    weak let gone = list
    #expect(list?.models.isEmpty == true)
    #expect(await mock.observations(1))
    list = nil
    #expect(try await isGone { gone })
    try await eventually("its observation to end") { mock.observerCount == 0 }
  }

  @Test func `A cache`() async throws {
    let mock = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
    var cache: ObservedCache? = ObservedCache(mock)
    weak let gone = cache
    #expect(cache?.state == nil)
    #expect(await mock.observations(1))
    cache = nil
    #expect(try await isGone { gone })
    try await eventually("its observation to end") { mock.observerCount == 0 }
  }

  @Test func `Models, and the outbox`() async throws {
    var models: ObservedModels? = ObservedModels(Car.self, in: evocation)
    var outbox: ObservedOutbox? = ObservedOutbox(evocation.outbox)
    weak let goneModels = models
    weak let goneOutbox = outbox
    try await eventually("the models") { models?.result != nil }
    #expect(outbox?.status.pending == 0)
    #expect(models?.error == nil)
    (models, outbox) = (nil, nil)
    #expect(try await isGone { goneModels })
    #expect(try await isGone { goneOutbox })
  }

}

/// Ten cars, in pages, by a service that may fail.
private final class ShiftingCars: Sendable {
  let fails = Lock(false)
  let remote: RepositoryMock<Car>

  init() {
    remote = RepositoryMock { [fails] call in
      guard case .find(let criteria) = call else { return [] }
      if fails.withLock({ $0 }) { throw Outage(place: .remote) }
      let end = min(10, criteria.offset + (criteria.limit ?? 10))
      return (min(criteria.offset, end)..<end).map { Car(id: $0) }
    }
  }
}
