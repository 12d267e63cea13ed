import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// Caches that are declared stale while they are fetched.
@Suite(.patient) struct CachingInvalidatingTests {
  private let bench = CacheBench()

  @Test func `A fetch from before an invalidation is made again, once for however many`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource { count in
      if count == 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    for _ in 0..<50 { try await repository.invalidate() }
    gate.open()
    #expect(try await refreshing.value == .successful)
    #expect(source.saves == [["v2"]])
    #expect(source.fetches == 2)
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `A cache that is declared stale during every fetch is saved all the same, as stale`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    for count in 1...3 {
      await gate.arrivals(count)
      try await repository.invalidate()
      gate.letOneThrough()
    }
    #expect(try await refreshing.value == .successful)
    #expect(source.saves == [["v3"]])
    gate.open()
    #expect(try await repository.refresh() == .successful)
    #expect(source.saves == [["v3"], ["v4"]])
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `Invalidations, updates and clearings of an observed cache make no storm of fetches`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource { count in
      if count > 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    for _ in 0..<50 { try await repository.invalidate() }
    await gate.arrivals(1)
    for number in 0..<25 {
      try await repository.update(["mine \(number)"])
      try await repository.clear()
      try await repository.update(["mine"])
    }
    try await repository.update(["last"])
    #expect(await watch.states(until: "yes/last").last == "yes/last")
    // What is cleared is fetched again, each time.
    #expect(source.fetches == 27)
    for _ in 0..<50 { try await repository.invalidate() }
    await gate.arrivals(27)
    gate.open()
    let shown = await watch.states(until: "yes/v29/just refreshed")
    #expect(shown.last == "yes/v29/just refreshed", "\(shown)")
    #expect(source.fetches == 29)
    #expect(shown.count < 150)
  }
}
