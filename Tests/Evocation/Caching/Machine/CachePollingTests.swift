import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationValues

/// Caches that are refreshed again and again while they are observed.
@Suite(.patient) struct CachingPollingTests {
  private let bench = CacheBench()

  @Test func `While it is observed it is fetched again after each pause`() async throws {
    let source = FakeSource(refreshEvery: .seconds(10))
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    let start = bench.clock.date
    for count in 1...3 {
      let state = await watch.state { $0.cache == ["v\(count)"] && !$0.isRefreshing }
      #expect(state?.fetchedAt == start + Double(count - 1) * 10)
      bench.clock.advance(by: .seconds(9))
      #expect(source.fetches == count)
      bench.clock.advance(by: .seconds(1))
    }
  }

  @Test func `A fetch that takes longer than the pause is not begun twice, and callers join it`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource(refreshEvery: .seconds(1)) { count in
      if count > 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    _ = await watch.state { $0.cache == ["v1"] && !$0.isRefreshing }
    bench.clock.advance(by: .seconds(1))
    #expect(await gate.arrivals(1))
    let asked = bench.clock.date
    for _ in 1...10 { bench.clock.advance(by: .seconds(10)) }
    async let joined = repository.refresh(force: true)
    try await eventually("somebody who waits for the refresh") { repository.waiters > 0 }
    #expect(source.fetches == 2)
    let end = bench.clock.date
    gate.open()
    #expect(try await joined == .successful)
    let second = await watch.state { $0.cache == ["v2"] && !$0.isRefreshing }
    #expect(second?.fetchedAt == asked)
    bench.clock.advance(by: .seconds(1))
    let third = await watch.state { $0.cache == ["v3"] && !$0.isRefreshing }
    #expect(third?.fetchedAt == end + 1)
  }

  @Test func `Nobody is asked when nobody observes, until somebody does again`() async throws {
    let source = FakeSource(refreshEvery: .seconds(10))
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(100))
    #expect(source.fetches == 1)
    do {
      var watch = Watch(repository.observe())
      _ = await watch.state { $0.cache == ["v2"] && !$0.isRefreshing }
    }
    bench.clock.advance(by: .seconds(100))
    #expect(try await repository.value(from: .cache) == ["v2"])
    #expect(source.fetches == 2)
    var watch = Watch(repository.observe())
    let state = await watch.state { $0.cache == ["v3"] && !$0.isRefreshing }
    #expect(state?.fetchedAt == bench.clock.date)
  }

  @Test(arguments: [Duration.zero, .seconds(-5)])
  func `An interval that is not above zero is an error of every use`(
    interval: Duration
  )
    async throws
  {
    let source = FakeSource(refreshEvery: interval)
    let repository = bench.repository(source)
    let sentence =
      "The cache of Array<String> would refresh without a pause; set refreshEvery to an interval "
      + "above zero, or to nil."
    let error = await #expect(throws: CacheError.self) { try await repository.refresh() }
    #expect(error?.description == sentence)
    await #expect(throws: CacheError.intervalNotPositive(cache: "Array<String>")) {
      try await repository.value()
    }
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no/error \(sentence)")
    #expect(source.fetches == 0)
  }
}

extension CacheRepository {
  /// How many callers wait for a fetch.
  var waiters: Int {
    (try? binding())?.entry.state.withLock { $0.waiters.count } ?? 0
  }
}
