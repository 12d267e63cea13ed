import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// What time alone changes, where something else happens as its time comes.
@Suite(.patient) struct CachingWakingTests {
  private let bench = CacheBench()
  private let clock: LateClock

  init() { clock = LateClock(bench.clock) }

  private func repository(_ source: FakeSource) async throws -> CacheRepository<FakeSource> {
    let repository = CacheRepository(source, ledger: bench.ledger, clock: clock)
    repository.requirements = "words"
    try #require(await repository.refresh() == .successful)
    return repository
  }

  @Test func `A cache is refreshed as it gets stale, also where an observer leaves just then`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = try await repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    var other: Watch? = Watch(repository.observe())
    #expect(await other?.next() == "yes/v1")
    bench.clock.advance(by: .seconds(61))
    #expect(await clock.woken.arrivals(1))
    other = nil
    clock.woken.open()
    #expect(await watch.next().hasPrefix("yes/v1/stale"))
    #expect(await watch.states(until: "yes/v2/just refreshed").last == "yes/v2/just refreshed")
  }

  @Test func `Saved data that never come are given up in time, also where an observer leaves then`()
    async throws
  {
    let source = FakeSource()
    let repository = try await repository(source)
    source.observing = .once
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    var other: Watch? = Watch(repository.observe())
    #expect(await other?.next() == "yes/v1")
    source.observing = .never
    let refreshing = Task { try await repository.refresh(force: true) }
    await source.observed.reach(2)
    bench.clock.advance(by: .seconds(1))
    #expect(await clock.woken.arrivals(1))
    other = nil
    clock.woken.open()
    #expect(await watch.next() == "yes/v1/refreshing")
    #expect(await watch.next() == "yes/v1/reading, just refreshed")
    #expect(try await refreshing.value == .successful)
  }
}

/// A clock by hand whose sleepers get up late: when a gate lets them through.
private final class LateClock: DateClock {
  private let base: ManualClock
  /// Where those are held whose time has come.
  let woken = Gate()

  init(_ base: ManualClock) { self.base = base }

  var now: ManualClock.Instant { base.now }
  var date: Date { base.date }
  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
    try await woken.pass()
  }
}
