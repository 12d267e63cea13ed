import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// How a cache is fetched.
@Suite(.patient) struct CachingRefreshingTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  @Test func `A cache that is not stale is not fetched, and nothing is shown`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
    source.write(["end"])
    #expect(await watch.next() == "yes/end")
    #expect(source.fetches == 1)
  }

  @Test func `A forced refresh fetches whatever the age`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(source.fetches == 2)
  }

  @Test func `A refresh answers after it was saved, stamped and shown`() async throws {
    let (source, saving) = (FakeSource(automaticallyRefresh: false), Gate())
    source.onSave { _ in try await saving.pass() }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    let answered = Lock(false)
    let refreshing = Task {
      let result = try await repository.refresh()
      answered.withLock { $0 = true }
      return result
    }
    #expect(await watch.next() == "no/refreshing for the first time")
    await saving.arrivals(1)
    #expect(!answered.withLock { $0 })
    saving.open()
    #expect(try await refreshing.value == .successful)
    #expect(try await bench.ledger.record(for: "words") != nil)
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
  }

  @Test func `A missing cache is fetched, and one of any age is enough`() async throws {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = bench.repository(source)
    #expect(try await repository.refreshIfNoCache() == .successful)
    bench.clock.advance(by: .seconds(1000))
    #expect(try await repository.refreshIfNoCache() == .successful)
    #expect(source.fetches == 1)
  }

  @Test func `A cache that is too old to be shown is missing, and fetched as such`()
    async throws
  {
    let source = FakeSource(maxUsableAge: .seconds(60), automaticallyRefresh: false)
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(61))
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no/stale")
    #expect(try await repository.refreshIfNoCache() == .successful)
    #expect(await watch.next(2) == ["no/stale, refreshing", "yes/v2/just refreshed"])
    #expect(source.fetches == 2)
  }

  @Test func `A cache that is cleared before it is shown was not fetched for anybody`()
    async throws
  {
    let source = FakeSource(automaticallyRefresh: false)
    source.observing = .never
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    let refreshing = Task { try await repository.refreshIfNoCache() }
    try await eventually("the record of the fetch") {
      try await bench.ledger.record(for: "words") != nil
    }
    try await repository.clear()
    #expect(try await refreshing.value == .skipped(.cancelled))
  }

  @Test func `A local change that shows a stale cache refreshes it`() async throws {
    let gate = Gate()
    let source = FakeSource(maxAge: .seconds(60)) { count in
      guard count != 2 else { throw Trouble.fetching }
      if count > 2 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(61))
    var watch = Watch(repository.observe())
    #expect(
      await watch.next(3)
        == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v1/stale, error fetching"])
    source.write(["edited"])
    #expect(
      await watch.next(2)
        == ["yes/edited/stale, error fetching", "yes/edited/stale, refreshing"])
    gate.open()
    #expect(await watch.next() == "yes/v3/just refreshed")
  }

  @Test func `New requirements refresh a stale cache by themselves`() async throws {
    let repository = bench.repository(FakeSource(), nil)
    let states = repository.observe()
    let watching = Task {
      var watch = Watch(states)
      return await watch.next(3)
    }
    repository.requirements = "words"
    #expect(
      await watching.value == first + ["yes/v1/just finished the first fetch, just refreshed"])
  }

  @Test func `Without automatic refreshes nothing is fetched unasked`() async throws {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    #expect(try await repository.refresh() == .successful)
    #expect(await watch.next() == "no/refreshing for the first time")
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
    bench.clock.advance(by: .seconds(61))
    #expect(await watch.next() == "yes/v1/stale")
    source.write(["edited"])
    #expect(await watch.next() == "yes/edited/stale")
    repository.requirements = "others"
    #expect(await watch.next() == "no")
    #expect(source.fetches == 1)
  }

  @Test func `A fetch that throws is a refresh that failed`() async throws {
    let repository = bench.repository(FakeSource { _ in throw Trouble.fetching })
    #expect(try await repository.refresh() == .failed(Trouble.fetching))
    #expect(try await repository.refreshIfNoCache() == .failed(Trouble.fetching))
  }

  @Test func `Validating fetches what is missing, stale or failed, and nothing else`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false) { count in
      guard count != 3 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    await repository.validate()
    #expect(source.saves == [["v1"]])
    await repository.validate()
    #expect(source.fetches == 1)
    bench.clock.advance(by: .seconds(61))
    await repository.validate()
    #expect(source.saves == [["v1"], ["v2"]])
    #expect(try await repository.refresh(force: true) == .failed(Trouble.fetching))
    await repository.validate()
    #expect(source.saves == [["v1"], ["v2"], ["v4"]])
    await bench.repository(source, nil).validate()
    #expect(source.fetches == 4)
  }

  @Test func `A failed refresh touches nothing that is cached`() async throws {
    let source = FakeSource { count in
      guard count == 1 else { throw Trouble.fetching }
      return ["v1"]
    }
    let repository = try await bench.fetched(source)
    let record = try await bench.ledger.record(for: "words")
    #expect(try await repository.refresh(force: true) == .failed(Trouble.fetching))
    #expect(source.words == ["v1"])
    #expect(try await bench.ledger.record(for: "words") == record)
    #expect(try await repository.value(from: .cache) == ["v1"])
  }

  @Test func `Any event in any order is borne`() {
    var machine = CacheMachineDriver(isObserved: true)
    machine.apply(.saved)
    machine.apply(.read)
    machine.finish()
    #expect(machine.faults == [])
  }

  @Test func `A save that fails is a failed refresh, and no cache is reported`()
    async throws
  {
    let source = FakeSource()
    source.onSave { _ in throw Trouble.saving }
    let repository = bench.repository(source)
    #expect(try await repository.refresh() == .failed(Trouble.saving))
    #expect(try await repository.refreshIfNoCache() == .failed(Trouble.saving))
    await #expect(throws: CacheError.noCache(tag: "words")) {
      try await repository.value(from: .cache)
    }
  }

  @Test func `After a failed save local changes are still shown`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    source.onSave { _ in throw Trouble.saving }
    #expect(try await repository.refresh(force: true) == .failed(Trouble.saving))
    #expect(await watch.next(2) == ["yes/v1/refreshing", "yes/v1/error saving"])
    source.write(["edited"])
    #expect(await watch.next() == "yes/edited/error saving")
  }

  @Test func `Failures of automatic refreshes are shown and traced`() async throws {
    let traces = Lock<[String]>([])
    let repository = bench.repository(FakeSource { _ in throw Trouble.fetching }) { trace in
      traces.withLock { $0.append("\(trace)") }
    }
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "no/just finished the first fetch, error fetching")
    #expect(try await repository.refresh() == .failed(Trouble.fetching))
    let told = traces.withLock { $0 }
    #expect(told.first == "refresh Array<String>: remote failed: fetching.")
  }
}
