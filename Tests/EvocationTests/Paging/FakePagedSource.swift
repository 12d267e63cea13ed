import Evocation
import EvocationTesting

/// A source of numbers, page by page, whose store is a list in memory.
final class FakePagedSource: PagingCacheDataSource, Sendable {
  typealias Cache = [Int]
  typealias Content = [Int]

  struct Requirements: CacheRequirements {
    let tag: String
  }

  private struct State {
    var list: [Int] = []
    var continuations: [Int: AsyncThrowingStream<[Int], any Error>.Continuation] = [:]
    var last = 0
    var fetched: [PageCursor] = []
    var saveError: (any Error)?
    var cuts = 0
  }

  let maxAge: Duration?
  private let state = Lock(State())
  private let fetch: @Sendable (PageCursor, Int) async throws -> FetchedPage<[Int], PageCursor>

  /// Makes a source; the closure is given the cursor, and how many fetches there were with this one.
  init(
    maxAge: Duration? = nil,
    fetch: @escaping @Sendable (PageCursor, Int) async throws -> FetchedPage<[Int], PageCursor>
  ) {
    self.maxAge = maxAge
    self.fetch = fetch
  }

  var list: [Int] { state.withLock { $0.list } }
  var fetched: [PageCursor] { state.withLock { $0.fetched } }
  var cuts: Int { state.withLock { $0.cuts } }

  func failSaves(with error: (any Error)?) { state.withLock { $0.saveError = error } }

  func firstPage(_ requirements: Requirements) -> PageCursor { .start }

  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements: PageCursor
  ) async throws -> FetchedPage<[Int], PageCursor> {
    let count = state.withLock { state in
      state.fetched.append(pagingRequirements)
      return state.fetched.count
    }
    return try await fetch(pagingRequirements, count)
  }

  func saveCache(
    _ fetched: [Int], requirements: Requirements, pagingRequirements: PageCursor, place: PagePlace
  ) async throws {
    try state.withLock { state in
      if let error = state.saveError { throw error }
      let kept = state.list.filter { !fetched.contains($0) }
      switch place {
      case .only: state.list = fetched
      case .end: state.list = kept + fetched
      case .start: state.list = fetched + kept
      }
      for continuation in state.continuations.values { continuation.yield(state.list) }
    }
  }

  func persistOnlyFirstPage(_ requirements: Requirements) async throws {
    state.withLock { state in
      state.cuts += 1
      state.list = Array(state.list.prefix(2))
    }
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[Int], any Error> {
    AsyncThrowingStream { continuation in
      state.withLock { state in
        state.last += 1
        let number = state.last
        state.continuations[number] = continuation
        continuation.yield(state.list)
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { $0.continuations[number] = nil }
        }
      }
    }
  }
}
