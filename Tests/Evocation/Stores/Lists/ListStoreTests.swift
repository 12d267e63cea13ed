import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls

/// Lists in a local repository that keeps them itself.
@Suite(.patient) struct ListStoreTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let clock = ManualClock()
  private let service = ShiftingService((1...6).map { Listed($0) })
  private let traces = Lock<[Evocation.Trace]>([])
  private let evocation: Evocation
  private let shelf: Shelf

  init() throws {
    shelf = try Shelf()
    evocation = Evocation(
      configuration: .init(
        clock: clock, onTrace: { [traces] trace in traces.withLock { $0.append(trace) } }))
    evocation.register(for: Listed.self).repository(remote: service).repository(local: shelf)
  }

  /// A list of three pages, whose refreshes fetch all of them.
  private func list() async throws -> List {
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2,
      options: .init(paging: service.paging, refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    return list
  }

  /// Begins a refresh that comes to an end after so many pages.
  private func interrupt(_ list: List, after pages: Int) async throws {
    service.answersUntilOutage = pages
    #expect(try await list.refresh(force: true) == .failed(ShiftingService.Outage()))
    service.answersUntilOutage = nil
  }

  @Test func `pages are given to it one by one, and a refresh of all as a draft that it takes`()
    async throws
  {
    let list = try await list()
    #expect(shelf.takeNotes() == ["page replacing", "page after", "page after"])
    service.items = (11...16).map { Listed($0) }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(
      shelf.takeNotes() == [
        "draft page replacing", "draft page after", "draft page after", "take draft",
      ])
    #expect(try await list.value(from: .cache).map(\.id) == Array(11...16))
  }

  @Test func `a draft that another list makes useless is deleted`() async throws {
    let list = try await list()
    try await interrupt(list, after: 2)
    let tag = list.source.tag(for: Criteria())
    #expect(try await shelf.draft(of: tag)?.pages.count == 2)
    _ = shelf.takeNotes()
    try await list.update([Listed(9)])
    #expect(shelf.takeNotes() == ["delete draft", "page replacing"])
    #expect(try await shelf.draft(of: tag) == nil)
    #expect(try await list.value(from: .cache) == [Listed(9)])
  }

  @Test(arguments: [true, false])
  func `a draft is gone on with only where it is from after the list was declared stale`(
    _ isInvalidatedBefore: Bool
  ) async throws {
    let list = try await list()
    if isInvalidatedBefore { try await evocation.invalidate(Listed.self) }
    try await interrupt(list, after: 2)
    let draft = try await shelf.draft(of: list.source.tag(for: Criteria()))
    #expect(draft?.isOfInvalidated == isInvalidatedBefore)
    #expect(draft?.begunAt == clock.date)
    if !isInvalidatedBefore { try await evocation.invalidate(Listed.self) }
    let count = service.asked.count
    #expect(try await list.refresh(force: true) == .successful)
    #expect(
      service.asked.dropFirst(count).map(\.offset) == (isInvalidatedBefore ? [4] : [0, 2, 4]))
  }

  @Test func `a damaged list is deleted and fetched again, and its models stay`() async throws {
    let list = try await list()
    _ = shelf.takeNotes()
    traces.withLock { $0 = [] }
    shelf.damage("its second page is missing")
    #expect(try await list.value().map(\.id) == [1, 2])
    #expect(shelf.takeNotes() == ["delete", "page replacing"])
    #expect(try await shelf.base.find(Criteria()).value.map(\.id) == Array(1...6))
    #expect(
      traces.withLock { $0 }.filter { $0.call == "list" }.map { "\($0)" } == [
        "list Array<Listed>: local failed: Evocation cannot use a list of Listed, because its "
          + "second page is missing; the cache deletes the list, keeps its models, and fetches it "
          + "again."
      ])
  }

  @Test func `any operations on its lists leave what a plain model of them says`() async throws {
    var random = Trials.random("lists on a shelf of an app")
    for round in 0..<50 {
      let one = SeededGenerator(seed: random.next())
      let trial = ListTrial(one, local: try Shelf())
      try await trial.run(steps: 16)
      #expect(trial.violations.isEmpty, "round \(round)")
    }
  }
}
