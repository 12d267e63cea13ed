import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Stores and ledgers that misbehave after a fetch.
@Suite(.patient) struct CachingBadStoreTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  @Test func `A first fetch whose saved data never come is shown without, and ends`()
    async throws
  {
    let source = FakeSource()
    source.observing = .never
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    await bench.clock.sleeps(1)
    bench.clock.advance(by: .seconds(1))
    #expect(
      await watch.next() == "yes/nil/reading, just finished the first fetch, just refreshed")
  }

  @Test func `A later fetch whose saved data never come ends too, with the old content`()
    async throws
  {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    source.observing = .never
    let refreshing = Task { try await repository.refresh(force: true) }
    #expect(await watch.next() == "yes/v1/refreshing")
    await source.observed.reach(2)
    bench.clock.advance(by: .seconds(1))
    #expect(try await refreshing.value == .successful)
    let state = try #require(await watch.state())
    #expect(state.isReading)
    #expect(!state.isRefreshing)
    #expect(state.justFinishedSuccessfulRefresh)
  }

  @Test func `A fetch after which nothing is saved ends, and the cache is empty`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    source.observing = .nothing
    #expect(try await repository.refresh(force: true) == .successful)
    // The save itself was observed before; nothing is there when it is looked at again.
    #expect(await watch.next(2) == ["yes/v1/refreshing", "yes/nil/just refreshed"])
  }

  @Test func `A fetch after which observing fails is a success with an error beside it`()
    async throws
  {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    source.observing = .failure
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(await watch.next() == "yes/v1/refreshing")
    #expect(await watch.next().hasSuffix("/just refreshed, error observing"))
  }

  @Test func `Slow observing after an error is not begun again and again`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    source.observing = .failure
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no/reading, error observing")
    source.observing = .never
    bench.clock.advance(by: .seconds(1))
    await source.observed.reach(2)
    bench.clock.advance(by: .seconds(1))
    bench.clock.advance(by: .seconds(10))
    source.write(["late"])
    while await watch.next() != "yes/late" {}
    #expect(source.observations == 2)
  }

  @Test func `A ledger that throws is shown, and asked again`() async throws {
    let ledger = FaultyLedger()
    let source = FakeSource(automaticallyRefresh: false)
    let repository = CacheRepository(source, ledger: ledger, clock: bench.clock)
    repository.requirements = "words"
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no/error ledger")
    #expect(try await repository.refresh() == .failed(Trouble.ledger))
    #expect(
      await watch.next(2)
        == [
          "no/refreshing for the first time, error ledger",
          "no/just finished the first fetch, error ledger",
        ])
    await #expect(throws: Trouble.ledger) { try await repository.update(["a"]) }
    await #expect(throws: Trouble.ledger) { try await repository.invalidate() }
    await #expect(throws: Trouble.ledger) { try await repository.clear() }
    await #expect(throws: Trouble.ledger) { try await repository.value(from: .cache) }
    ledger.isBroken = false
    try await ledger.write(FetchRecord(fetchedAt: bench.clock.date), for: "words")
    #expect(try await repository.value(from: .cache) == ["a"])
  }

  @Test func `One tag that cannot be told does not keep the others from being told`()
    async throws
  {
    let ledger = FaultyLedger()
    ledger.isBroken = false
    let source = FakeSource(automaticallyRefresh: false)
    let repositories = ["a", "b", "c"].map { tag in
      let repository = CacheRepository(source, ledger: ledger, clock: bench.clock)
      repository.requirements = .init(tag: tag)
      return repository
    }
    for repository in repositories { #expect(try await repository.refresh() == .successful) }
    ledger.brokenTag = "b"
    await #expect(throws: Trouble.ledger) { try await ledger.invalidate() }
    for repository in [repositories[0], repositories[2]] {
      await #expect(throws: CacheError.self) { try await repository.value(from: .cache) }
    }
  }
}
