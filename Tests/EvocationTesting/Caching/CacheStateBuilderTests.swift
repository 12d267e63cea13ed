import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct CacheStateBuilderTests {
  private let tag: CacheTag = "words"
  private let clock = ManualClock()

  private func repository(_ source: WordSource) -> CacheRepository<WordSource> {
    let repository = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    repository.requirements = tag
    return repository
  }

  private func noCache(
    _ more: (CacheStateBuilder<[String], Never>) -> CacheStateBuilder<[String], Never> = { $0 }
  ) -> CacheState<[String]> {
    CacheState.testing.noCache(requirements: tag, more)
  }

  private func cache(
    _ date: Date,
    _ more: (CacheStateBuilder<[String], Date>) -> CacheStateBuilder<[String], Date>
  ) -> CacheState<[String]> {
    CacheState.testing.cache(requirements: tag, lastTimeFetched: date, more)
  }

  @Test func `A built state equals what a repository shows in that situation`() async throws {
    let source = WordSource { number in
      switch number {
      case 1: ["a"]
      case 2: ["b"]
      case 3: throw Refused()
      default: []
      }
    }
    let cars = repository(source)
    var states = cars.observe().makeAsyncIterator()
    #expect(await states.next() == noCache())
    #expect(await states.next() == noCache { $0.fetchingFirstTime() })
    let first = clock.date
    #expect(
      await states.next() == noCache { $0.successfulFirstFetch(["a"], timeFetched: first) })
    clock.advance(by: .seconds(5))
    #expect(try await cars.refresh(force: true) == .successful)
    #expect(await states.next() == cache(first) { $0.cache(["a"]).fetching() })
    let second = clock.date
    #expect(await states.next() == cache(second) { $0.successfulFetch().cache(["b"]) })
    clock.advance(by: .seconds(5))
    #expect(try await cars.refresh(force: true) == .failed(Refused()))
    #expect(await states.next() == cache(second) { $0.fetching().cache(["b"]) })
    let failed = cache(second) { $0.failedFetch(Refused()).cache(["b"]) }
    #expect(await states.next() == failed)
    var later = cars.observe().makeAsyncIterator()
    #expect(await later.next() == failed)
    #expect(try await cars.refresh(force: true) == .successful)
    #expect(await states.next() == cache(second) { $0.cache(["b"]).fetching() })
    #expect(
      await states.next()
        == cache(first) { $0.cacheEmpty().successfulFetch(timeFetched: clock.date) })
    #expect(try await cars.refresh(force: true) == .successful)
    #expect(await states.next() == cache(clock.date) { $0.fetching() })
  }

  @Test func `A first fetch that failed is shown as built, at once and later`() async throws {
    let cars = repository(WordSource(automaticallyRefresh: false) { _ in throw Refused() })
    var states = cars.observe().makeAsyncIterator()
    #expect(await states.next() == noCache())
    #expect(try await cars.refresh() == .failed(Refused()))
    #expect(await states.next() == noCache { $0.fetchingFirstTime() })
    #expect(await states.next() == noCache { $0.failedFirstFetch(Refused()) })
    var later = cars.observe().makeAsyncIterator()
    #expect(await later.next() == noCache { $0.seenLater().failedFirstFetch(Refused()) })
  }

  @Test func `A cache in each of its windows is shown as built`() async throws {
    let source = WordSource(
      maxAge: .seconds(10), maxUsableAge: .seconds(20), automaticallyRefresh: false)
    let cars = repository(source)
    let date = clock.date
    try await cars.update(["a"])
    var fresh = cars.observe().makeAsyncIterator()
    #expect(await fresh.next() == cache(date) { $0.cache(["a"]) })
    clock.advance(by: .seconds(11))
    var stale = cars.observe().makeAsyncIterator()
    #expect(
      await stale.next() == cache(date) { $0.cacheTooOld().cache(["a"]).age(.seconds(11)) })
    clock.advance(by: .seconds(11))
    var old = cars.observe().makeAsyncIterator()
    #expect(await old.next() == noCache { $0.cacheTooOldToShow() })
  }

  @Test func `The order in which a state is built says nothing`() {
    let date = clock.date
    typealias Step = (CacheStateBuilder<[String], Date>) -> CacheStateBuilder<[String], Date>
    let steps: [Step] = [
      { $0.cache(["a"]) }, { $0.fetching() }, { $0.failedFetch(Refused()) },
      { $0.successfulFetch(timeFetched: date + 1) }, { $0.cacheTooOld() },
    ]
    let expected = CacheState(
      .cache(["a"], fetchedAt: date + 1), tag: "words", isRefreshing: true,
      justFinishedSuccessfulRefresh: true, refreshError: Refused(), freshness: .stale)
    for order in permutations(steps.indices.map(\.self)) {
      let state = cache(date) { builder in order.reduce(builder) { steps[$1]($0) } }
      #expect(state == expected, "\(order)")
    }
    #expect(
      noCache { $0.cacheTooOld().seenLater().successfulFirstFetch(timeFetched: date) }
        == cache(date) { $0.cacheTooOld() })
  }

  @Test func `A state may be built by its tag, or without`() {
    let state: CacheState<Int> = CacheState.testing.noCache(tag: "car?1")
    #expect(state == CacheState(.noCache, tag: "car?1"))
    let other: CacheState<Int> = .testing.cache(tag: nil, lastTimeFetched: clock.date)
    #expect(other == CacheState(.cache(nil, fetchedAt: clock.date), freshness: .fresh))
  }

  @Test func `States are equal when content, flags, tag and errors are`() {
    struct Other: Error, CustomStringConvertible { let description: String }
    let date = clock.date
    let state = cache(date) { $0.cache(["a"]).failedFetch(Other(description: "x")) }
    #expect(state == cache(date) { $0.failedFetch(Other(description: "x")).cache(["a"]) })
    #expect(
      state
        == cache(date) {
          $0.age(.seconds(1)).cache(["a"]).failedFetch(Other(description: "x"))
        })
    let unlike: [CacheState<[String]>] = [
      cache(date) { $0.cache(["b"]).failedFetch(Other(description: "x")) },
      cache(date) { $0.cacheEmpty().failedFetch(Other(description: "x")) },
      cache(date + 1) { $0.cache(["a"]).failedFetch(Other(description: "x")) },
      cache(date) { $0.cache(["a"]).failedFetch(Other(description: "y")) },
      cache(date) { $0.cache(["a"]).failedFetch(Refused()) },
      cache(date) { $0.cache(["a"]) },
      cache(date) { $0.cache(["a"]).failedFetch(Other(description: "x")).fetching() },
      cache(date) { $0.cache(["a"]).failedFetch(Other(description: "x")).successfulFetch() },
      cache(date) { $0.cache(["a"]).failedFetch(Other(description: "x")).cacheTooOld() },
      CacheState.testing.cache(tag: "other", lastTimeFetched: date) {
        $0.cache(["a"]).failedFetch(Other(description: "x"))
      },
      noCache { $0.failedFetch(Other(description: "x")) },
    ]
    for other in unlike { #expect(state != other) }
  }

  private func permutations(_ numbers: [Int]) -> [[Int]] {
    guard numbers.count > 1 else { return [numbers] }
    return numbers.flatMap { first in
      permutations(numbers.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
