import Evocation
import EvocationTesting
import Foundation
import Testing

/// A cache that the app alone fills.
@Suite(.timeLimit(.minutes(6))) struct CachingLocalTests {
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

  @Test func `It is empty until the app saves, which is shown to all (K51)`() async throws {
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

  @Test func `There is nothing to refresh it from (K51)`() async throws {
    repository.requirements = "name"
    #expect(try await repository.refresh(force: true) == .skipped(.cacheNotTooOld))
    #expect(try await repository.refreshIfNoCache() == .skipped(.cacheNotTooOld))
    await #expect(throws: CacheError.self) { try await repository.value(from: .origin) }
    await #expect(throws: CacheError.self) {
      try await NameSource().fetchFreshCache("name")
    }
  }
}
