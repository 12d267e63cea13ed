import Evocation
import EvocationTesting

/// A source of numbers, page by page, whose store is lists in memory.
final class FakePagedSource<Page: PageRequirements>: PagingCacheDataSource, Sendable {
  typealias Cache = [Int]
  typealias Content = [Int]
  typealias Requirements = CacheTag
  typealias Fetch = @Sendable (Page, Int) async throws -> FetchedPage<[Int], Page>

  /// What happens in a save.
  struct Save: Sendable {
    let numbers: [Int]
    let place: PagePosition
  }

  private struct State {
    var lists: [String: [Int]] = [:]
    var observers: [Int: (tag: String, AsyncThrowingStream<[Int], any Error>.Continuation)] = [:]
    var last = 0
    var fetched: [Page] = []
    var places: [PagePosition] = []
    var cuts = 0
    var deletions = 0
    var looks: [[Int]] = []
  }

  let maxAge: Duration?
  let automaticallyRefresh: Bool
  private let first: Page
  private let state = Lock(State())
  private let fetch: Fetch
  private let saving: @Sendable (Save) async throws -> Void
  private let saved: @Sendable (Save) async throws -> Void

  /// Makes a source.
  ///
  /// `saving` is run before a page is put into its list, `saved` when it is there and the save has not
  /// ended, and `fetch` is given what a page is asked for with, and how many fetches there were with
  /// this one.
  init(
    first: Page, maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    saving: @escaping @Sendable (Save) async throws -> Void = { _ in },
    saved: @escaping @Sendable (Save) async throws -> Void = { _ in },
    fetch: @escaping Fetch
  ) {
    self.first = first
    self.maxAge = maxAge
    self.automaticallyRefresh = automaticallyRefresh
    self.saving = saving
    self.saved = saved
    self.fetch = fetch
  }

  var list: [Int]? { list("numbers") }
  var fetched: [Page] { state.withLock { $0.fetched } }
  var places: [PagePosition] { state.withLock { $0.places } }
  var cuts: Int { state.withLock { $0.cuts } }
  var deletions: Int { state.withLock { $0.deletions } }
  /// What was looked at, in the order in which its readers took it.
  var looks: [[Int]] { state.withLock { $0.looks } }

  func list(_ tag: String) -> [Int]? { state.withLock { $0.lists[tag] } }

  func firstPage(_ requirements: CacheTag) -> Page { first }

  func fetchFreshCache(
    _ requirements: CacheTag, pagingRequirements: Page
  ) async throws -> FetchedPage<[Int], Page> {
    let count = state.withLock { state in
      state.fetched.append(pagingRequirements)
      return state.fetched.count
    }
    return try await fetch(pagingRequirements, count)
  }

  func saveCache(
    _ fetched: [Int], requirements: CacheTag, pagingRequirements: Page, place: PagePosition
  ) async throws {
    try await saving(Save(numbers: fetched, place: place))
    state.withLock { state in
      state.places.append(place)
      let kept = (state.lists[requirements.tag] ?? []).filter { !fetched.contains($0) }
      let list =
        switch place {
        case .replacing: fetched
        case .after: kept + fetched
        case .before: fetched + kept
        }
      state.lists[requirements.tag] = list
      for (tag, observer) in state.observers.values where tag == requirements.tag {
        observer.yield(list)
      }
    }
    try await saved(Save(numbers: fetched, place: place))
  }

  /// Tells those who observe the numbers once more what there is.
  func tellAgain() {
    state.withLock { state in
      for (tag, observer) in state.observers.values where tag == "numbers" {
        observer.yield(state.lists[tag] ?? [])
      }
    }
  }

  func isCacheEmpty(_ cache: [Int], requirements: CacheTag) -> Bool {
    state.withLock { $0.looks.append(cache) }
    return cache.isEmpty
  }

  func deleteCache(_ requirements: CacheTag) async throws {
    state.withLock { state in
      state.deletions += 1
      state.lists[requirements.tag] = nil
    }
  }

  func persistOnlyFirstPage(_ requirements: CacheTag) async throws {
    state.withLock { state in
      state.cuts += 1
      state.lists[requirements.tag] = state.lists[requirements.tag].map { Array($0.prefix(2)) }
    }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[Int], any Error> {
    AsyncThrowingStream { continuation in
      state.withLock { state in
        state.last += 1
        let number = state.last
        state.observers[number] = (requirements.tag, continuation)
        continuation.yield(state.lists[requirements.tag] ?? [])
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { $0.observers[number] = nil }
        }
      }
    }
  }
}

extension FakePagedSource where Page == PageCursor {
  /// Makes a source whose pages are found by a cursor.
  convenience init(
    maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    saving: @escaping @Sendable (Save) async throws -> Void = { _ in },
    saved: @escaping @Sendable (Save) async throws -> Void = { _ in },
    fetch: @escaping Fetch
  ) {
    self.init(
      first: .start, maxAge: maxAge, automaticallyRefresh: automaticallyRefresh, saving: saving,
      saved: saved, fetch: fetch)
  }

  /// Makes a source of three pages of two.
  convenience init(
    maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    saving: @escaping @Sendable (Save) async throws -> Void = { _ in },
    saved: @escaping @Sendable (Save) async throws -> Void = { _ in }
  ) {
    self.init(
      maxAge: maxAge, automaticallyRefresh: automaticallyRefresh, saving: saving, saved: saved
    ) { cursor, _ in .numbers(cursor) }
  }
}

extension FetchedPage where Content == [Int], PagingRequirements == PageCursor {
  /// Three pages of two, each led to by a cursor.
  static func numbers(_ cursor: PageCursor) -> Self {
    switch cursor.cursor {
    case nil: FetchedPage([1, 2], next: PageCursor("b"))
    case "b": FetchedPage([3, 4], next: PageCursor("c"))
    default: FetchedPage([5, 6], next: PageCursor(""))
    }
  }

  /// Five pages of two, the third of which is the first that is asked for.
  static func fromTheMiddle(_ cursor: PageCursor) -> Self {
    switch cursor.cursor {
    case nil: FetchedPage([5, 6], next: PageCursor("d"), previous: PageCursor("b"))
    case "a": FetchedPage([1, 2], next: PageCursor("b"))
    case "b": FetchedPage([3, 4], next: PageCursor("start"), previous: PageCursor("a"))
    case "d": FetchedPage([7, 8], next: PageCursor("e"), previous: PageCursor("start"))
    default: FetchedPage([9, 10], previous: PageCursor("d"))
    }
  }
}

/// What a service that cannot be reached throws.
struct Unreached: Error, Hashable {}
