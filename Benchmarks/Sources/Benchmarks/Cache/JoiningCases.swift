import Evocation
import Harness
import Synchronization

/// The number of fetches for ten readers of a new cache key, if the cache is slow to answer.
struct JoiningCases {
  var all: [Case] {
    [
      Case("10 reads of a new tag at a time: fetches", .objects, bar: .atMost(1)) {
        let source = SlowSource()
        let ledger = InMemoryFetchLedger()
        try await withThrowingTaskGroup(of: [Int].self) { group in
          for _ in 0..<10 {
            group.addTask {
              let cache = CacheRepository(source, ledger: ledger)
              cache.requirements = "new"
              return try await cache.value()
            }
          }
          for try await value in group { try expect(value == [1]) }
        }
        return Double(source.fetches)
      }
    ]
  }
}

/// A source whose cache takes five milliseconds to answer.
private final class SlowSource: CacheDataSource {
  private let count = Atomic(0)
  private let saved = Mutex<[Int]>([])

  var fetches: Int { count.load(ordering: .relaxed) }

  func fetchFreshCache(_ requirements: CacheTag) async throws -> [Int] {
    count.add(1, ordering: .relaxed)
    return [1]
  }

  func saveCache(_ fetched: [Int], requirements: CacheTag) async throws {
    saved.withLock { $0 = fetched }
  }

  func readCache(_ requirements: CacheTag) async throws -> [Int]? {
    try await Task.sleep(for: .milliseconds(5))
    return saved.withLock { $0 }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[Int], any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(saved.withLock { $0 })
      continuation.finish()
    }
  }
}
