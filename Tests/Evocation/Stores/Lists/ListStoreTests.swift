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

  @Test func `pages are given to it one by one, and it collects those of a refresh of all`()
    async throws
  {
    let list = try await list()
    #expect(shelf.takeNotes() == ["page replacing", "page after", "page after"])
    service.items = (11...16).map { Listed($0) }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(
      shelf.takeNotes() == [
        "collect", "collect", "collect", "replace",
      ])
    #expect(try await list.value(from: .cache).map(\.id) == Array(11...16))
  }

  @Test func `the pages of a refresh that fails or succeeds end with it`() async throws {
    let list = try await list()
    try await interrupt(list, after: 2)
    #expect(shelf.takeNotes().suffix(2) == ["collect", "collect"])
    try await eventually("no pages") { shelf.collectionCount == 0 }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(shelf.takeNotes().count { $0 == "collect" } == 3)
    try await eventually("no pages") { shelf.collectionCount == 0 }
  }

  /// What keeps a refresh from replacing the list.
  private enum End: CaseIterable { case cancel, clear, update }

  @Test(arguments: End.allCases)
  private func `the pages of a refresh that something else overtakes end with it`(
    _ end: End
  ) async throws {
    let (list, gate) = (try await list(), Gate())
    service.gate = gate
    let refresh = Task { try await list.refresh(force: true) }
    await gate.arrivals(1)
    gate.letOneThrough()
    await gate.arrivals(2)
    #expect(shelf.collectionCount == 1)
    switch end {
    case .cancel: refresh.cancel()
    case .clear: try await list.clear()
    case .update: try await list.update([Listed(9)])
    }
    #expect(try await refresh.value == .skipped(.cancelled))
    gate.open()
    try await eventually("no pages") { shelf.collectionCount == 0 }
    #expect(!shelf.takeNotes().contains("replace"))
    let left = try? await list.value(from: .cache).map(\.id)
    #expect(left == (end == .cancel ? Array(1...6) : end == .update ? [9] : nil))
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
