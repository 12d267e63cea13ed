import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct CacheDataSourceMockTests {
  private typealias Mock = CacheDataSourceMock<[String], CacheTag>

  private func repository<Source: CacheDataSource>(_ mock: Source) -> CacheRepository<Source>
  where Source.Requirements == CacheTag {
    let words = CacheRepository(mock, ledger: InMemoryFetchLedger())
    words.requirements = "words"
    return words
  }

  @Test func `A repository over the mock fetches, saves and shows what the closure gives`()
    async throws
  {
    let mock = Mock(maxAge: .seconds(60)) { ["\($0.tag) a"] }
    let words = repository(mock)
    var states = words.observe().makeAsyncIterator()
    var state = await states.next()
    while state?.cache == nil { state = await states.next() }
    #expect(state?.cache == ["words a"])
    #expect(mock.calls == [.fetch("words"), .save(["words a"], "words")])
    #expect(mock.held("words") == ["words a"])
    mock.send(["b"], requirements: "words")
    while state?.cache != ["b"] { state = await states.next() }
    #expect(state?.cache == ["b"])
  }

  @Test func `What a closure throws in a save is the failure of the refresh`() async throws {
    let mock = Mock { _ in
      ["a"]
    } onCall: { call in
      if case .save = call { throw Refused() }
    }
    let words = repository(mock)
    #expect(try await words.refresh() == .failed(Refused()))
    #expect(mock.held("words") == nil)
  }

  @Test func `A fetch waits until the test lets it go`() async throws {
    let gate = Gate()
    let mock = Mock { _ in
      try await gate.pass()
      return ["a"]
    }
    let words = repository(mock)
    async let value = words.value()
    await gate.arrivals(1)
    #expect(mock.calls == [.fetch("words")])
    gate.letOneThrough()
    #expect(try await value == ["a"])
    try await words.clear()
    #expect(mock.calls.last == .delete("words"))
    #expect(mock.held("words") == nil)
  }

  @Test func `A cache that is no collection is never empty`() async throws {
    let mock = CacheDataSourceMock<Int, CacheTag> { _ in 0 }
    #expect(try await repository(mock).value() == 0)
    #expect(!mock.isCacheEmpty(0, requirements: "words"))
  }

  @Test func `Setting requirements fetches nothing while nobody observes`() async throws {
    let mock = Mock { _ in ["a"] }
    let words = repository(mock)
    words.requirements = "others"
    #expect(await words.valueIfAvailable(from: .cache) == nil)
    #expect(mock.calls.isEmpty)
    var states = words.observe().makeAsyncIterator()
    while await states.next()?.cache == nil {}
    #expect(mock.calls.first == .fetch("others"))
  }

  @Test func `A mock is set as a source is, and shows what its test sends`() async throws {
    let mock = Mock(
      maxAge: .seconds(60), maxUsableAge: .seconds(90), automaticallyRefresh: false
    ) { _ in [] }
    #expect(mock.maxAge == .seconds(60))
    #expect(mock.maxUsableAge == .seconds(90))
    #expect(!mock.automaticallyRefresh)
    #expect(mock.isCacheEmpty([], requirements: "words"))
    var values = mock.observeCache("words").makeAsyncIterator()
    mock.send(["a"], requirements: "numbers")
    mock.send(["b"], requirements: "words")
    #expect(try await values.next() == ["b"])
  }
}
