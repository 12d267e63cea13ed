import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// What has cost users of others their data.
@Suite(.timeLimit(.minutes(30)))
struct OutboxSafetyTests {
  let service = NotingService()
  let local = InMemoryRepository<Draft>()
  let clock = ManualClock()

  func evocation(
    sends: Bool = true, _ strategy: Strategy = .offlineFirst,
    connectivity: (any Connectivity)? = nil, remote: (any Repository<Draft>)? = nil
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(sendsAutomatically: sends, connectivity: connectivity)))
    let proxy = evocation.register(for: Draft.self)
    if let remote { proxy.repository(remote: remote) } else { proxy.repository(remote: service) }
    proxy.repository(local: local).strategy(strategy)
    return evocation
  }

  /// Reads from the remote and saves to local; writes by the outbox.
  static func remoteReads(_ synchronize: Strategy.Synchronization) throws -> Strategy {
    try Strategy(
      reads: .init(target: .remote, fallback: .local, synchronize: synchronize),
      writes: .init(target: .local, synchronize: .outbox))
  }

  func titles(_ repository: some Repository<Draft>) async throws -> [String] {
    try await repository.find(Criteria()).value.map(\.title)
  }

  @Test func `an edit made offline is not overwritten by the next find`() async throws {
    _ = try await service.models.store([Draft(id: 1, title: "theirs")])
    let evocation = try evocation(sends: false, Self.remoteReads(.upsert))
    _ = await evocation.find(model: Draft.self)
    _ = await evocation.updateOne(Draft(id: 1, title: "mine"))
    let found = await evocation.find(model: Draft.self)
    #expect(found.origin == .remote)
    #expect(found.data?.map(\.title) == ["mine"])
    #expect(try await titles(local) == ["mine"])
    _ = await evocation.outbox.flush()
    #expect(try await titles(service.models) == ["mine"])
  }

  @Test func `a model stored offline is not deleted by the next refresh of a cache`() async throws {
    _ = try await service.models.store([Draft(id: 1, title: "theirs")])
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 2, title: "mine"))
    let cache = evocation.cache(Draft.self, maxAge: .zero)
    cache.requirements = Criteria()
    _ = try await cache.refresh(force: true)
    #expect(try await titles(local) == ["theirs", "mine"])
    #expect(try await cache.value(from: .cache).map(\.title) == ["theirs", "mine"])
    _ = await evocation.outbox.flush()
    #expect(try await titles(service.models) == ["theirs", "mine"])
  }

  @Test func `a write that local took while the remote was away is sent when it is back`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let evocation = evocation(connectivity: connectivity)
    let removed = Draft(id: 1, title: "a")
    _ = try await service.models.store([removed])
    _ = try await local.store([removed])
    let result = await evocation.removeOne(removed)
    #expect(result.origin == .local)
    #expect(result.isPending)
    #expect(service.notes == [])
    connectivity.goOnline()
    try await clock.advance(untilSentBy: evocation.outbox)
    #expect(service.notes == ["remove 1 a"])
    #expect(try await titles(service.models) == [])
  }

  @Test func `what the outbox was started with offline is sent once there is a connection`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let first = evocation(sends: false)
    _ = await first.storeOne(Draft(id: 1, title: "a"))
    let second = evocation(connectivity: connectivity)
    #expect(await connectivity.listeners(1))
    await clock.advance(by: .seconds(3_600)) { clock.date.timeIntervalSinceReferenceDate > 36_000 }
    #expect(service.notes == [])
    connectivity.goOnline()
    try await clock.advance(untilSentBy: second.outbox)
    #expect(service.notes == ["store 1 a"])
  }

  @Test
  func `two events at once start one queue, which sends an instance's entries in their order`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let gate = Gate()
    service.gate.withLock { $0 = gate }
    let evocation = evocation(connectivity: connectivity)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    connectivity.goOnline()
    async let one = evocation.outbox.flush()
    async let two = evocation.outbox.flush()
    evocation.outbox.resume()
    #expect(await gate.arrivals(1))
    for title in ["b", "c"] { _ = await evocation.updateOne(Draft(id: 1, title: title)) }
    async let three = evocation.outbox.flush()
    gate.open()
    _ = await (one, two, three)
    await evocation.outbox.wait { $0.pending == 0 }
    #expect(service.notes.first == "store 1 a")
    #expect(service.notes.last == "update 1 c")
    #expect(Set(service.keys).count == service.keys.count)
    #expect(try await titles(service.models) == ["c"])
  }

  @Test func `a request that arrives after a later one changes nothing`() async throws {
    let remote = StubbornRemote([Draft(id: 1, title: "a")])
    _ = try await local.store([Draft(id: 1, title: "a")])
    let evocation = evocation(remote: remote)
    let late = Gate()
    remote.gate.withLock { $0 = late }
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    #expect(await late.arrivals(1))
    remote.gate.withLock { $0 = nil }
    // On a busy machine another attempt may be late too.
    try await clock.advance { try await evocation.outbox.status().pending == 0 }
    _ = await evocation.updateOne(Draft(id: 1, title: "c"))
    try await clock.advance(untilSentBy: evocation.outbox)
    #expect(remote.underWay.withLock { $0 } > 0)
    late.open()
    try await eventually("the end of all requests") { remote.underWay.withLock { $0 } == 0 }
    let requests = remote.base.requests.map(\.description)
    #expect(requests.filter { $0 == "update 1 acted" }.count == 2)
    #expect(requests.count >= 3)
    #expect(requests.last == "update 1 repeated")
    #expect(try await titles(remote.base) == ["c"])
    #expect(try await titles(local) == ["c"])
  }

  @Test func `a refused entry holds up nobody but its own instance`() async throws {
    let evocation = evocation(sends: false)
    service.fail(SendFailure(.permanent))
    for id in 1...40 { _ = await evocation.storeOne(Draft(id: id, title: "a")) }
    let result = await evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 39, left: 0, parked: 1))
  }

  @Test func `a write that was answered 401 waits for the user, and is sent then`() async throws {
    let evocation = evocation(sends: false)
    service.fail(SendFailure(.authorization))
    for id in 1...3 { _ = await evocation.storeOne(Draft(id: id, title: "a")) }
    let result = await evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 0, left: 3, parked: 0))
    #expect(try await evocation.outbox.entries(of: Draft.self).map(\.attempts) == [0, 0, 0])
    _ = await evocation.outbox.flush()
    #expect(service.notes.count == 1)
    evocation.outbox.resume()
    await evocation.outbox.wait { $0.pause == nil }
    #expect(await evocation.outbox.flush().left == 0)
    #expect(service.notes.count == 4)
  }

  @Test func `a service that asks for patience is left alone for as long, by all entries`()
    async throws
  {
    let evocation = evocation()
    service.fail(SendFailure(.transient, retryAfter: .seconds(120)))
    var events = evocation.outbox.events().makeAsyncIterator()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await Outbox.next(&events) { if case .willRetry = $0 { true } else { false } }
    _ = await evocation.storeOne(Draft(id: 2, title: "b"))
    // A flush sends whatever may be sent at its time, and ends after that.
    _ = await evocation.outbox.flush()
    for _ in 0..<119 {
      clock.advance(by: .seconds(1))
      #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 2, parked: 0))
    }
    #expect(service.notes == ["store 1 a"])
    try await clock.advance(untilSentBy: evocation.outbox)
    #expect(service.notes.count == 3)
  }

  @Test func `to remove offline what was removed already is no conflict`() async throws {
    let draft = Draft(id: 1, title: "a")
    _ = try await local.store([draft])
    let evocation = evocation(sends: false)
    _ = await evocation.removeOne(draft)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(service.notes == ["remove 1 a"])
  }

  @Test(arguments: [true, false])
  func `a find that began before a write was sent shows it, and leaves it in local`(
    isMirror: Bool
  )
    async throws
  {
    let gated = GatedReads(service)
    let evocation = try evocation(
      sends: false, Self.remoteReads(isMirror ? .mirror : .upsert), remote: gated)
    _ = try await service.models.store([Draft(id: 1, title: "old"), Draft(id: 2, title: "gone")])
    _ = try await local.store([Draft(id: 1, title: "old"), Draft(id: 2, title: "gone")])
    _ = await evocation.updateOne(Draft(id: 1, title: "new"))
    _ = await evocation.removeOne(Draft(id: 2, title: "gone"))
    _ = await evocation.storeOne(Draft(id: 3, title: "added"))
    gated.holds.withLock { $0 = true }
    async let found = evocation.find(model: Draft.self)
    #expect(await gated.gate.arrivals(1))
    #expect(await evocation.outbox.flush().sent == 3)
    gated.gate.open()
    let shown = await found
    #expect(shown.data?.map(\.title) == ["new", "added"])
    #expect(try await titles(local) == ["new", "added"])
  }

  @Test func `a refresh that began before a write was sent leaves it in local`() async throws {
    let gated = GatedReads(service)
    let evocation = evocation(sends: false, remote: gated)
    _ = try await service.models.store([Draft(id: 1, title: "old")])
    _ = try await local.store([Draft(id: 1, title: "old")])
    _ = await evocation.updateOne(Draft(id: 1, title: "new"))
    _ = await evocation.storeOne(Draft(id: 2, title: "added"))
    let cache = evocation.cache(Draft.self, maxAge: .zero)
    cache.requirements = Criteria()
    gated.holds.withLock { $0 = true }
    async let refreshed = cache.refresh(force: true)
    #expect(await gated.gate.arrivals(1))
    #expect(await evocation.outbox.flush().sent == 2)
    gated.gate.open()
    _ = try await refreshed
    #expect(try await titles(local) == ["new", "added"])
  }

  @Test func `a page that was asked for before a write was sent leaves it in local`() async throws {
    let gated = GatedReads(service)
    let evocation = evocation(sends: false, remote: gated)
    let drafts = (1...3).map { Draft(id: $0, title: "old \($0)") }
    _ = try await service.models.store(drafts)
    _ = try await local.store(drafts)
    _ = await evocation.updateOne(Draft(id: 1, title: "new"))
    _ = await evocation.removeOne(drafts[1])
    let list = evocation.pagingCache(Draft.self, pageSize: 10)
    list.requirements = Criteria()
    gated.holds.withLock { $0 = true }
    async let refreshed = list.refresh(force: true)
    #expect(await gated.gate.arrivals(1))
    #expect(await evocation.outbox.flush().sent == 2)
    gated.gate.open()
    _ = try await refreshed
    #expect(try await titles(local) == ["new", "old 3"])
    #expect(try await list.value(from: .cache).map(\.title) == ["new", "old 3"])
  }
}

/// Answers reads with what the service had when they came, after a gate was opened.
final class GatedReads: Repository {
  let service: NotingService
  let gate = Gate()
  let holds = Lock(false)

  init(_ service: NotingService) { self.service = service }

  func find(_ criteria: Criteria) async throws -> Response<[Draft]> {
    let answer = try await service.find(criteria)
    // What the outbox asks for a model by its id goes on.
    if criteria.predicate == nil, holds.withLock({ $0 }) { try await gate.pass() }
    return answer
  }
  func store(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await service.store(models)
  }
  func update(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await service.update(models)
  }
  func storeOrUpdate(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await service.storeOrUpdate(models)
  }
  func remove(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await service.remove(models)
  }
}
