import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// A cache that the app alone fills.
@Suite(.patient) struct CachingLocalTests {
  /// A name in memory.
  private final class NameSource: LocalCacheDataSource {
    private let words = FakeSource()

    func saveCache(_ cache: String, requirements: CacheTag) async throws {
      words.write([cache])
    }

    func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
      let words = words.observeCache("words")
      return AsyncThrowingStream { continuation in
        let task = Task {
          for try await word in words { continuation.yield(word.first ?? "") }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    func deleteCache(_ requirements: CacheTag, keeping others: [CacheTag]) async throws {
      words.write([])
    }

    func isCacheEmpty(_ cache: String, requirements: CacheTag) -> Bool { cache.isEmpty }
  }

  private let repository = CacheRepository(
    NameSource(), ledger: InMemoryFetchLedger(), clock: ManualClock())

  @Test func `A local cache is empty until the app saves, which is shown to all`() async throws {
    repository.requirements = "name"
    var watch = Watch(repository.observe())
    let empty = try #require(await watch.state())
    #expect(empty.cache == nil)
    #expect(empty.fetchedAt == .distantPast)
    #expect(!empty.isRefreshing)
    try await repository.update("Ada")
    #expect(try #require(await watch.state()).cache == "Ada")
    var late = Watch(repository.observe())
    #expect(try #require(await late.state()).cache == "Ada")
    #expect(try await repository.value() == "Ada")
    try await repository.update("Grace")
    #expect(try #require(await watch.state()).cache == "Grace")
    try await repository.clear()
    while try #require(await watch.state()).cache != nil {}
  }

  /// A name that nobody deletes.
  private final class KeptNameSource: LocalCacheDataSource {
    let words: FakeSource

    init(_ words: FakeSource = FakeSource(words: [])) {
      self.words = words
    }

    func saveCache(_ cache: [String], requirements: CacheTag) async throws {
      words.write(cache)
    }

    func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
      words.observeCache("words")
    }
  }

  @Test(arguments: [true, false])
  func `After a logout nothing is shown to anybody, deleted or not`(isUpdate: Bool) async throws {
    let (ledger, source) = (InMemoryFetchLedger(), KeptNameSource())
    func repository() -> CacheRepository<KeptNameSource> {
      let repository = CacheRepository(source, ledger: ledger, clock: ManualClock())
      repository.requirements = "name"
      return repository
    }
    do {
      let (one, other) = (repository(), repository())
      try await one.update(["Ada"])
      var watch = Watch(other.observe())
      #expect(await watch.next() == "yes/Ada")
      if isUpdate { try await one.update(nil) } else { try await one.clear() }
      #expect(await watch.next() == "yes/nil")
      #expect(source.words.words == ["Ada"])
      #expect(await one.valueIfAvailable() == nil)
      #expect(await other.valueIfAvailable(from: .cache) == nil)
      #expect(one.state?.words == "yes/nil")
      var late = Watch(one.observe())
      #expect(await late.next() == "yes/nil")
      // What is forgotten of all caches does not bring it back.
      try await ledger.clear()
      source.words.write(["Ada"])
      #expect(await one.valueIfAvailable() == nil)
    }
    // After a restart.
    let next = repository()
    var watch = Watch(next.observe())
    #expect(await watch.next() == "yes/nil")
    #expect(await next.valueIfAvailable() == nil)
    try await next.update(["Grace"])
    #expect(await watch.next() == "yes/Grace")
    source.words.write(["Grace", "Hopper"])
    #expect(await watch.next() == "yes/Grace Hopper")
    #expect(try await repository().value() == ["Grace", "Hopper"])
  }

  @Test func `What is deleted with a clearing is observed again whoever puts it there`()
    async throws
  {
    repository.requirements = "name"
    try await repository.update("Ada")
    try await repository.clear()
    #expect(try await repository.ledger.record(for: "name") == nil)
  }

  @Test func `There is nothing to refresh it from`() async throws {
    repository.requirements = "name"
    #expect(try await repository.refresh(force: true) == .skipped(.cacheNotTooOld))
    #expect(try await repository.refreshIfNoCache() == .skipped(.cacheNotTooOld))
    let refusal = CacheError.noOrigin(source: "NameSource")
    await #expect(throws: refusal) { try await repository.value(from: .origin) }
    await #expect(throws: refusal) { try await NameSource().fetchFreshCache("name") }
    #expect(refusal.description == "NameSource has no origin to fetch from; read from the cache.")
  }
}
