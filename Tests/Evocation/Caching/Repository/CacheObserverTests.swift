import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// What those who observe a cache are not shown, and when they begin and end.
@Suite(.patient) struct CachingObserverTests {
  private let bench = CacheBench()
  private let first = ["no", "no/refreshing for the first time"]

  @Test func `An error of observing is shown, and observing is tried again`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    source.observing = .failure
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no/reading, error observing")
    source.observing = .words
    bench.clock.advance(by: .seconds(1))
    #expect(await watch.next() == "yes/v1")
    #expect(source.fetches == 1)
  }

  @Test func `Equal requirements change nothing`() async throws {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == first)
    repository.requirements = "words"
    await gate.arrivals(1)
    gate.open()
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
    #expect(source.fetches == 1)
  }

  @Test func `Not read yet and empty are told apart`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    source.observing = .never
    let states = repository.observe()
    let watching = Task {
      var watch = Watch(states)
      let reading = await watch.next()
      // What is written before it is observed, or before that state is shown, would not come after it.
      await source.observed.reach(1)
      source.write([])
      return [reading, await watch.next()]
    }
    await bench.clock.sleeps(1)
    bench.clock.advance(by: .seconds(1))
    #expect(await watching.value == ["yes/nil/reading", "yes/nil"])
  }

  @Test func `Fetching begins with the first iteration, not with the sequence`()
    async throws
  {
    let source = FakeSource()
    let repository = bench.repository(source)
    let states = repository.observe()
    #expect(try await repository.refreshIfNoCache() == .successful)
    #expect(source.observations == 0)
    var watch = Watch(states)
    #expect(await watch.next() == "yes/v1")
    #expect(source.fetches == 1)
    #expect(source.observations == 1)
  }

  @Test func `One who comes after all others have left is shown each change`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    do {
      var watch = Watch(repository.observe())
      #expect(await watch.next() == "yes/v1")
    }
    source.write(["v2"])
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v2")
    source.write(["v1"])
    #expect(await watch.next() == "yes/v1")
  }

  @Test func `A callback is called with each state until the observation ends`() async throws {
    let source = FakeSource()
    let repository = bench.repository(source)
    let (states, seen) = AsyncStream<String>.makeStream()
    let observation = repository.observe { seen.yield($0.words) }
    var iterator = states.makeAsyncIterator()
    var words: [String] = []
    for _ in 0..<3 { words.append(try #require(await iterator.next())) }
    #expect(words == first + ["yes/v1/just finished the first fetch, just refreshed"])
    observation.cancel()
  }

  @Test func `Observing ends with the task`() async throws {
    let repository = bench.repository(FakeSource(), nil)
    let states = repository.observe()
    let watching = Task {
      var watch = Watch(states)
      return await watch.next()
    }
    watching.cancel()
    #expect(await watching.value == "end")
  }
}
