import Evocation
import EvocationInspection
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What a person sees who looks into an app.
@Suite(.patient) struct InspectionTests {
  private static let secret = "Hildegard"

  private let clock = ManualClock()
  private let evocation: Evocation
  private let local = InMemoryRepository<Car>()

  init() {
    evocation = .flushedByHand(clock: clock)
  }

  private func register(
    _ strategy: Strategy, remote: some Repository<Car> = InMemoryRepository<Car>()
  ) {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
  }

  private var refusing: RepositoryMock<Car> {
    RepositoryMock<Car> { _ in throw Refusal(place: .remote) }
  }

  @Test func `It names the models, their strategies and the places where they are kept`() async {
    register(.offlineFirst)
    evocation.register(for: Memo.self).repository(local: InMemoryRepository<Memo>())
    let inspection = await evocation.inspection()
    #expect(inspection.models.map(\.name) == ["Car", "Memo"])
    #expect(inspection.models[0].strategy == .offlineFirst)
    #expect(inspection.models[0].local?.type == "InMemoryRepository<Car>")
    #expect(inspection.models[0].remote?.name == "the remote of Car")
    #expect(inspection.services.map(\.name) == ["the remote of Car"])
    #expect(inspection.services[0].models == ["Car"])
    #expect(!inspection.models[1].hasStrategy && inspection.models[1].remote == nil)
    #expect(inspection.models[1].problem == "no remote repository is registered")
    #expect(inspection.takenAt == clock.date && inspection.isOnline && !inspection.isRevealing)
  }

  @Test func `It counts the models, and has them only when asked to reveal them`() async {
    register(.localOnly)
    _ = await evocation.store([Car(id: 1, model: Self.secret), Car(id: 2)])
    let hidden = await evocation.inspection().models.first
    #expect(hidden?.count == 2 && hidden?.values == nil)
    let revealed = await evocation.inspection(revealing: true).models.first
    #expect(
      revealed?.values == [
        #"{"id":1,"model":"Hildegard","year":1970}"#, #"{"id":2,"model":"Beetle","year":1970}"#,
      ])
  }

  @Test func `It has the last 20 calls since the first inspection, the latest first`() async throws
  {
    register(.localOnly)
    _ = await evocation.storeOne(Car(id: 0))
    #expect(await evocation.inspection().models.first?.calls == [])
    for id in 1...25 {
      clock.advance(by: .seconds(1))
      _ = await evocation.find(model: Car.self, criteria: ["id": id])
    }
    let calls = try #require(await evocation.inspection().models.first?.calls)
    #expect(calls.count == 20)
    #expect(calls.allSatisfy { $0.trace.call == "find" && $0.criteria == "{id}" })
    #expect(calls.map(\.endedAt) == (0..<20).map { clock.date.addingTimeInterval(-Double($0)) })
    #expect(calls.first?.trace.steps.map(\.outcome) == [.answered(count: 0)])
  }

  @Test func `A refused call says why, and a call without a proxy is among those of its type`()
    async throws
  {
    register(.remoteOnly, remote: refusing)
    _ = await evocation.inspection()
    _ = await evocation.storeOne(Car(id: 1))
    let call = try #require(await evocation.inspection().models.first?.calls.first)
    #expect(call.error == "Refusal (permanent)" && call.origin == nil)
  }

  @Test func `Signing out forgets the calls of the user`() async throws {
    register(.localOnly)
    _ = await evocation.inspection()
    _ = await evocation.find(model: Car.self, criteria: ["model": Self.secret])
    try await evocation.signOut(.block)
    #expect(await evocation.inspection(revealing: true).models.first?.calls == [])
  }

  @Test func `A cache in use shows its state, and a stored one when it was fetched`() async throws {
    register(.cacheFirst(maxAge: .seconds(60)), remote: InMemoryRepository([Car(id: 1)]))
    let cache = evocation.cache(Car.self, where: \.year == 1970, maxAge: .seconds(60))
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.cache == nil || state.isRefreshing {}
    _ = await evocation.find(model: Car.self, criteria: ["year": 1971])
    clock.advance(by: .seconds(61))
    let caches = await evocation.inspection().caches
    let inUse = try #require(caches.first { $0.observers == 1 })
    #expect(inUse.model == "Car" && inUse.name == "cache of Car by year" && inUse.tag == nil)
    #expect(inUse.count == 1 && inUse.freshness == .stale && inUse.error == nil)
    #expect(inUse.fetchedAt == clock.date.addingTimeInterval(-61) && !inUse.isInvalidated)
    let stored = try #require(caches.first { $0.observers == nil })
    #expect(stored.model == "Car" && stored.freshness == nil && stored.fetchedAt == inUse.fetchedAt)
    let tags = await evocation.inspection(revealing: true).caches.compactMap(\.tag)
    #expect(tags.contains { $0.contains("1971") })
  }

  @Test func `A list shows its pages`() async throws {
    register(.remoteFirst, remote: InMemoryRepository((1...5).map { Car(id: $0) }))
    let list = evocation.pagingCache(Car.self, pageSize: 2)
    var states = list.observe().makeAsyncIterator()
    while let state = await states.next(), state.cache == nil || state.isRefreshing {}
    _ = await list.goToNextPage()
    let inspection = await evocation.inspection()
    let shown = try #require(inspection.lists.first)
    #expect(inspection.lists.count == 1 && !inspection.caches.contains { $0.id == shown.id })
    #expect(shown.pages == 2 && shown.areMorePages && shown.model == "Car")
  }

  @Test func `A cache that is declared stale through an inspection is fetched again`() async throws
  {
    let remote = InMemoryRepository([Car(id: 1)])
    register(.remoteFirst, remote: remote)
    let cache = evocation.cache(Car.self, where: \.year == 1970)
    var states = cache.observe().makeAsyncIterator()
    while let state = await states.next(), state.cache == nil || state.isRefreshing {}
    _ = try await remote.store([Car(id: 2)])
    try await evocation.invalidate(#require(await evocation.inspection().caches.first))
    while let state = await states.next(), state.cache?.count != 2 {}
    #expect(await evocation.inspection().caches.first?.count == 2)
  }

  @Test func `It has the entries of the outbox, which can be retried and discarded`() async throws {
    let isRefusing = Lock(true)
    let remote = RepositoryMock<Car> { call in
      if isRefusing.withLock({ $0 }) { throw Refusal(place: .remote) }
      if case .storeOne(let car) = call { return [car] }
      return []
    }
    register(.offlineFirst, remote: remote)
    _ = await evocation.storeOne(Car(id: 1, model: Self.secret))
    let pending = try #require(await evocation.inspection().outbox.entries.first)
    #expect(pending.state == .pending && pending.kind == .store && pending.model == "Car")
    #expect(pending.priority == .normal)
    #expect(pending.queuedAt == clock.date && pending.value == nil && pending.modelID == nil)
    await evocation.outbox.flush()
    let parked = try #require(await evocation.inspection(revealing: true).outbox.entries.first)
    #expect(parked.state == .parked && parked.failure == .permanent && parked.id == pending.id)
    #expect(parked.value?.contains(Self.secret) == true && parked.modelID == "1")
    isRefusing.withLock { $0 = false }
    try await evocation.outbox.retry(parked)
    await evocation.outbox.flush()
    #expect(await evocation.inspection().outbox.entries == [])
    await #expect(throws: EvocationError.entryNotFound(id: parked.id)) {
      try await evocation.outbox.retry(parked)
    }
  }

  @Test func `Discarding an entry of an inspection restores the model`() async throws {
    register(.offlineFirst, remote: refusing)
    let rule = Strategy.Rule(target: .local, synchronize: .outbox, priority: .utility)
    _ = await evocation.storeOne(Car(id: 1), rule: rule)
    let entry = try #require(await evocation.inspection().outbox.entries.first)
    #expect(entry.priority == .utility)
    try await evocation.outbox.discard(entry)
    #expect(try await local.find(Criteria()).value == [])
    await #expect(throws: EvocationError.entryNotFound(id: entry.id)) {
      try await evocation.outbox.discard(entry)
    }
  }

  @Test func `It says why nothing is sent`() async {
    register(.offlineFirst)
    #expect(await evocation.inspection().outbox.pause == nil)
    evocation.outbox.pause()
    #expect(await evocation.inspection().outbox.pause == "paused by the app")
  }

  @Test(arguments: [FailureKind.authorization, .transient])
  func `A server that refuses the credential is told from one that is given a rest`(
    _ kind: FailureKind
  ) async throws {
    let remote = RepositoryMock<Car> { _ in throw Refusal(place: .remote, failureKind: kind) }
    register(.offlineFirst, remote: remote)
    _ = await evocation.storeOne(Car(id: 1))
    await evocation.outbox.flush()
    let service = try #require(await evocation.inspection().services.first)
    #expect(service.isRefusingCredential == (kind == .authorization))
    #expect(service.isWell == (kind == .authorization))
    let rest = service.restsUntil.map { $0 > clock.date }
    #expect(rest == (kind == .transient ? true : nil))
  }
}
