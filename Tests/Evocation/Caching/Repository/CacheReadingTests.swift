import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// One-shot reads.
@Suite(.patient) struct CachingReadingTests {
  private let bench = CacheBench()

  @Test func `From both a fresh cache is given, else what is fetched`() async throws {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = bench.repository(source)
    #expect(try await repository.value() == ["v1"])
    #expect(try await repository.value() == ["v1"])
    bench.clock.advance(by: .seconds(61))
    #expect(try await repository.value() == ["v2"])
    #expect(source.fetches == 2)
  }

  @Test func `From both a fetch that runs is joined`() async throws {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    let reading = Task { try await repository.value() }
    gate.open()
    #expect(try await reading.value == ["v1"])
    #expect(try await refreshing.value == .successful)
    #expect(source.fetches == 1)
  }

  @Test func `From the origin it is always fetched`() async throws {
    let repository = try await bench.fetched(FakeSource())
    #expect(try await repository.value(from: .origin) == ["v2"])
  }

  @Test func `From the cache it is never fetched; missing and stale are errors`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = bench.repository(source)
    await #expect(throws: CacheError.noCache(tag: "words")) {
      try await repository.value(from: .cache)
    }
    #expect(try await repository.refresh() == .successful)
    #expect(try await repository.value(from: .cache) == ["v1"])
    bench.clock.advance(by: .seconds(61))
    await #expect(throws: CacheError.cacheTooOld(tag: "words", age: .seconds(61))) {
      try await repository.value(from: .cache)
    }
    #expect(source.fetches == 1)
  }

  @Test func `A fetch that fails gives the cache that may still be used, else its error`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), maxUsableAge: .seconds(120)) { count in
      guard count == 1 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(61))
    #expect(try await repository.value() == ["v1"])
    await #expect(throws: Trouble.fetching) { try await repository.value(from: .origin) }
    bench.clock.advance(by: .seconds(60))
    await #expect(throws: Trouble.fetching) { try await repository.value() }
    let none = bench.repository(source, "none")
    await #expect(throws: Trouble.fetching) { try await none.value() }
  }

  @Test func `A fetch that fails gives a cache of any age where none is too old`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60)) { count in
      guard count == 1 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(1e9))
    #expect(try await repository.value() == ["v1"])
    try await repository.invalidate()
    #expect(try await repository.value() == ["v1"])
    await #expect(throws: Trouble.fetching) { try await repository.value(from: .origin) }
  }

  @Test func `What throws gives nil where it is read if available`() async throws {
    let source = FakeSource { count in
      guard count == 1 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    #expect(await repository.valueIfAvailable(from: .cache) == nil)
    #expect(await repository.valueIfAvailable() == ["v1"])
    #expect(await repository.valueIfAvailable(from: .origin) == nil)
    #expect(await repository.valueIfAvailable(from: .cache) == ["v1"])
    #expect(await bench.repository(source, nil).valueIfAvailable() == nil)
  }

  @Test func `A read that is cancelled ends as cancelled`() async throws {
    let gate = Gate()
    let repository = bench.repository(
      FakeSource { _ in
        try await gate.pass()
        return []
      })
    let reading = Task { try await repository.value() }
    await gate.arrivals(1)
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func `A read of a cache that is never answered ends as cancelled too`()
    async throws
  {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    source.observing = .never
    let reading = Task { try await repository.value() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func `A read ends with an error when the cache is cleared meanwhile`() async throws {
    let gate = Gate()
    let repository = bench.repository(
      FakeSource { _ in
        try await gate.pass()
        return []
      })
    let reading = Task { try await repository.value() }
    await gate.arrivals(1)
    try await repository.clear()
    await #expect(throws: CacheError.cleared(tag: "words")) { try await reading.value }
  }

  @Test func `With a maximum age of zero a fetch's value is given`() async throws {
    for age in [Duration.zero, .seconds(-5)] {
      let source = FakeSource(maxAge: age)
      let repository = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: bench.clock)
      repository.requirements = "words"
      if age == .zero {
        #expect(try await repository.value() == ["v1"])
        bench.clock.advance(by: .seconds(1))
      } else {
        #expect(try await repository.value() == ["v1"])
      }
      #expect(try await repository.value() == ["v2"])
      bench.clock.advance(by: .seconds(1))
      await #expect(throws: CacheError.self) { try await repository.value(from: .cache) }
    }
  }

  @Test func `Ten reads of a new tag at once make one fetch`() async throws {
    let (gate, source) = (Gate(), FakeSource())
    source.onSave { _ in try await gate.pass() }
    let repository = bench.repository(source)
    let values = await withTaskGroup(of: [String]?.self) { group in
      for _ in 0..<10 { group.addTask { await repository.valueIfAvailable() } }
      await gate.arrivals(1)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: ["v1"], count: 10))
    #expect(source.fetches == 1)
  }

  @Test func `A source that says that nothing is saved has no value to give`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    source.observing = .nothing
    await #expect(throws: CacheError.noCache(tag: "words")) {
      try await repository.value(from: .cache)
    }
    await #expect(throws: CacheError.noCache(tag: "words")) {
      try await repository.value(from: .origin)
    }
  }
}
