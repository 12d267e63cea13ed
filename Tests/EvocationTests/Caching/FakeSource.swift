import Evocation
import EvocationTesting

/// A source whose store is a list of words in memory, and whose fetches a test answers.
final class FakeSource: CacheDataSource, Sendable {
  typealias Cache = [String]
  typealias FetchResult = [String]

  struct Requirements: CacheRequirements {
    let tag: String
  }

  private struct State {
    var words: [String]?
    var continuations: [Int: AsyncThrowingStream<[String], any Error>.Continuation] = [:]
    var last = 0
    var fetches = 0
    var saves: [[String]] = []
    var observations = 0
    var saveError: (any Error)?
    var observeError: (any Error)?
  }

  let maxAge: Duration?
  let maxUsableAge: Duration?
  let automaticallyRefresh: Bool
  private let state = Lock(State())
  private let fetch: @Sendable (Int) async throws -> [String]

  /// Makes a source; the closure is given how many fetches came before.
  init(
    maxAge: Duration? = nil, maxUsableAge: Duration? = nil, automaticallyRefresh: Bool = true,
    words: [String]? = nil,
    fetch: @escaping @Sendable (Int) async throws -> [String] = { ["v\($0)"] }
  ) {
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.fetch = fetch
    state.withLock { $0.words = words }
  }

  var fetches: Int { state.withLock { $0.fetches } }
  var saves: [[String]] { state.withLock { $0.saves } }
  var observations: Int { state.withLock { $0.observations } }
  var words: [String]? { state.withLock { $0.words } }

  func failSaves(with error: (any Error)?) { state.withLock { $0.saveError = error } }
  func failObserving(with error: (any Error)?) { state.withLock { $0.observeError = error } }

  /// Changes what is stored, as the app may do by other means.
  func write(_ words: [String]) {
    state.withLock { state in
      state.words = words
      for continuation in state.continuations.values { continuation.yield(words) }
    }
  }

  func fetchFreshCache(_ requirements: Requirements) async throws -> [String] {
    let count = state.withLock { state in
      state.fetches += 1
      return state.fetches
    }
    return try await fetch(count)
  }

  func saveCache(_ fetched: [String], requirements: Requirements) async throws {
    try state.withLock { state in
      if let error = state.saveError { throw error }
      state.saves.append(fetched)
    }
    write(fetched)
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { continuation in
      state.withLock { state in
        state.observations += 1
        if let error = state.observeError { return continuation.finish(throwing: error) }
        state.last += 1
        let number = state.last
        state.continuations[number] = continuation
        continuation.yield(state.words ?? [])
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { $0.continuations[number] = nil }
        }
      }
    }
  }
}
