import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct CacheDataSourceMockTests {
  private typealias Mock = CacheDataSourceMock<[String], CacheTag, [String]>

  private let mock = Mock(maxAge: .seconds(60))

  private func repository() -> CacheRepository<Mock> {
    let words = CacheRepository(mock, ledger: InMemoryFetchLedger())
    words.requirements = "words"
    return words
  }

  @Test func `A repository over the mock fetches, saves and shows what the closure gives`()
    async throws
  {
    mock.closures.fetchFreshCache = { ["\($0.tag) a"] }
    let words = repository()
    var states = words.observe().makeAsyncIterator()
    var state = await states.next()
    while state?.cache == nil { state = await states.next() }
    #expect(state?.cache == ["words a"])
    #expect(mock.calls.fetchFreshCache.invocations == ["words"])
    #expect(mock.calls.saveCache.invocations.map(\.0) == [["words a"]])
    #expect(mock.held("words") == ["words a"])
    mock.send(["b"], requirements: "words")
    while state?.cache != ["b"] { state = await states.next() }
    #expect(state?.cache == ["b"])
  }

  @Test func `A fetch without a closure fails with a sentence, and is told at once`() async throws {
    let told = Lock<[MockFailure]>([])
    let mock = Mock { failure in told.withLock { $0.append(failure) } }
    let words = CacheRepository(mock, ledger: InMemoryFetchLedger())
    words.requirements = "words"
    let result = try await words.refresh()
    let sentence =
      "CacheDataSourceMock<Array<String>, CacheTag, Array<String>> has no answer for "
      + "fetchFreshCache(_:); set closures.fetchFreshCache."
    guard case .failed(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect("\(error)" == sentence)
    #expect(mock.failures.map(\.description) == [sentence])
    #expect(told.withLock { $0 } == mock.failures)
    mock.resetCalls()
    #expect(mock.failures.isEmpty && !mock.calls.called)
  }

  @Test func `What a closure throws in a save is the failure of the refresh`() async throws {
    mock.closures.fetchFreshCache = { _ in ["a"] }
    mock.closures.saveCache = { _, _ in throw Refused() }
    let words = repository()
    #expect(try await words.refresh() == .failed(Refused()))
    #expect(mock.held("words") == nil)
  }

  @Test func `A fetch waits until the test lets it go`() async throws {
    let gate = Gate()
    mock.closures.fetchFreshCache = { _ in
      try await gate.pass()
      return ["a"]
    }
    let words = repository()
    async let value = words.value()
    await gate.arrivals(1)
    #expect(mock.calls.fetchFreshCache.callsCount == 1)
    #expect(!mock.calls.saveCache.called)
    gate.letOneThrough()
    #expect(try await value == ["a"])
    try await words.clear()
    #expect(mock.calls.deleteCache.invocations == ["words"])
    #expect(mock.held("words") == nil)
  }

  @Test func `What is observed of another type than the fetched has to be answered`() async throws {
    let mock = CacheDataSourceMock<Int, CacheTag, [String]>()
    mock.closures.fetchFreshCache = { _ in ["a", "b"] }
    let count = CacheRepository(mock, ledger: InMemoryFetchLedger())
    count.requirements = "count"
    #expect(try await count.refresh() == .successful)
    await #expect(throws: (any Error).self) { try await count.value() }
    #expect(mock.failures.map(\.closure).contains("closures.observeCache"))
    mock.closures.observeCache = { _ in
      AsyncThrowingStream {
        $0.yield(2)
        $0.finish()
      }
    }
    #expect(try await count.value() == 2)
  }

  @Test func `Setting requirements fetches nothing while nobody observes`() async throws {
    mock.closures.fetchFreshCache = { _ in ["a"] }
    let words = repository()
    words.requirements = "others"
    #expect(await words.valueIfAvailable(from: .cache) == nil)
    #expect(!mock.calls.fetchFreshCache.called)
    var states = words.observe().makeAsyncIterator()
    while await states.next()?.cache == nil {}
    #expect(mock.calls.fetchFreshCache.invocations == ["others"])
  }

  @Test func `A mock is set as a source is, and can end what is observed with an error`()
    async throws
  {
    #expect(mock.maxAge == .seconds(60))
    #expect(mock.automaticallyRefresh)
    mock.maxAge = nil
    mock.maxUsableAge = .seconds(1)
    mock.automaticallyRefresh = false
    #expect(mock.maxAge == nil)
    #expect(mock.maxUsableAge == .seconds(1))
    #expect(!mock.automaticallyRefresh)
    mock.closures.isCacheEmpty = { cache, _ in cache == ["none"] }
    #expect(mock.isCacheEmpty(["none"], requirements: "words"))
    var values = mock.observeCache("words").makeAsyncIterator()
    mock.send(["a"], requirements: "numbers")
    mock.send(["b"], requirements: "words")
    #expect(try await values.next() == ["b"])
    mock.finish("words", throwing: Refused())
    await #expect(throws: Refused.self) { try await values.next() }
    #expect(await mock.observations(1))
  }
}
