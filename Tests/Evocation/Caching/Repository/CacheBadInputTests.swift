import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Sources, ledgers and clocks that misbehave.
@Suite(.patient) struct CachingBadInputTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  @Test func `A source that throws in each of its functions is borne`() async throws {
    let source = FakeSource(automaticallyRefresh: false) { _ in throw Trouble.fetching }
    source.onSave { _ in throw Trouble.saving }
    source.onDelete { throw Trouble.deleting }
    source.observing = .failure
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    #expect(try await repository.refresh() == .failed(Trouble.fetching))
    await #expect(throws: Trouble.saving) { try await repository.update(["a"]) }
    await #expect(throws: Trouble.fetching) { try await repository.value() }
    await repository.validate()
    source.onSave { _ in }
    try await repository.update(["a"])
    await #expect(throws: Trouble.observing) { try await repository.value() }
    await #expect(throws: Trouble.deleting) { try await repository.clear() }
    #expect(try await bench.ledger.record(for: "words") == nil)
    await #expect(throws: CacheError.noCache(tag: "words")) {
      try await repository.value(from: .cache)
    }
  }

  @Test func `A fetch that is never answered can be left, and shows that it goes on`()
    async throws
  {
    let gate = Gate()
    let repository = bench.repository(
      FakeSource { _ in
        try await gate.pass()
        return []
      })
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    let caller = Task { try await repository.refresh() }
    caller.cancel()
    #expect(try await caller.value == .skipped(.cancelled))
    try await repository.update(["mine"])
    #expect(await watch.next() == "yes/mine")
  }

  @Test func `A save that is never answered holds nobody who is cancelled`() async throws {
    let (source, gate) = (FakeSource(), Gate())
    source.onSave { _ in try await gate.pass() }
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    let updating = Task { try await repository.update(["mine"]) }
    refreshing.cancel()
    updating.cancel()
    #expect(try await refreshing.value == .skipped(.cancelled))
    await #expect(throws: CancellationError.self) { try await updating.value }
    gate.open()
  }

  @Test func `An answer after the requirements changed is neither saved nor shown`()
    async throws
  {
    let gate = Gate()
    let deaf = FakeSource { count in
      // It does not notice that it was cancelled.
      if count == 1 { await Task { try? await gate.pass() }.value }
      return ["v\(count)"]
    }
    let repository = bench.repository(deaf)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    repository.requirements = "others"
    #expect(try await refreshing.value == .skipped(.cancelled))
    gate.open()
    #expect(try await repository.refresh() == .successful)
    #expect(deaf.saves == [["v2"]])
    repository.requirements = "words"
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(-1_000_000)])
  func `A maximum age of zero or less does not refresh for ever`(age: Duration) async throws {
    let source = FakeSource(maxAge: age)
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    let shown = await watch.next()
    #expect(shown.hasPrefix("yes/v1"))
    #expect(shown.hasSuffix("just refreshed"))
    bench.clock.advance(by: .seconds(1_000))
    try await repository.update(["end"])
    var last = shown
    while !last.hasPrefix("yes/end") { last = await watch.next() }
    #expect(source.fetches == 1)
    #expect(try await repository.value(from: .origin) == ["v2"])
  }

  @Test func `A greatest usable age of zero is borne`() async throws {
    let source = FakeSource(maxUsableAge: .zero)
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
    #expect(try await repository.value(from: .origin) == ["v2"])
  }

  @Test func `Without requirements each function that needs them says so`() async throws {
    let repository = bench.repository(FakeSource(), nil)
    let error = CacheError.requirementsNotSet(cache: "Array<String>")
    await #expect(throws: error) { try await repository.refresh() }
    await #expect(throws: error) { try await repository.refreshIfNoCache() }
    await #expect(throws: error) { try await repository.update(["a"]) }
    await #expect(throws: error) { try await repository.clear() }
    await #expect(throws: error) { try await repository.invalidate() }
    await #expect(throws: error) { try await repository.value() }
    #expect(
      error.description
        == "The cache of Array<String> does not know its query; set its requirements before you "
        + "use it.")
  }

  @Test func `Two types of source with one tag are refused, both named, once to each`()
    async throws
  {
    let fake = bench.repository(FakeSource(words: ["a"]))
    #expect(try await fake.refresh() == .successful)
    let other = CacheRepository(OtherSource(), ledger: bench.ledger, clock: bench.clock)
    other.requirements = "words"
    let error = CacheError.tagConflict(tag: "words", source: "OtherSource", other: "FakeSource")
    var watch = Watch(other.observe())
    #expect(await watch.next() == "no/error \(error)")
    await #expect(throws: error) { try await other.refresh() }
    await #expect(throws: error) { try await other.update(["b"]) }
    var late = Watch(other.observe())
    #expect(await late.next() == "no/error \(error)")
    other.requirements = "free"
    #expect(await watch.next() == "no")
    #expect(await late.next() == "no")
  }

  @Test func `Another maximum age for the same tag is heeded`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(60))
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    repository.requirements = .init(tag: "words", maxAge: .seconds(30))
    #expect(
      await watch.next(3) == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v2/just refreshed"])
  }
}

/// A source of another type than the fake one.
private struct OtherSource: CacheDataSource {
  let automaticallyRefresh = false

  func fetchFreshCache(_ requirements: CacheTag) async throws -> [String] { ["other"] }
  func saveCache(_ fetched: [String], requirements: CacheTag) async throws {}
  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}
