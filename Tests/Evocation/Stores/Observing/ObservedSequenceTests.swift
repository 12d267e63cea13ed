import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// What is observed is asked one by one; that these lines have no `try` is what is tested.
@Suite(.patient) struct ObservedSequenceTests {
  private struct Word: Codable, Identifiable, Hashable, Sendable {
    let id: Int
  }

  private let evocation = Evocation()

  init() {
    evocation.register(for: Word.self).strategy(.default())
      .repository(remote: InMemoryRepository([Word(id: 1)]))
      .repository(local: InMemoryRepository([Word(id: 1)]))
  }

  private func cache() async throws -> CacheRepository<ProxyCacheDataSource<Word>> {
    let words = evocation.cache(Word.self)
    words.requirements = Criteria()
    try await words.refresh()
    return words
  }

  @Test func `The answers to a question are asked for without try`() async {
    var results = evocation.observe(model: Word.self).makeAsyncIterator()
    let first = await results.next()
    #expect(first?.data == [Word(id: 1)])
  }

  @Test func `The states of a cache, as they are and converted, are asked for without try`()
    async throws
  {
    let words = try await cache()
    var states = words.observe().makeAsyncIterator()
    let first = await states.next()
    #expect(first?.cache == [Word(id: 1)])
    var converted = words.observe().convert { $0?.count }.makeAsyncIterator()
    #expect(await converted.next()?.cache == 1)
    let some: any CacheProviding<ProxyCacheDataSource<Word>> = words
    var opened = some.observe().makeAsyncIterator()
    #expect(await opened.next()?.cache == [Word(id: 1)])
  }

  @Test func `The states of several caches are asked for without try`() async throws {
    let words = try await cache()
    var pairs = words.observe().combine(words.observe()) { $0 + $1 }.makeAsyncIterator()
    #expect(await pairs.next()?.cache?.count == 2)
    var five = words.observe()
      .combine(words.observe(), words.observe(), words.observe(), words.observe()) {
        $0 + $1 + $2 + $3 + $4
      }
      .makeAsyncIterator()
    #expect(await five.next()?.cache?.count == 5)
    let loading = words.observe().map(\.loadingState)
    var counts = loading.mapContent { $0.count }.combine(loading) { $0 + $1.count }
      .makeAsyncIterator()
    #expect(await counts.next()?.content == 2)
  }

  @Test func `The states of a list are asked for without try`() async throws {
    let list = evocation.pagingCache(Word.self, pageSize: 1)
    list.requirements = Criteria()
    try await list.refresh()
    var states = list.observe().makeAsyncIterator()
    #expect(await states.next()?.cache?.cache == [Word(id: 1)])
  }

  @Test func `What a mock shows is asked for without try`() async {
    let words = CacheRepositoryMock<ProxyCacheDataSource<Word>>()
    words.send(CacheState(.noCache, tag: "words"))
    var states = words.observe().makeAsyncIterator()
    #expect(await states.next()?.tag == "words")
    let list = PagingCacheRepositoryMock<ProxyPagingCacheDataSource<Word>>()
    list.send(CacheState(.noCache, tag: "list"))
    var listed = list.observe().makeAsyncIterator()
    #expect(await listed.next()?.tag == "list")
  }

  @Test func `Any sequence that never fails can be made one, and ends with its own end`() async {
    let numbers = AsyncStream { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    var iterator = numbers.observed().makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == nil)
  }

  @Test func `A copy of an iterator goes on where the other is`() async {
    let elements = ObservedElements {
      let count = Lock(0)
      return { count.withLock(Self.next) }
    }
    var numbers = elements.makeAsyncIterator()
    var copy = numbers
    #expect(await [numbers.next(), copy.next(), numbers.next()] == [1, 2, 3])
    // The only result is an error.
    var results = evocation.observe(model: Int.self).makeAsyncIterator()
    var others = results
    #expect(await results.next()?.error != nil)
    #expect(await others.next() == nil)
    let reads = Lock(0)
    var counts = OutboxObservation(outbox: evocation.outbox) { outbox in
      outbox.changes.tell(())
      return reads.withLock(Self.next) / 3
    }.makeAsyncIterator()
    var later = counts
    #expect(await [counts.next(), later.next()] == [0, 1])
  }

  private static func next(_ number: inout Int) -> Int {
    number += 1
    return number
  }

  @Test @MainActor func `An iterator runs where it is asked`() async throws {
    let words = try await cache()
    var states = words.observe().convert { cache -> Int? in
      MainActor.preconditionIsolated()
      return cache?.count
    }.makeAsyncIterator()
    #expect(await states.next()?.cache == 1)
  }
}
