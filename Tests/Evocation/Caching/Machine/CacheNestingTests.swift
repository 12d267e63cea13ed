import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationValues

/// Fetches that ask for the cache that they fetch.
@Suite(.patient) struct CachingNestingTests {
  /// What is done inside a fetch with the repository that fetches, or another.
  private typealias Inside = @Sendable (CacheRepository<FakeSource>) async throws -> Void

  private final class Holder: Sendable {
    let repository = Lock<CacheRepository<FakeSource>?>(nil)
    let inside = Lock<Inside?>(nil)
    let values = Lock<[[String]]>([])
    let errors = Lock<[any Error]>([])

    func run() async {
      guard let inside = inside.withLock({ $0 }), let repository = repository.withLock({ $0 })
      else { return }
      do { try await inside(repository) } catch { errors.withLock { $0.append(error) } }
    }

    func note(_ value: [String]) { values.withLock { $0.append(value) } }
    func note(_ result: RefreshResult) {
      if case .failed(let error) = result { errors.withLock { $0.append(error) } }
    }
  }

  private let bench = CacheBench()
  private let holder = Holder()

  private func source(maxAge: Duration? = .seconds(60)) -> FakeSource {
    FakeSource(maxAge: maxAge, automaticallyRefresh: false) { [holder] count in
      await holder.run()
      return ["v\(count)"]
    }
  }

  /// A repository whose fetches ask another of the same tag.
  private func nested(_ source: FakeSource) -> CacheRepository<FakeSource> {
    let other = bench.repository(source)
    holder.repository.withLock { $0 = other }
    return bench.repository(source)
  }

  private var told: [CacheError] { holder.errors.withLock { $0.compactMap { $0 as? CacheError } } }

  @Test func `Inside a fetch what is there is given, stale or not, and nothing is waited for`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let repository = nested(source())
    #expect(try await repository.refresh() == .successful)
    bench.clock.advance(by: .seconds(61))
    holder.inside.withLock {
      $0 = { [holder] repository in
        holder.note(try await repository.value(from: .cache))
        holder.note(try await repository.value())
      }
    }
    #expect(try await repository.refresh() == .successful)
    #expect(holder.values.withLock { $0 } == [["v1"], ["v1"]])
    #expect(told == [])
    #expect(try await repository.value() == ["v2"])
  }

  @Test func `Inside a fetch what would wait for it is refused, and the tag lives on`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let repository = nested(source())
    let insides: [Inside] = [
      { [holder] in holder.note(try await $0.refresh()) },
      { [holder] in holder.note(try await $0.refresh(force: true)) },
      { [holder] in holder.note(try await $0.refreshIfNoCache()) },
      { [holder] in holder.note(try await $0.value(from: .origin)) },
      { [holder] in holder.note(try await $0.value()) },
    ]
    for (number, inside) in insides.enumerated() {
      holder.inside.withLock { $0 = inside }
      try await repository.clear()
      #expect(try await repository.refresh() == .successful, "\(number)")
      #expect(told.count == number + 1)
    }
    #expect(Set(told) == [.nestedFetch(tag: "words")])
    holder.inside.withLock { $0 = { await $0.validate() } }
    #expect(try await repository.refresh(force: true) == .successful)
    let text = "\(try #require(told.first))"
    #expect(text.contains("inside its own fetch"), "\(text)")
  }

  @Test(arguments: ["one", "two"])
  func `Two caches whose fetches ask each other end, whichever begins`(
    _ first: String
  )
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let source = TwoWords()
    func repository(_ tag: String) -> CacheRepository<TwoWords> {
      let repository = CacheRepository(source, ledger: bench.ledger, clock: bench.clock)
      repository.requirements = CacheTag(tag)
      return repository
    }
    let (one, two) = (repository("one"), repository("two"))
    source.repositories.withLock { $0 = ["one": one, "two": two] }
    // One asks the other, whose fetch asks the one.
    let begins = first == "one" ? one : two
    #expect(try await begins.value() == [first, first == "one" ? "two" : "one"])
    #expect(try await one.refresh(force: true) == .successful)
    #expect(try await two.refresh(force: true) == .successful)
    source.repositories.withLock { $0 = [:] }
  }

  @Test func `A fetch that reads a cache that others fetch is not refused`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let gate = Gate()
    let inner = FakeSource { count in
      try await gate.pass()
      return ["inner"]
    }
    let read = bench.repository(inner, "inner")
    let began = Gate.Counter()
    let outer = FakeSource { _ in
      began.increase()
      return try await read.value() + ["outer"]
    }
    let repository = bench.repository(outer, "outer")
    async let reading = read.value()
    await gate.arrivals(1)
    async let fetching = repository.value()
    await began.reach(1)
    gate.open()
    #expect(try await fetching == ["inner", "outer"])
    #expect(try await reading == ["inner"])
  }

  @Test func `A cancelled caller of a fetch that asks for itself frees the tag`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let gate = Gate()
    let repository = nested(source())
    holder.inside.withLock {
      $0 = { repository in
        _ = try await repository.refresh(force: true)
        try await gate.pass()
      }
    }
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    refreshing.cancel()
    #expect(try await refreshing.value == .skipped(.cancelled))
    holder.inside.withLock { $0 = nil }
    #expect(try await repository.refresh() == .successful)
  }
}

/// A source of two tags, each of which reads the other in its fetch.
private final class TwoWords: CacheDataSource {
  let repositories = Lock<[String: CacheRepository<TwoWords>]>([:])
  let automaticallyRefresh = false
  private let words = Lock<[String: [String]]>([:])

  func fetchFreshCache(_ requirements: CacheTag) async throws -> [String] {
    let other = requirements.tag == "one" ? "two" : "one"
    let repository = repositories.withLock { $0[other] }
    // What the other cannot give without this one is left out.
    let read = await repository?.valueIfAvailable() ?? []
    return [requirements.tag] + read.filter { $0 == other }
  }

  func saveCache(_ fetched: [String], requirements: CacheTag) async throws {
    words.withLock { $0[requirements.tag] = fetched }
  }

  func readCache(_ requirements: CacheTag) async throws -> [String]? {
    words.withLock { $0[requirements.tag] }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { $0.yield([]) }
  }
}
