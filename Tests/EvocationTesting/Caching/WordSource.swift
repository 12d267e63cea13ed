import Evocation
import EvocationTesting

/// A source that keeps words in memory by tag, and fetches what a test says.
final class WordSource: CacheDataSource, Sendable {
  let maxAge: Duration?
  let maxUsableAge: Duration?
  let automaticallyRefresh: Bool
  private let words = Lock<[String: [String]]>([:])
  private let count = Lock(0)
  private let failure = Lock<Refused?>(nil)
  private let fetch: @Sendable (Int) async throws -> [String]

  /// Makes a source; the closure is given the number of the fetch.
  init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    fetch: @escaping @Sendable (Int) async throws -> [String] = { ["fetched \($0)"] }
  ) {
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.fetch = fetch
  }

  /// How often it was asked to fetch.
  var fetches: Int { count.withLock { $0 } }

  /// Has the next save or deletion fail.
  func failNextWrite() { failure.withLock { $0 = Refused() } }

  private func failOnce() throws {
    try failure.withLock { failure in
      defer { failure = nil }
      if let failure { throw failure }
    }
  }

  func fetchFreshCache(_ requirements: CacheTag) async throws -> [String] {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return try await fetch(number)
  }

  func saveCache(_ fetched: [String], requirements: CacheTag) async throws {
    try failOnce()
    words.withLock { $0[requirements.tag] = fetched }
  }

  func deleteCache(_ requirements: CacheTag, keeping others: [CacheTag]) async throws {
    try failOnce()
    words.withLock { $0[requirements.tag] = nil }
  }

  func readCache(_ requirements: CacheTag) async throws -> [String]? {
    words.withLock { $0[requirements.tag] }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { continuation in
      if let words = words.withLock({ $0[requirements.tag] }) { continuation.yield(words) }
      continuation.finish()
    }
  }
}

/// A source of a number that is empty when it is zero, and of which nobody can make an empty one.
final class NumberSource: CacheDataSource, Sendable {
  private let number = Lock<Int?>(nil)

  /// Whether it deletes what it is told to delete.
  private let deletes: Bool

  init(deletes: Bool) { self.deletes = deletes }

  func fetchFreshCache(_ requirements: CacheTag) async throws -> Int { throw Unreachable() }

  func saveCache(_ fetched: Int, requirements: CacheTag) async throws {
    number.withLock { $0 = fetched }
  }

  func deleteCache(_ requirements: CacheTag, keeping others: [CacheTag]) async throws {
    if deletes { number.withLock { $0 = nil } }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<Int, any Error> {
    AsyncThrowingStream { continuation in
      if let number = number.withLock({ $0 }) { continuation.yield(number) }
      continuation.finish()
    }
  }

  func isCacheEmpty(_ cache: Int, requirements: CacheTag) -> Bool { cache == 0 }
}

struct Unreachable: Error, Hashable {}
struct Refused: Error, Hashable {}
