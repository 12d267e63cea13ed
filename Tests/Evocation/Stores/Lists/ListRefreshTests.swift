import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// A refresh of all pages that fails, and what it leaves.
@Suite(.patient) struct ListRefreshTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let ledger = TurningLedger()
  private let evocation: Evocation
  private let local = PickyRepository()

  init() {
    evocation = Evocation(configuration: .init(ledger: ledger))
    evocation.register(for: Listed.self).repository(local: local)
  }

  private func list(
    _ service: some Repository<Listed>, _ paging: ProxyPaging, keptPages: Int? = nil
  ) throws -> List {
    // The proxy stays, and with it the lists in memory.
    try evocation.proxy(for: Listed.self).repository(remote: service)
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2,
      options: .init(
        paging: paging, refreshes: .allPages, maxPages: keptPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }

  /// A list of three pages, of which a refresh has fetched so many before it failed.
  private func interrupted(_ service: ShiftingService, after pages: Int) async throws -> List {
    let list = try list(service, service.paging)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    service.answersUntilOutage = pages
    #expect(try await list.refresh(force: true) == .failed(ShiftingService.Outage()))
    service.answersUntilOutage = nil
    return list
  }

  @Test func `A progress counts the pages of a refresh of all pages`() async throws {
    let service = ShiftingService(Listed.items(1...6))
    let list = try list(service, service.paging)
    let first = Progress(totalUnitCount: -1)
    #expect(try await list.cache.refresh(progress: first) == .successful)
    #expect(first.isFinished)
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    service.answersUntilOutage = 2
    let interrupted = Progress(totalUnitCount: -1)
    #expect(
      try await list.cache.refresh(progress: interrupted) == .failed(ShiftingService.Outage()))
    // It has ended, with what was fetched.
    #expect(interrupted.isFinished && interrupted.completedUnitCount == 2)
    service.answersUntilOutage = nil
    let progress = Progress(totalUnitCount: -1)
    #expect(try await list.cache.refresh(progress: progress) == .successful)
    #expect(progress.totalUnitCount == 3)
    #expect(progress.isFinished)
  }

  @Test func `A refresh that failed leaves the old list, and nobody who remembers what is written`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...6))
    let list = try await interrupted(service, after: 2)
    #expect(try await list.ids() == Array(1...6))
    #expect(try !evocation.proxy(for: Listed.self).log.isMarked)
    let count = service.asked.count
    service.items = Listed.items(11...16)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(service.asked.dropFirst(count).map(\.offset) == [0, 2, 4])
    #expect(try await list.ids() == Array(11...16))
  }

  @Test func `What local refuses leaves the old list, and the next refresh asks again`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...6))
    let list = try await interrupted(service, after: 2)
    local.refused = 1
    for _ in 0..<2 {
      let count = service.asked.count
      #expect(try await list.refresh(force: true) == .failed(PickyRepository.Refusal()))
      #expect(service.asked.dropFirst(count).map(\.offset) == [0, 2, 4])
      #expect(try await list.ids() == Array(1...6))
    }
    service.items = Listed.items(2...7)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await list.ids() == Array(2...7))
  }

  @Test func `A page that cannot be stamped is not in the list, nor is what it dropped gone`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...8))
    let list = try list(service, service.paging, keptPages: 2)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    ledger.isRefusing = true
    #expect(await list.goToNextPage() == .failed(TurningLedger.Refusal()))
    #expect(try await list.ids() == [1, 2, 3, 4])
    ledger.isRefusing = false
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [3, 4, 5, 6])
    #expect(await list.goToPreviousPage() == .successful)
    #expect(try await list.ids() == [1, 2, 3, 4])
  }

  @Test func `A refresh that cannot be stamped leaves the list as it was, of one page or of all`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...6))
    let list = try list(service, service.paging)
    try await list.refresh()
    for (before, start) in [(1...2, 11), (11...14, 21)] {
      service.items = Listed.items(start...start + 5)
      ledger.isRefusing = true
      #expect(try await list.refresh(force: true) == .failed(TurningLedger.Refusal()))
      #expect(try await list.ids() == Array(before))
      ledger.isRefusing = false
      #expect(try await list.refresh(force: true) == .successful)
      #expect(try await list.ids() == Array(start...start + before.count - 1))
      #expect(await list.goToNextPage() == .successful)
    }
  }
}

/// A ledger that refuses to be written when it is told to.
private final class TurningLedger: ForwardingLedger {
  struct Refusal: Error {}

  let base = InMemoryFetchLedger()
  private let refusing = Lock(false)

  var isRefusing: Bool {
    get { refusing.withLock { $0 } }
    set { refusing.withLock { $0 = newValue } }
  }

  func write(_ record: FetchRecord, for tag: String) async throws {
    if isRefusing { throw Refusal() }
    try await base.write(record, for: tag)
  }
}

/// A local repository that refuses one id, as one with a constraint does.
private final class PickyRepository: ForwardingRepository {
  struct Refusal: Error {}

  let base = InMemoryRepository<Listed>()
  private let unwanted = Lock<Int?>(nil)

  var refused: Int? {
    get { unwanted.withLock { $0 } }
    set { unwanted.withLock { $0 = newValue } }
  }

  func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> {
    if models.contains(where: { $0.id == refused }) { throw Refusal() }
    return try await base.storeOrUpdate(models)
  }
}
