import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores

/// What observers of caches and lists see of a sign-out, and what is fetched meanwhile.
@Suite(.patient) struct SignOutCacheTests {
  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()
  private let local = InMemoryRepository<Listed>()
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
  }

  private func register(_ remote: some Repository<Listed>) {
    evocation.register(for: Listed.self).repository(remote: remote).repository(local: local)
  }

  private var isEmpty: Bool {
    get async throws {
      let held = try await local.find(Criteria()).value
      let records = try await ledger.records(prefix: "")
      return held.isEmpty && records.isEmpty
    }
  }

  @Test func `Observers of a cache see that there is none, and nothing is fetched by itself`()
    async throws
  {
    let remote = RepositoryMock<Listed> { _ in [Listed(1)] }
    register(remote)
    let cache = evocation.cache(Listed.self, maxAge: .seconds(60))
    cache.requirements = Criteria()
    var watch = Watch(cache.observe())
    _ = await watch.state { $0.cache == [Listed(1)] }
    try await evocation.signOut(.block)
    let state = await watch.state { $0.state == .noCache }
    #expect(state?.isRefreshing == false)
    #expect(try await isEmpty)
    #expect(remote.calls.count == 1)
    #expect(try await cache.refresh() == .successful)
    #expect(await watch.state { $0.cache == [Listed(1)] } != nil)
  }

  @Test func `A refresh that runs brings nothing any more`() async throws {
    let gate = Gate()
    register(
      RepositoryMock<Listed> { _ in
        try? await gate.pass()
        return [Listed(1)]
      })
    let cache = evocation.cache(Listed.self)
    cache.requirements = Criteria()
    let refresh = Task { try await cache.refresh() }
    await gate.arrivals(1)
    try await evocation.signOut(.block)
    #expect(try await refresh.value == .skipped(.cancelled))
    gate.open()
    #expect(try await isEmpty)
    #expect(try await cache.refresh() == .successful)
  }

  @Test func `A refresh that waits to be saved behind a write is not saved`() async throws {
    let gate = Gate()
    register(
      RepositoryMock<Listed> { call in
        if case .storeOne(let model) = call {
          try? await gate.pass()
          return [model]
        }
        return [Listed(1)]
      })
    try evocation.proxy(for: Listed.self).strategy(.init(.remoteOnly))
    let write = Task { await evocation.storeOne(Listed(5)) }
    await gate.arrivals(1)
    let line = try evocation.proxy(for: Listed.self).line
    let signOut = Task { try await evocation.signOut(.block) }
    try await eventually("the sign-out in the line") { line.placeCount >= 2 }
    // Made meanwhile, so that the sign-out does not have the cache's own line.
    let cache = evocation.cache(Listed.self)
    cache.requirements = Criteria()
    let refresh = Task { try await cache.refresh() }
    try await eventually("the refresh in the line") { line.placeCount >= 3 }
    gate.open()
    _ = await write.value
    try await signOut.value
    let result = try await refresh.value
    guard case .failed(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect("\(error)".contains("signed out"))
    #expect(try await isEmpty)
  }

  @Test func `Inside a refresh, as after a refused credential, it works`() async throws {
    register(
      RepositoryMock<Listed> { [evocation] _ in
        try await evocation.signOut(.discard)
        return [Listed(1)]
      })
    let cache = evocation.cache(Listed.self)
    cache.requirements = Criteria()
    #expect(try await cache.refresh() == .skipped(.cancelled))
    #expect(try await isEmpty)
  }

  @Test func `The pages of a refresh that runs are gone, and replace no list`() async throws {
    let gate = Gate()
    let service = ShiftingService((1...9).map { Listed($0) })
    let held = Lock(0)
    register(
      RepositoryMock<Listed> { call in
        guard case .find(let criteria) = call else { return [] }
        let isHeld = held.withLock { held in
          held -= 1
          return held == 0
        }
        if isHeld { try? await gate.pass() }
        return try await service.find(criteria).value
      })
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    try await list.refresh()
    for _ in 1...2 { #expect(await list.goToNextPage() == .successful) }
    // The second page of three.
    held.withLock { $0 = 2 }
    let refresh = Task { try await list.refresh(force: true) }
    await gate.arrivals(1)
    try await evocation.signOut(.block)
    gate.open()
    #expect(try await refresh.value != .successful)
    #expect(try await isEmpty)
    #expect(try await list.refresh() == .successful)
    #expect(try await list.value(from: .cache).map(\.id) == [1, 2])
  }

  @Test func `A list is gone, and a page that is loaded meanwhile is dropped`() async throws {
    let gate = Gate()
    let service = ShiftingService((1...9).map { Listed($0) })
    let held = Lock(false)
    register(
      RepositoryMock<Listed> { call in
        guard case .find(let criteria) = call else { return [] }
        if held.withLock({ $0 }) { try? await gate.pass() }
        return try await service.find(criteria).value
      })
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(automaticallyRefresh: false))
    list.requirements = Criteria()
    var watch = Watch(list.observe())
    #expect(try await list.refresh() == .successful)
    _ = await watch.state { $0.cache != nil }
    held.withLock { $0 = true }
    let page = Task { await list.goToNextPage() }
    await gate.arrivals(1)
    try await evocation.signOut(.block)
    gate.open()
    let result = await page.value
    #expect(result != .successful, "\(result)")
    #expect(await watch.state { $0.state == .noCache } != nil)
    #expect(try await isEmpty)
    #expect(try await list.refresh() == .successful)
    #expect(try await list.value(from: .cache).map(\.id) == [1, 2])
  }

  @Test func `What the app cleared stays cleared`() async throws {
    try await ledger.write(.cleared(source: "Own", at: clock.date), for: "own?")
    try await evocation.signOut(.block)
    #expect(try await ledger.record(for: "own?")?.isCleared == true)
  }
}
