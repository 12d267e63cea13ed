import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// A rule's `maxAge`, which is remembered in the ledger as the freshness of caches is.
@Suite(.patient) struct RuleAgeTests {
  private struct Part: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var kind = 1
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let remote = RepositoryMock<Part> { _ in [Part(id: 1), Part(id: 2)] }

  init() throws { folder = try TemporaryFolder() }

  private func start(_ rule: Strategy.Rule = .cacheFirst(maxAge: .seconds(60))) throws -> Evocation
  {
    let evocation = Evocation(configuration: .init(clock: clock))
    evocation.register(for: Part.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Part>(SQLiteDatabase(path: folder.path())))
      .strategy(Strategy(rule))
    return evocation
  }

  @Test func `what was fetched is fresh after a restart, and no longer than it may be`()
    async throws
  {
    let first = try start()
    #expect(await first.find(model: Part.self).origin == .remote)
    let second = try start()
    clock.advance(by: .seconds(60))
    #expect(await second.find(model: Part.self).origin == .local)
    #expect(await second.find(model: Part.self, criteria: ["kind": 1]).origin == .remote)
    clock.advance(by: .seconds(1))
    #expect(await second.find(model: Part.self).origin == .remote)
  }

  @Test func `a date that was set back makes nothing fresh, after a restart too`() async throws {
    #expect(try await start().find(model: Part.self).origin == .remote)
    clock.setDate(clock.date.addingTimeInterval(-3_600))
    #expect(try await start().find(model: Part.self).origin == .remote)
  }

  @Test func `a date that was set back while nothing ran makes nothing fresh`() async throws {
    let first = try start()
    #expect(await first.find(model: Part.self).origin == .remote)
    clock.advance(by: .seconds(3_600))
    #expect(await first.find(model: Part.self, criteria: ["kind": 1]).origin == .remote)
    clock.setDate(clock.date - 3_580)
    let evocation = try start()
    #expect(await evocation.find(model: Part.self).origin == .remote)
    #expect(await evocation.find(model: Part.self).origin == .local)
  }

  @Test func `a cache and the reads of its criteria share their freshness`() async throws {
    let evocation = try start()
    let cache = evocation.cache(
      Part.self, maxAge: .seconds(60), options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    #expect(try await cache.refresh() == .successful)
    #expect(await evocation.find(model: Part.self).origin == .local)
    clock.advance(by: .seconds(61))
    var states = cache.observe().makeAsyncIterator()
    _ = await states.next()
    #expect(await evocation.find(model: Part.self).origin == .remote)
    while let state = await states.next() {
      if case .cache(_, let fetchedAt) = state.state, fetchedAt == clock.date { break }
    }
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    try await cache.invalidate()
    #expect(await evocation.find(model: Part.self).origin == .remote)
  }

  @Test(arguments: [true, false])
  func `what is fetched after it was declared stale is fresh`(isByCache: Bool) async throws {
    let evocation = try start()
    let cache = evocation.cache(
      Part.self, maxAge: .seconds(60), options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    #expect(await evocation.find(model: Part.self, rule: .remoteFirst).origin == .remote)
    if isByCache {
      try await cache.invalidate()
    } else {
      try await cache.source.ledger?.invalidate()
    }
    #expect(await evocation.find(model: Part.self, rule: .remoteFirst).origin == .remote)
    #expect(await evocation.find(model: Part.self).origin == .local)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test(arguments: [false, true])
  func `only the newest thousand reads are remembered`(_ isInFile: Bool) async throws {
    let evocation = Evocation(configuration: .init(clock: clock))
    let proxy = evocation.register(for: Part.self).repository(remote: remote)
      .strategy(.cacheFirst(maxAge: .seconds(6_000_000)))
    if isInFile {
      proxy.repository(local: try SQLiteRepository<Part>(.inMemory()))
    } else {
      proxy.repository(local: InMemoryRepository<Part>())
    }
    for number in 0..<1_500 {
      clock.advance(by: .seconds(1))
      _ = await evocation.find(model: Part.self, criteria: ["id": number])
    }
    var count = Int.max
    try await eventually("the oldest records to be forgotten") {
      count = try await proxy.ledger.records(prefix: "").count
      return count <= 1_250
    }
    #expect(count >= 1_000)
    #expect(await evocation.find(model: Part.self, criteria: ["id": 1_499]).origin == .local)
  }
}
