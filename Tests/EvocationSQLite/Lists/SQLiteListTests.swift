import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SQLiteListTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let local: SQLiteRepository<Listed>

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    local = try SQLiteRepository(database)
  }

  private func open(
    _ service: ShiftingService, _ local: SQLiteRepository<Listed>? = nil,
    refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil,
    keepsPages: Bool = true, evocation: Evocation = Evocation()
  ) -> List {
    evocation.register(for: Listed.self).repository(remote: service)
      .repository(local: local ?? self.local)
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2,
      options: .init(
        paging: service.paging, refreshes: refreshes, maxPages: keptPages,
        persistsPages: keepsPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }

  private func count(_ table: String) async throws -> Int {
    try await database.read { try $0.rows("SELECT 1 FROM \(table)").count }
  }

  @Test(arguments: ShiftingService.Kind.allCases)
  func `After a restart a list stands where it was, and goes on, offline too`(
    _ kind: ShiftingService.Kind
  ) async throws {
    let service = ShiftingService(Listed.items(1...6).reversed(), kind)
    try await {
      let list = open(service)
      try await list.refresh()
      #expect(await list.goToNextPage() == .successful)
    }()
    await database.close()
    let reopened = try SQLiteRepository<Listed>(try SQLiteDatabase(path: folder.path()))
    let list = open(service, reopened)
    service.answersUntilOutage = 0
    var states = list.observe().makeAsyncIterator()
    let state = try #require(await states.next())
    #expect(state.cache?.cache.map(\.id) == [6, 5, 4, 3])
    #expect(state.areMorePages)
    #expect(await list.goToNextPage() == .failed(ShiftingService.Outage()))
    service.answersUntilOutage = nil
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [6, 5, 4, 3, 2, 1])
  }

  @Test func `A page that cannot be stamped is not saved, nor are its models`() async throws {
    let service = ShiftingService(Listed.items(1...4))
    let list = open(service)
    try await list.refresh()
    try await database.write { db in
      try db.execute(
        """
        CREATE TRIGGER refusal BEFORE INSERT ON evocation_fetches BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
    }
    guard case .failed = await list.goToNextPage() else {
      Issue.record("The page was saved.")
      return
    }
    #expect(try await local.find(Criteria()).value == Listed.items(1...2))
    try await database.write { try $0.execute("DROP TRIGGER refusal") }
    #expect(try await list.ids() == [1, 2])
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [1, 2, 3, 4])
  }

  @Test func `A model leaves every list by whichever statement it is removed`() async throws {
    let service = ShiftingService(Listed.items(1...4))
    let evocation = Evocation()
    let list = open(service, evocation: evocation)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    let other = evocation.pagingCache(Listed.self, pageSize: 3)
    other.requirements = Criteria().sorted(by: "title")
    try await other.refresh()
    try await database.write { try $0.execute("DELETE FROM listed WHERE id = 2") }
    try await database.write { try $0.execute("INSERT INTO listed VALUES (2, 'again')") }
    #expect(try await list.ids() == [1, 3, 4])
    #expect(try await other.ids() == [1, 3])
    try await local.removeAll(matching: Criteria.Key("id") < 4)
    list.window = 0..<1
    var states = list.observe().makeAsyncIterator()
    let state = try #require(await states.next()?.cache)
    #expect(state.cache.map(\.id) == [4])
    #expect(state.count == 1)
  }

  /// How a model is removed.
  enum Removal: CaseIterable { case call, criteria, mirror, outbox, sql }

  @Test(arguments: Removal.allCases)
  func `A model that is stored again does not come back to a list`(
    _ removal: Removal
  )
    async throws
  {
    let service = ShiftingService(Listed.items(1...6))
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    let list = open(service, evocation: evocation)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    switch removal {
    case .call: _ = try await local.remove([Listed(2), Listed(5)])
    case .criteria: try await local.removeAll(matching: Criteria.Key("id").in([2, 5]))
    case .mirror: try await local.mirror([1, 3, 4, 6].map { Listed($0) }, for: Criteria())
    case .outbox:
      evocation.register(for: Listed.self).strategy(.offlineFirst)
        .repository(remote: service).repository(local: local)
      for id in [2, 5] { #expect(await evocation.removeOne(Listed(id)).error == nil) }
    case .sql:
      try await database.write { try $0.execute("DELETE FROM listed WHERE id IN (2, 5)") }
    }
    _ = try await local.store([Listed(2), Listed(5)])
    #expect(try await list.ids() == [1, 3, 4, 6])
  }

  @Test func `A list that is replaced leaves the models that other lists have`() async throws {
    let service = ShiftingService(Listed.items(1...4))
    let evocation = Evocation()
    let list = open(service, evocation: evocation)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    let other = evocation.pagingCache(Listed.self, pageSize: 3)
    other.requirements = Criteria().sorted(by: "title")
    try await other.refresh()
    service.items = [Listed(9)]
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3, 9])
    #expect(try await other.ids() == [1, 2, 3])
  }

  @Test func `A model that moves in a long list is where it is now, once`() async throws {
    let service = ShiftingService(Listed.items(1...140))
    let list = open(service)
    try await list.refresh()
    for _ in 0..<60 { #expect(await list.goToNextPage() == .successful) }
    service.items =
      Listed.items(1...2) + Listed.items(4...123) + [Listed(3)] + Listed.items(124...140)
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [1, 2] + Array(4...122) + [3, 124])
  }

  @Test func `A replaced list leaves no row, and its models go with it`() async throws {
    let service = ShiftingService(Listed.items(1...200))
    let list = open(service)
    try await list.refresh()
    for _ in 0..<60 { #expect(await list.goToNextPage() == .successful) }
    #expect(try await count("evocation_pages") == 61)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await list.ids() == [1, 2])
    #expect(try await local.count() == 2)
    #expect(try await count("evocation_pages") == 1)
  }

  @Test func `A refresh of all pages that the app's end cut short begins again after it`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...6))
    try await {
      let list = open(service, refreshes: .allPages)
      try await list.refresh()
      for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
      service.items = Listed.items(11...16)
      service.answersUntilOutage = 2
      #expect(try await list.refresh(force: true) == .failed(ShiftingService.Outage()))
    }()
    await database.close()
    let reopened = try SQLiteRepository<Listed>(try SQLiteDatabase(path: folder.path()))
    let list = open(service, reopened, refreshes: .allPages)
    #expect(try await list.ids() == [1, 2, 3, 4, 5, 6])
    service.answersUntilOutage = 3
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await list.ids() == Array(11...16))
    #expect(try await reopened.find(Criteria()).value == Listed.items(11...16))
  }

  @Test func `A list that is to begin with its first page is cut down to it`() async throws {
    let service = ShiftingService(Listed.items(1...6))
    try await {
      let list = open(service)
      try await list.refresh()
      #expect(await list.goToNextPage() == .successful)
    }()
    // The end of a page may still hold the first list, which is cut down only at its first use.
    await database.close()
    let reopened = try SQLiteRepository<Listed>(try SQLiteDatabase(path: folder.path()))
    let list = open(service, reopened, keepsPages: false)
    #expect(try await list.ids() == [1, 2])
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [1, 2, 3, 4])
  }

  @Test func `A deep window is read by indexes alone`() async throws {
    let service = ShiftingService(Listed.items(1...8))
    let list = open(service)
    try await list.refresh()
    for _ in 0..<3 { #expect(await list.goToNextPage() == .successful) }
    let plans = try await database.read { db in
      try db.rows(
        """
        EXPLAIN QUERY PLAN SELECT listed.id FROM (SELECT evocation_id.value FROM evocation_pages CROSS \
        JOIN json_each(ids) AS evocation_id WHERE list = '' AND page BETWEEN 3 AND 4 ORDER BY page, \
        evocation_id.key LIMIT 2 OFFSET 1) AS item CROSS JOIN listed ON listed.id = item.value
        """
      ).map { "\($0["detail"] ?? .null)" }
    }
    let tables = ["evocation_pages", "listed"]
    for table in tables {
      #expect(plans.contains { $0.contains("SEARCH \(table) USING") }, "\(plans)")
    }
    #expect(plans.allSatisfy { plan in tables.allSatisfy { !plan.contains("SCAN \($0)") } })
  }
}
