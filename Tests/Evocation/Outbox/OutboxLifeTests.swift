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

/// The outbox in an app that goes offline, is registered anew, and shows how it stands.
@Suite(.timeLimit(.minutes(30))) struct OutboxLifeTests {
  private let service = NotingService([Draft(id: 9, title: "theirs")])
  private let local = InMemoryRepository<Draft>()
  private let clock = ManualClock()

  private func evocation(_ connectivity: ManualConnectivity? = nil) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(connectivity: connectivity)))
    register(in: evocation)
    return evocation
  }

  @discardableResult
  private func register(in evocation: Evocation) -> Proxy<Draft> {
    evocation.register(for: Draft.self)
      .repository(remote: service).repository(local: local).strategy(.offlineFirst)
  }

  @Test func `offline costs no attempts, and coming back sends first and then validates`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let evocation = evocation(connectivity)
    let drafts = evocation.cache(Draft.self, maxAge: .seconds(60))
    drafts.requirements = Criteria()
    var states = drafts.observe().makeAsyncIterator()
    while let state = await states.next(), state.refreshError == nil, state.cache == nil {}
    _ = await evocation.storeOne(Draft(id: 1, title: "mine"))
    let status = try await evocation.outbox.status()
    #expect(status.pause == .offline)
    #expect(service.notes == [])
    clock.advance(by: .seconds(61))
    connectivity.goOnline()
    await evocation.outbox.drained()
    #expect(service.notes == ["store 1 mine"])
    while let state = await states.next(), state.cache?.count != 2 {}
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 9])
  }

  @Test func `a connection that comes and goes sends everything once`() async throws {
    let connectivity = ManualConnectivity(isOnline: true)
    let evocation = evocation(connectivity)
    for id in 1...20 {
      _ = await evocation.storeOne(Draft(id: id, title: "a"))
      if id.isMultiple(of: 3) { connectivity.goOffline() }
      if id.isMultiple(of: 2) { connectivity.goOnline() }
    }
    connectivity.goOnline()
    await evocation.outbox.drained()
    #expect(service.notes.sorted() == (1...20).map { "store \($0) a" }.sorted())
  }

  @Test func `entries are sent once where a model type is registered anew meanwhile`() async throws
  {
    let evocation = evocation()
    let gate = Gate()
    service.gate.withLock { $0 = gate }
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await gate.arrivals(1))
    register(in: evocation)
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    gate.open()
    await evocation.outbox.drained()
    #expect(service.notes == ["store 1 a", "update 1 b"])
  }

  @Test func `what was queued under another strategy lies over answers, and is sent by a flush`()
    async throws
  {
    let evocation = evocation(ManualConnectivity(isOnline: false))
    #expect(!local.heldEntries)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(local.heldEntries)
    let next = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    next.register(for: Draft.self).repository(remote: service).repository(local: local)
      .strategy(.remoteFirst)
    // Because the repository says that it has some, they lie over answers of the remote.
    let found = await next.find(model: Draft.self, criteria: Criteria().sorted(by: "id"))
    #expect(found.origin == .remote)
    #expect(found.data == [Draft(id: 1, title: "a"), Draft(id: 9, title: "theirs")])
    clock.advance(by: .seconds(60))
    #expect(await next.outbox.flush().sent == 1)
    #expect(!local.heldEntries)
  }

  @Test func `nothing is sent of a model type that is no longer registered`() async throws {
    let evocation = evocation(ManualConnectivity(isOnline: false))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    evocation.unregister(Draft.self)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult())
    await #expect(throws: EvocationError.proxyNotFound) {
      try await evocation.outbox.entries(of: Draft.self)
    }
  }

  @Test func `a local repository without an outbox is named before anything is written`()
    async throws
  {
    let evocation = Evocation()
    let shelf = RepositoryMock<Draft> { _ in [] }
    let proxy = evocation.register(for: Draft.self).repository(remote: service)
      .repository(local: shelf).strategy(.offlineFirst)
    let error = EvocationError.outboxUnavailable(model: "Draft", action: .storeOne)
    #expect(throws: EvocationError.outboxUnavailable(model: "Draft", action: .store)) {
      try proxy.validate()
    }
    #expect(await evocation.storeOne(Draft(id: 1, title: "a")).error as? EvocationError == error)
    #expect(shelf.calls.isEmpty)
  }

  @Test func `a trace says that the outbox sends the write, and when the process must live on`()
    async
  {
    let result = await evocation().storeOne(Draft(id: 1, title: "a"))
    #expect(
      result.trace.steps.last.map { "\($0)" }
        == "remote was skipped: the outbox sends it, unless the process ends before: "
        + "local keeps nothing.")
  }

  @MainActor
  @Test func `a view is told how the outbox stands`() async throws {
    let evocation = evocation(ManualConnectivity(isOnline: false))
    let observed = ObservedOutbox(evocation.outbox)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await eventually("the entry in the status") { observed.status.pending == 1 }
    #expect(observed.status.pause == .offline)
  }

  @Test func `who observes is told of model types that are registered later`()
    async throws
  {
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    #expect(await statuses.next()?.pending == 0)
    register(in: evocation)
    for id in 1...3 {
      _ = await evocation.storeOne(Draft(id: id, title: "a"))
      #expect(await statuses.next()?.pending == id)
    }
  }

  @Test func `events tell what happened, in order`() async throws {
    let evocation = evocation(ManualConnectivity(isOnline: true))
    var events = evocation.outbox.events().makeAsyncIterator()
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    var seen: [String] = []
    while seen.count < 2, let event = await events.next() {
      switch event {
      case .queued(let subject): seen.append("queued \(subject.model) \(subject.modelID)")
      case .parked(let subject): seen.append("parked \(subject.model) \(subject.modelID)")
      case .sent, .willRetry, .conflict, .discarded, .renamed, .paused, .resumed:
        seen.append("\(event)")
      }
    }
    #expect(seen == ["queued Draft 1", "parked Draft 1"])
  }
}
