import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Several sequences of states as one.
@Suite(.patient) struct CachingCombiningTests {
  private typealias Face = LoadingState<[String]>

  private func face(_ words: String...) -> Face {
    .completed(content: words, next: .noMorePages, previous: .noMorePages)
  }

  @Test func `Two caches are one sequence, from when both are known`() async throws {
    let bench = CacheBench()
    let (left, right) = (FakeSource(), FakeSource(automaticallyRefresh: false))
    let one = try await bench.fetched(left)
    let other = bench.repository(right, nil)
    var watch = Watch(one.observe().combine(other.observe()) { $0 + $1 })
    other.requirements = "others"
    #expect(await watch.next() == "no")
    try await other.update(["b"])
    #expect(await watch.next() == "yes/v1 b")
    left.write(["a"])
    #expect(await watch.next() == "yes/a b")
    #expect(try await one.refresh(force: true) == .successful)
    #expect(await watch.next(2) == ["yes/a b/refreshing", "yes/v2 b/just refreshed"])
    right.write(["c"], tag: "others")
    // That the other has just been refreshed is not said twice.
    #expect(await watch.next() == "yes/v2 c")
  }

  @Test func `The sequence ends when both have ended`() async throws {
    let (one, end) = AsyncStream.makeStream(of: CacheState<[String]>.self)
    let (other, otherEnd) = AsyncStream.makeStream(of: CacheState<[String]>.self)
    var watch = Watch(one.combine(other) { $0 + $1 })
    let date = Date(timeIntervalSinceReferenceDate: 0)
    end.yield(CacheState(.cache(["a"], fetchedAt: date)))
    otherEnd.yield(CacheState(.cache(["b"], fetchedAt: date)))
    #expect(await watch.next().hasPrefix("yes/a b"))
    end.finish()
    otherEnd.yield(CacheState(.cache(["c"], fetchedAt: date)))
    #expect(await watch.next().hasPrefix("yes/a c"))
    otherEnd.finish()
    #expect(await watch.next() == "end")
  }

  @Test func `Combined sequences keep their repositories until nobody reads them`() async throws {
    let bench = CacheBench()
    var one: CacheRepository<FakeSource>? = try await bench.fetched(FakeSource())
    var other: CacheRepository<FakeSource>? = bench.repository(FakeSource(), "others")
    try await other?.update(["b"])
    weak let kept = one
    weak let keptToo = other
    var watch: Watch? = Watch(
      try #require(one).observe().combine(try #require(other).observe()) { $0 + $1 })
    (one, other) = (nil, nil)
    #expect(await watch?.next() == "yes/v1 b")
    watch = nil
    try await eventually("both to go") { kept == nil && keptToo == nil }
  }

  @Test func `Three to five caches are one sequence`() async throws {
    let bench = CacheBench()
    let repositories = (0..<5).map { bench.repository(FakeSource(), .init(tag: "\($0)")) }
    for (number, repository) in repositories.enumerated() {
      try await repository.update(["\(number)"])
    }
    let states = repositories.map { $0.observe() }
    var three = Watch(states[0].combine(states[1], states[2]) { joined($0, $1, $2) })
    #expect(await three.next() == "yes/0 1 2")
    var four = Watch(states[0].combine(states[1], states[2], states[3]) { joined($0, $1, $2, $3) })
    #expect(await four.next() == "yes/0 1 2 3")
    var five = Watch(
      states[0].combine(states[1], states[2], states[3], states[4]) { joined($0, $1, $2, $3, $4) })
    #expect(await five.next() == "yes/0 1 2 3 4")
    try await repositories[4].update(["x"])
    #expect(await five.next() == "yes/0 1 2 3 x")
    // An optimised build lets go of an array after its last use, and observing ends with a repository.
    withExtendedLifetime(repositories) {}
  }

  @Test func `A sequence of states can be given other content`() async throws {
    let bench = CacheBench()
    let repository = try await bench.fetched(FakeSource())
    var watch = Watch(repository.observe().convert { $0.map { $0 + ["more"] } })
    #expect(await watch.next() == "yes/v1 more")
  }

  @Test func `Loading states are combined and mapped alike`() async throws {
    let (left, putLeft) = AsyncStream<Face>.makeStream()
    let (right, putRight) = AsyncStream<Face>.makeStream()
    let both = left.combine(right) { $0 + $1 }.mapContent(\.count)
    var watch = Watch(both)
    putLeft.yield(.loading(content: nil))
    putRight.yield(face("b"))
    #expect(await watch.state() == .loading(content: nil))
    putLeft.yield(face("a"))
    #expect(
      await watch.state() == .completed(content: 2, next: .noMorePages, previous: .noMorePages))
    putRight.yield(.error(Trouble.fetching, content: ["b"]))
    #expect(await watch.state() == .error(Trouble.fetching, content: 2))
    putLeft.finish()
    putRight.finish()
    #expect(await watch.state() == nil)
  }

  @Test func `Three to five loading states are one`() async throws {
    func one(_ word: String) -> AsyncStream<Face> {
      let (stream, put) = AsyncStream<Face>.makeStream()
      put.yield(face(word))
      put.finish()
      return stream
    }
    var three = Watch(one("a").combine(one("b"), one("c")) { joined($0, $1, $2) })
    #expect(await three.state() == face("a", "b", "c"))
    var four = Watch(one("a").combine(one("b"), one("c"), one("d")) { joined($0, $1, $2, $3) })
    #expect(await four.state() == face("a", "b", "c", "d"))
    var five = Watch(
      one("a").combine(one("b"), one("c"), one("d"), one("e")) { joined($0, $1, $2, $3, $4) })
    #expect(await five.state() == face("a", "b", "c", "d", "e"))
    #expect(await five.state() == nil)
  }

  @Test func `One that ends before it gave anything ends the whole`() async throws {
    let (left, putLeft) = AsyncStream<Face>.makeStream()
    let (right, _) = AsyncStream<Face>.makeStream()
    putLeft.finish()
    var watch = Watch(left.combine(right) { $0 + $1 })
    #expect(await watch.state() == nil)
  }

  @Test func `Who reads too slowly is given the last pair`() async throws {
    let (left, putLeft) = AsyncStream<Face>.makeStream()
    let (right, putRight) = AsyncStream<Face>.makeStream()
    var watch = Watch(left.combine(right) { $0 + $1 })
    putLeft.yield(face("a"))
    putRight.yield(face("0"))
    #expect(await watch.state() == face("a", "0"))
    for number in 1...2_000 { putRight.yield(face("\(number)")) }
    putLeft.finish()
    putRight.finish()
    var last: Face?
    while let state = await watch.state() { last = state }
    #expect(last == face("a", "2000"))
  }
}
