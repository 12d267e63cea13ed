import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// Pages whose fetches ask for the list that they are pages of.
@Suite(.patient) struct PagingNestingTests {
  private typealias List = PagingCacheRepository<FakePagedSource<PageCursor>>

  private let bench = PagingBench()
  private let holder = Lock<List?>(nil)
  private let told = Lock<[String]>([])

  /// A list whose later pages are fetched once the body is done with it.
  private func list(
    maxAge: Duration? = nil, _ inside: @escaping @Sendable (List) async throws -> String
  ) async throws -> List {
    let source = FakePagedSource<PageCursor>(maxAge: maxAge, automaticallyRefresh: false) {
      [holder, told] cursor, _ in
      if cursor.cursor != nil, let list = holder.withLock({ $0 }) {
        let text = try await inside(list)
        told.withLock { $0.append(text) }
      }
      return .numbers(cursor)
    }
    let list = bench.repository(source)
    #expect(try await list.refresh() == .successful)
    holder.withLock { $0 = list }
    return list
  }

  @Test func `A page is made of the last item of a list that has become stale`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let list = try await list(maxAge: .seconds(60)) { "\(try await $0.value().last ?? 0)" }
    bench.clock.advance(by: .seconds(61))
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(told.withLock { $0 } == ["2", "4"])
    holder.withLock { $0 = nil }
    #expect(try await list.value() == [1, 2])
  }

  @Test func `A refresh of the list inside the fetch of a page of it is refused`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let list = try await list { list in
      guard case .failed(let error) = try await list.refresh(force: true) else {
        return "refreshed"
      }
      return "\(error is CacheError)"
    }
    #expect(await list.goToNextPage() == .successful)
    #expect(told.withLock { $0 } == ["true"])
    holder.withLock { $0 = nil }
    #expect(try await list.refresh(force: true) == .successful)
  }

  @Test func `A fetch whose page asks for it ends, and is refused nothing else`() async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let errors = Lock<[CacheError]>([])
    let held = holder
    let source = FakePagedSource<PageCursor>(automaticallyRefresh: false) { cursor, _ in
      guard let list = held.withLock({ $0 }) else { return .numbers(cursor) }
      if cursor.cursor == nil {
        #expect(await list.goToNextPage() == .successful)
      } else if case .failed(let error as CacheError) = try await list.refresh(force: true) {
        errors.withLock { $0.append(error) }
      }
      return .numbers(cursor)
    }
    let list = bench.repository(source)
    #expect(try await list.refresh() == .successful)
    held.withLock { $0 = list }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(errors.withLock { $0 } == [.nestedFetch(tag: "numbers")])
    held.withLock { $0 = nil }
  }

  @Test func `A list that its store has lost is no list, and is fetched as a missing one`()
    async throws
  {
    let evocation = Evocation()
    evocation.register(for: Listed.self).repository(local: InMemoryRepository<Listed>())
      .repository(remote: ShiftingService((1...4).map { Listed($0) }))
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(automaticallyRefresh: false))
    list.requirements = Criteria()
    #expect(try await list.refreshIfNoCache() == .successful)
    #expect(try await list.refreshIfNoCache() == .successful)
    let source = list.source
    try await source.local.store.commit(
      StoreWrite(list: .delete(source.tag(for: Criteria()), removing: nil)))
    #expect(try await list.refreshIfNoCache() == .successful)
    #expect(try await list.value() == [Listed(1), Listed(2)])
  }
}
