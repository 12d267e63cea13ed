import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// The state as one of three faces, and several states as one.
@Suite(.patient) struct CachingLoadingStateTests {
  private typealias Face = LoadingState<[String]>

  private let date = Date(timeIntervalSinceReferenceDate: 0)
  private let completed = Face.completed(content: ["a"], next: .noMorePages, previous: .noMorePages)

  @Test func `Each face calls its own branch`() {
    func action(_ face: Face) -> String {
      face.doAction(
        onLoading: { "loading \($0 ?? [])" },
        onCompleted: { content, next, previous in "completed \(content)" },
        onError: { "error \($0)" })
    }
    #expect(action(.loading(content: nil)) == "loading []")
    #expect(action(.loading(content: ["a"])) == #"loading ["a"]"#)
    #expect(action(completed) == #"completed ["a"]"#)
    #expect(action(.error(Trouble.fetching, content: nil)) == "error fetching")
  }

  @Test func `The direction of pages calls its own branch`() {
    func action(_ state: AdditionalLoadingState) -> String {
      state.doAction(
        onFixed: { "fixed \($0)" }, onLoading: { "loading" }, onError: { "error \($0)" })
    }
    #expect(action(.noMorePages) == "fixed false")
    #expect(action(.loading) == "loading")
    #expect(action(.error(Trouble.fetching)) == "error fetching")
  }

  @Test func `A state of a cache has one face`() {
    func face(_ change: (inout CacheState<[String]>) -> Void) -> Face {
      var state = CacheState<[String]>(.cache(["a"], fetchedAt: date))
      change(&state)
      return state.loadingState
    }
    #expect(face { _ in } == completed)
    #expect(face { $0.isRefreshing = true } == .loading(content: ["a"]))
    #expect(face { $0.state = .noCache } == .loading(content: nil))
    let none = Face.completed(content: [], next: .noMorePages, previous: .noMorePages)
    for (isRefreshing, isReading) in [(false, false), (false, true), (true, false)] {
      let shown = face {
        ($0.state, $0.tag) = (.noCache, "t")
        ($0.isRefreshing, $0.isReading) = (isRefreshing, isReading)
      }
      #expect(shown == (isRefreshing || isReading ? .loading(content: nil) : none))
    }
    #expect(
      face { ($0.state, $0.tag, $0.refreshError) = (.noCache, "t", Trouble.fetching) }
        == .error(Trouble.fetching, content: nil))
    #expect(
      face { $0.state = .cache(nil, fetchedAt: date) }
        == .completed(content: [], next: .noMorePages, previous: .noMorePages))
    #expect(
      face {
        $0.state = .cache(nil, fetchedAt: date)
        $0.isReading = true
      } == .loading(content: nil))
  }

  @Test func `What is cleared, or not fetched by itself, is not loading for ever`() async throws {
    let none = Face.completed(content: [], next: .noMorePages, previous: .noMorePages)
    let first = Face.completed(content: ["v1"], next: .noMorePages, previous: .noMorePages)
    for automatically in [true, false] {
      let words = CacheRepository(
        FakeSource(automaticallyRefresh: automatically), ledger: InMemoryFetchLedger(),
        clock: ManualClock())
      words.requirements = "words"
      var states = words.observe().makeAsyncIterator()
      /// The faces up to this one.
      func faces(to wanted: Face) async -> [Face] {
        var faces: [Face] = []
        while faces.last != wanted, let state = await states.next() {
          faces.append(state.loadingState)
        }
        return faces
      }
      if automatically {
        #expect(await !faces(to: first).contains(none))
        try await words.clear()
        // It is fetched again, and not shown as empty until then.
        let second = Face.completed(content: ["v2"], next: .noMorePages, previous: .noMorePages)
        #expect(await !faces(to: second).contains(none))
        continue
      }
      #expect(await faces(to: none).last == none)
      #expect(try await words.refresh() == .successful)
    }
  }

  @Test func `An error keeps its content`() {
    let state = CacheState<[String]>(
      .cache(["a"], fetchedAt: date), refreshError: Trouble.fetching)
    #expect(state.loadingState == .error(Trouble.fetching, content: ["a"]))
    #expect(state.loadingState.content == ["a"])
  }

  @Test func `Other content leaves the rest as it was`() {
    #expect(Face.loading(content: ["a"]).mapContent(\.count) == .loading(content: 1))
    #expect(Face.loading(content: nil).mapContent(\.count) == .loading(content: nil))
    let face = Face.completed(content: ["a"], next: .loading, previous: .noMorePages)
    #expect(
      face.mapContent(\.count) == .completed(content: 1, next: .loading, previous: .noMorePages))
    #expect(
      Face.error(Trouble.saving, content: ["a"]).mapContent(\.count)
        == .error(Trouble.saving, content: 1))
  }

  @Test func `Two faces are one: error over loading over completed`() {
    let faces: [Face] = [
      .error(Trouble.fetching, content: nil), .error(Trouble.saving, content: ["a"]),
      .loading(content: nil), .loading(content: ["a"]), completed,
    ]
    func rank(_ face: Face) -> Int {
      face.doAction(onLoading: { _ in 1 }, onCompleted: { _, _, _ in 2 }, onError: { _ in 0 })
    }
    for left in faces {
      for right in faces {
        let both = left.combine(right) { $0 + $1 }
        #expect(rank(both) == min(rank(left), rank(right)))
        let hasBoth = left.content != nil && right.content != nil
        #expect(both.content == (hasBoth ? ["a", "a"] : nil))
        if case .error(let error, _) = left, case .error(let first, _) = both {
          #expect("\(first)" == "\(error)")
        }
      }
    }
  }

  @Test func `Three to five faces are one`() {
    let loading = Face.loading(content: ["b"])
    #expect(
      completed.combine(loading, completed) { joined($0, $1, $2) }
        == .loading(content: ["a", "b", "a"]))
    #expect(
      completed.combine(completed, completed, completed) { joined($0, $1, $2, $3) }.content?.count
        == 4)
    #expect(
      completed.combine(completed, completed, completed, .error(Trouble.saving, content: nil)) {
        joined($0, $1, $2, $3, $4)
      } == .error(Trouble.saving, content: nil))
  }

  @Test func `Pages of two lists: error over loading over fixed, more if either has`() {
    let more = AdditionalLoadingState.fixed(canRequestAdditionalData: true)
    let error = AdditionalLoadingState.error(Trouble.fetching)
    let other = AdditionalLoadingState.error(Trouble.saving)
    let table: [(AdditionalLoadingState, AdditionalLoadingState, AdditionalLoadingState)] = [
      (.noMorePages, .noMorePages, .noMorePages), (more, .noMorePages, more),
      (.noMorePages, more, more), (more, more, more),
      (.loading, more, .loading), (.noMorePages, .loading, .loading),
      (.loading, .loading, .loading),
      (error, .loading, error), (.loading, error, error), (more, error, error),
      (error, other, error), (other, error, other),
    ]
    for (left, right, both) in table { #expect(left.combined(with: right) == both) }
  }

  @Test func `Other content of a cache's state leaves the rest as it was`() {
    var state = CacheState<[String]>(
      .cache(["a"], fetchedAt: date), tag: "t", isRefreshing: true, refreshError: Trouble.saving,
      cacheAge: .seconds(1), freshness: .stale, next: .loading)
    let converted = state.convert { $0?.count }
    #expect(converted.cache == 1)
    #expect(converted.fetchedAt == date)
    #expect(converted.convert { $0.map { _ in ["a"] } } == state)
    #expect(converted.cacheAge == .seconds(1))
    state.state = .cache(nil, fetchedAt: date)
    #expect(state.convert { $0 ?? ["none"] }.cache == ["none"])
    state.state = .noCache
    #expect(state.convert { _ in ["never"] }.cache == nil)
  }

  @Test func `Two states of caches are one, as old as the older`() {
    let old = CacheState<[String]>(
      .cache(["a"], fetchedAt: date), tag: "t", cacheAge: .seconds(9), freshness: .stale)
    let new = CacheState<[String]>(
      .cache(["b"], fetchedAt: date + 8), tag: "u", isRefreshing: true,
      refreshError: Trouble.saving, cacheAge: .seconds(1), freshness: .fresh)
    let both = old.combine(new) { $0 + $1 }
    #expect(both.cache == ["a", "b"])
    #expect(both.fetchedAt == date)
    #expect(both.tag == "t, u")
    #expect(both.isRefreshing)
    #expect(both.freshness == .stale)
    #expect(both.cacheAge == .seconds(9))
    #expect("\(both.refreshError ?? Trouble.ledger)" == "saving")
    #expect(old.combine(CacheState<[String]>(.noCache)) { $0 + $1 }.fetchedAt == nil)
    let empty = CacheState<[String]>(.cache(nil, fetchedAt: date))
    #expect(old.combine(empty) { $0 + $1 }.cache == nil)
    #expect(old.combine(new, old) { joined($0, $1, $2) }.cache == ["a", "b", "a"])
    #expect(old.combine(new, old, new) { joined($0, $1, $2, $3) }.cache?.count == 4)
    #expect(old.combine(new, old, new, old) { joined($0, $1, $2, $3, $4) }.cache?.count == 5)
  }
}
