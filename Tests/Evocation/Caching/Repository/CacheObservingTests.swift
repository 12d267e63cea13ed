import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What those who observe a cache are shown.
@Suite(.patient) struct CachingObservingTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  @Test func `Without requirements nothing is shown, and a refresh is refused`()
    async throws
  {
    let repository = bench.repository(FakeSource(), nil)
    let states = repository.observe()
    let watching = Task {
      var watch = Watch(states)
      return await watch.next(3)
    }
    await #expect(throws: CacheError.requirementsNotSet(cache: "Array<String>")) {
      try await repository.refresh()
    }
    repository.requirements = "words"
    let shown = await watching.value
    // Whether the refusal or the requirements came before the first iteration, the end is the same.
    #expect(shown.last == "yes/v1/just finished the first fetch, just refreshed")
    #expect(shown.first == "no")
  }

  @Test func `One who comes late is shown the present state first, then each later one`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = bench.repository(source)
    var early = Watch(repository.observe())
    #expect(await early.next(2) == first)
    var late = Watch(repository.observe())
    #expect(await late.next() == "no/refreshing for the first time")
    gate.open()
    let done = "yes/v1/just finished the first fetch, just refreshed"
    #expect(await early.next() == done)
    #expect(await late.next() == done)
    source.write(["changed"])
    #expect(await early.next() == "yes/changed")
    #expect(await late.next() == "yes/changed")
  }

  @Test func `A first fetch shows success together with its content`() async throws {
    let repository = bench.repository(FakeSource())
    var watch = Watch(repository.observe())
    #expect(await watch.state() == CacheState(.noCache, tag: "words"))
    #expect(
      await watch.state()
        == CacheState(.noCache, tag: "words", isRefreshing: true, isFirstFetch: true))
    #expect(
      await watch.state()
        == CacheState(
          .cache(["v1"], fetchedAt: bench.clock.date), tag: "words", justFinishedFirstFetch: true,
          justFinishedSuccessfulFirstFetch: true, justFinishedSuccessfulRefresh: true,
          freshness: .fresh))
  }

  @Test func `A first fetch that fails shows the error, and a later one starts over`()
    async throws
  {
    let source = FakeSource { count in
      guard count > 1 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    let state = try #require(await watch.state())
    #expect(state.words == "no/just finished the first fetch, error fetching")
    #expect(!state.justFinishedSuccessfulFirstFetch)
    #expect(source.observations == 0)
    #expect(try await repository.refresh() == .successful)
    #expect(
      await watch.next(2)
        == [
          "no/refreshing for the first time",
          "yes/v2/just finished the first fetch, just refreshed",
        ])
  }

  @Test func `A first fetch that cannot be saved shows the error and is not stamped`()
    async throws
  {
    let source = FakeSource()
    source.onSave { _ in throw Trouble.saving }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "no/just finished the first fetch, error saving")
    #expect(try await bench.ledger.record(for: "words") == nil)
  }

  @Test func `A fresh cache is shown as it is stored, and not fetched`() async throws {
    let source = FakeSource(maxAge: .seconds(60), words: ["stored"])
    try await bench.remember(.seconds(30))
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    let state = try #require(await watch.state())
    #expect(state.words == "yes/stored")
    #expect(state.cacheAge == .seconds(30))
    source.write(["end"])
    #expect(await watch.next() == "yes/end")
    #expect(source.fetches == 0)
  }

  @Test func `A stale cache is shown first, then refreshing, then the new content`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(61))
    var watch = Watch(repository.observe())
    #expect(
      await watch.next(3) == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v2/just refreshed"])
  }

  @Test func `A forced refresh keeps the content until the new one is there`()
    async throws
  {
    let repository = try await bench.fetched(FakeSource())
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(await watch.next(2) == ["yes/v1/refreshing", "yes/v2/just refreshed"])
  }

  @Test func `A refresh that fails leaves the content, with the error beside it`()
    async throws
  {
    let source = FakeSource { count in
      guard count != 2 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    #expect(try await repository.refresh(force: true) == .failed(Trouble.fetching))
    #expect(await watch.next(2) == ["yes/v1/refreshing", "yes/v1/error fetching"])
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(await watch.next(2) == ["yes/v1/refreshing", "yes/v3/just refreshed"])
  }

  @Test func `Local content that changes during a refresh is shown, still refreshing`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource { count in
      if count > 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe(forceRefresh: true))
    #expect(await watch.next(2) == ["yes/v1", "yes/v1/refreshing"])
    await gate.arrivals(1)
    source.write(["edited"])
    #expect(await watch.next() == "yes/edited/refreshing")
    gate.open()
    #expect(await watch.next() == "yes/v2/just refreshed")
  }

  @Test func `That a fetch has just ended is in one state, and not shown to the late`()
    async throws
  {
    let source = FakeSource()
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
    var late = Watch(repository.observe())
    #expect(await late.next() == "yes/v1")
    source.write(["changed"])
    #expect(await watch.next() == "yes/changed")
    #expect(await late.next() == "yes/changed")
  }

  @Test func `Other requirements during a refresh end it for its caller, and are shown`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource { count in
      if count == 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    // The observer's fetch may have begun before the caller joined it.
    try await eventually("the caller to wait") { repository.waiters == 1 }
    repository.requirements = "others"
    #expect(try await refreshing.value == .skipped(.cancelled))
    gate.open()
    var states: [CacheState<[String]>] = []
    for _ in 0..<3 { states.append(try #require(await watch.state())) }
    #expect(states.map(\.tag) == ["others", "others", "others"])
    #expect(states.map(\.cache) == [nil, nil, ["v2"]])
    #expect(source.saves == [["v2"]])
  }

  @Test func `Without requirements those who observe stay, and are shown nothing`()
    async throws
  {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    repository.requirements = nil
    source.write(["unseen"])
    repository.requirements = "others"
    #expect(try #require(await watch.state()).tag == "others")
  }

  @Test func `A repository lives as long as somebody observes it, and no longer`() async throws {
    let source = FakeSource()
    var repository: CacheRepository<FakeSource>? = try await bench.fetched(source)
    weak let kept = repository
    var states = repository?.observe()
    repository = nil
    // Neither the sequence nor its iterators lose it.
    var watch = states.map { Watch($0) }
    states = nil
    #expect(await watch?.next() == "yes/v1")
    source.write(["edited"])
    #expect(await watch?.next() == "yes/edited")
    #expect(kept != nil)
    watch = nil
    #expect(kept == nil)
  }

  @Test(arguments: [true, false])
  func `A reader that is canceled releases the repository, and so does one that stops`(
    stops: Bool
  ) async throws {
    var repository: CacheRepository<FakeSource>? = try await bench.fetched(FakeSource())
    weak let kept = repository
    let shown = Gate.Counter()
    func read(_ states: some ObservedSequence<CacheState<[String]>>) -> Task<Void, Never> {
      Task {
        for await _ in states {
          shown.increase()
          if stops { break }
        }
      }
    }
    let reading = read(try #require(repository).observe())
    await shown.reach(1)
    if !stops { reading.cancel() }
    await reading.value
    #expect(kept != nil)
    repository = nil
    try await eventually("what was read to go") { kept == nil }
  }

  @Test func `An observation that is held keeps the repository, and releases it at its end`()
    async throws
  {
    var repository: CacheRepository<FakeSource>? = try await bench.fetched(FakeSource())
    weak let kept = repository
    let shown = Gate.Counter()
    var observation = repository?.observe { _ in shown.increase() }
    repository = nil
    await shown.reach(1)
    #expect(kept != nil && observation != nil)
    observation = nil
    try await eventually("the repository to go") { kept == nil }
  }

  @Test func `Changes of the local data by the app are shown`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    source.write(["edited"])
    source.write([])
    #expect(await watch.next(2) == ["yes/edited", "yes/nil"])
    #expect(source.fetches == 1)
  }

  @Test func `A cache that is too old to be shown is none, and its freshness says why`()
    async throws
  {
    let source = FakeSource(
      maxAge: .seconds(60), maxUsableAge: .seconds(120), automaticallyRefresh: false)
    let repository = try await bench.fetched(source)
    let course: [(age: Int, freshness: Freshness, words: String)] = [
      (60, .fresh, "yes/v1"), (120, .stale, "yes/v1/stale"), (121, .expired, "no/stale"),
    ]
    var passed = 0
    for (age, freshness, words) in course {
      bench.clock.advance(by: .seconds(age - passed))
      passed = age
      var watch = Watch(repository.observe())
      let state = try #require(await watch.state())
      #expect(state.freshness == freshness)
      #expect(state.words == words)
      #expect(state.cacheAge == .seconds(age))
    }
  }

  @Test func `What a refresh saved does not start another`() async throws {
    let source = FakeSource(maxAge: .seconds(-1))
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "yes/v1/stale, just finished the first fetch, just refreshed")
    try await repository.update(["end"])
    #expect(await watch.next() == "yes/end/stale")
    #expect(source.fetches == 1)
  }

  @Test func `A save that is told late does not start another refresh either`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(-1))
    source.observing = .late
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    #expect(await watch.next() == "yes/v1/stale, just finished the first fetch, just refreshed")
    source.tellChanges()
    source.write(["edited"])
    source.tellChanges()
    #expect(await watch.next() == "yes/edited/stale")
    try await repository.update(["end"])
    #expect(await watch.next() == "yes/end/stale")
    #expect(source.fetches == 1)
  }
}
