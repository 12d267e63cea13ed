import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct InitStateTests {
  private let clock = ManualClock(date: Date(timeIntervalSinceReferenceDate: 1_000_000))
  private let ledger = InMemoryFetchLedger()
  private typealias Wish = (InitialCacheState<[String], Never>) ->
    InitialCacheState<[String], Never>
  private typealias AgeWish = (InitialCacheAge) -> InitialCacheAge

  private func repository(_ source: WordSource) -> CacheRepository<WordSource> {
    CacheRepository(source, ledger: ledger, clock: clock)
  }

  /// Puts a repository into a state, in one form or the other.
  private func put(
    _ words: CacheRepository<WordSource>, isAsync: Bool = true, _ wish: Wish
  ) async throws {
    if isAsync {
      try await CacheRepository.testing.initStateAsync(
        repository: words, requirements: "words", wish)
    } else {
      try CacheRepository.testing.initState(repository: words, requirements: "words", wish)
    }
  }

  private func firstState(
    _ words: CacheRepository<WordSource>
  ) async throws -> CacheState<[String]> {
    var states = words.observe().makeAsyncIterator()
    return try #require(await states.next())
  }

  @Test(arguments: [nil, Duration.seconds(60), .seconds(1_000_000), .zero], [false, true])
  func `A repository is as if its cache had been fetched then, or never`(
    maxAge: Duration?, isAsync: Bool
  ) async throws {
    let day = clock.date - 86_400
    for usable in [nil, Duration.seconds(61), .seconds(10_000_000)] {
      var ages: [(AgeWish, Freshness)] = [({ $0.cacheTooOld() }, .stale)]
      if maxAge != .zero { ages.append(({ $0.cacheNotTooOld() }, .fresh)) }
      for (age, freshness) in ages {
        let wishes: [(Wish, [String]?)] = [
          ({ $0.cache(["a"], age) }, ["a"]), ({ $0.cacheEmpty(age) }, nil),
        ]
        if maxAge == .seconds(1_000_000), usable == .seconds(61), freshness == .stale { continue }
        for (wish, content) in wishes {
          // A source and a ledger each, because a stale cache is fetched once it was looked at.
          let source = WordSource(maxAge: maxAge, maxUsableAge: usable)
          let words = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
          try await put(words, isAsync: isAsync, wish)
          #expect(source.fetches == 0)
          let state = try await firstState(words)
          let expected = CacheState(
            .cache(content, fetchedAt: state.fetchedAt ?? day), tag: "words", freshness: freshness)
          #expect(state == expected, "\(String(describing: usable))")
          let age = try #require(state.cacheAge)
          #expect(maxAge.map { (age > $0) == (freshness == .stale) } ?? (age == .zero))
        }
      }
      let words = repository(
        WordSource(maxAge: maxAge, maxUsableAge: usable, automaticallyRefresh: false))
      try await put(words, isAsync: isAsync) { $0.cache(["a"]) { $0.lastFetched(day) } }
      #expect(try await ledger.record(for: "words")?.fetchedAt == day)
      try await put(words, isAsync: isAsync) { $0.noCache() }
      #expect(try await ledger.record(for: "words") == nil)
      #expect(try await words.source.readCache("words") == nil)
      #expect(try await firstState(words) == CacheState(.noCache, tag: "words"))
    }
  }

  @Test func `A cache that is too old is fetched when observed, one that is not too old is not`()
    async throws
  {
    let source = WordSource(maxAge: .seconds(60))
    let words = repository(source)
    try await put(words) { $0.cacheEmpty { $0.cacheTooOld() } }
    await #expect(throws: CacheError.self) { try await words.value(from: .cache) }
    #expect(try await words.value() == ["fetched 1"])
    try await put(words) { $0.cache(["a"]) { $0.cacheNotTooOld() } }
    #expect(try await words.value() == ["a"])
    #expect(try await words.refresh() == .skipped(.cacheNotTooOld))
    #expect(source.fetches == 1)
  }

  @Test func `What happened before leaves no trace, and who observes sees the new state`()
    async throws
  {
    let gate = Gate()
    let source = WordSource(automaticallyRefresh: false) { number in
      if number == 1 { throw Refused() }
      try await gate.pass()
      return ["late"]
    }
    let words = repository(source)
    words.requirements = "words"
    var states = words.observe().makeAsyncIterator()
    #expect(await states.next()?.cache == nil)
    #expect(try await words.refresh() == .failed(Refused()))
    #expect(await states.next()?.isRefreshing == true)
    #expect(await states.next()?.refreshError is Refused)
    async let result = words.refresh()
    await gate.arrivals(1)
    #expect(await states.next()?.isRefreshing == true)
    try await put(words) { $0.cache(["a"]) }
    #expect(try await result == .skipped(.cancelled))
    #expect(
      try await states.next()
        == CacheState(.cache(["a"], fetchedAt: clock.date), tag: "words", freshness: .fresh))
    gate.open()
    #expect(try await words.value() == ["a"])
  }

  @Test func `The sync form ends even when every shared thread is in it`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let words = CacheRepository(WordSource(), ledger: InMemoryFetchLedger())
          try CacheRepository.testing.initState(repository: words, requirements: "words") {
            $0.cache(["\(number)"])
          }
          #expect(try await words.value(from: .cache) == ["\(number)"])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test @MainActor func `The sync form can be called on the main thread`() async throws {
    let words = CacheRepository(WordSource(), ledger: ledger)
    try CacheRepository.testing.initState(repository: words, requirements: "words") {
      $0.cacheEmpty()
    }
    #expect(try await words.value(from: .cache) == [])
  }

  @Test func `An age that the source cannot have is refused`() async throws {
    let words = repository(WordSource(maxAge: .zero))
    let refused = await #expect(
      throws: InitialStateError.agesExclude(wish: "not too old", source: "WordSource")
    ) {
      try await put(words) { $0.cache(["a"]) { $0.cacheNotTooOld() } }
    }
    #expect(
      refused?.description
        == "WordSource can never have a cache that is not too old, because of its maximum ages; "
        + "use lastFetched(_:), or give the source other ages.")
    #expect(try await ledger.record(for: "words") == nil)
    let odd = repository(WordSource(maxAge: .seconds(90), maxUsableAge: .seconds(60)))
    let excluded = await #expect(throws: InitialStateError.self) {
      try await put(odd) { $0.cache(["a"]) { $0.cacheTooOld() } }
    }
    #expect(
      excluded?.description
        == "WordSource can never have a cache that is too old and still shown, because of its "
        + "maximum ages; use lastFetched(_:), or give the source other ages.")
    // Just now is an age that every source can have, whether it is fresh or not.
    try await put(words) { $0.cache(["a"]) { $0.justFetched() } }
    #expect(try await ledger.record(for: "words")?.fetchedAt == clock.date)
    #expect(try await words.source.readCache("words") == ["a"])
  }

  @Test func `An empty cache of any type is one whose data were deleted`() async throws {
    let numbers = CacheRepository(NumberSource(deletes: true), ledger: ledger, clock: clock)
    for wish in [3, 0] {
      try CacheRepository.testing.initState(repository: numbers, requirements: "number") {
        $0.cache(wish)
      }
      #expect(try await numbers.value(from: .cache) == wish)
    }
    try CacheRepository.testing.initState(repository: numbers, requirements: "number") {
      $0.cacheEmpty()
    }
    var states = numbers.observe().makeAsyncIterator()
    #expect(
      try await states.next()
        == CacheState(.cache(nil, fetchedAt: clock.date), tag: "number", freshness: .fresh))
    let stubborn = CacheRepository(NumberSource(deletes: false), ledger: InMemoryFetchLedger())
    stubborn.requirements = "number"
    try await stubborn.update(3)
    let refused = await #expect(
      throws: InitialStateError.noEmptyCache(source: "NumberSource")
    ) {
      try await CacheRepository.testing.initStateAsync(
        repository: stubborn, requirements: "number"
      ) { $0.cacheEmpty() }
    }
    #expect(
      refused?.description
        == "NumberSource still has data after its cache was deleted; use cache(_:) with a value "
        + "that counts as empty.")
  }

  @Test(arguments: [false, true])
  func `What the source throws is thrown, and what is left is what is shown`(
    isAsync: Bool
  )
    async throws
  {
    let words = repository(WordSource(automaticallyRefresh: false))
    try await put(words, isAsync: isAsync) { $0.cache(["a"]) }
    var states = words.observe().makeAsyncIterator()
    #expect(await states.next()?.cache == ["a"])
    words.source.failNextWrite()
    await #expect(throws: Refused.self) {
      try await put(words, isAsync: isAsync) { $0.cache(["b"]) }
    }
    // As after a launch, what is left is read and shown again.
    #expect(await states.next()?.cache == ["a"])
    #expect(try await words.value(from: .cache) == ["a"])
    words.source.failNextWrite()
    await #expect(throws: Refused.self) { try await put(words, isAsync: isAsync) { $0.noCache() } }
    #expect(await states.next() == CacheState(.noCache, tag: "words"))
    await #expect(throws: CacheError.noCache(tag: "words")) { try await words.value(from: .cache) }
  }

  @Test func `Everything is cleared, and who observes is told`() async throws {
    let words = repository(WordSource(automaticallyRefresh: false))
    try await put(words) { $0.cache(["a"]) }
    var states = words.observe().makeAsyncIterator()
    #expect(await states.next()?.cache == ["a"])
    try CacheTesting.clearAll(in: [ledger])
    #expect(await states.next() == CacheState(.noCache, tag: "words"))
    try await put(words) { $0.cache(["b"]) }
    #expect(await states.next()?.cache == ["b"])
    try await CacheTesting.clearAllAsync(in: [ledger])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }
}
