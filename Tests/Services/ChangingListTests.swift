import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestSupport
import TestTraits
import Testing

/// Lists that others change while they are read, page by page.
@Suite(.patient) struct ChangingListTests {
  @Test(arguments: PagingTests.cases)
  func `What others remove before the next page hides nothing where the service has tokens`(
    tried: PagingTests.Case
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await tried.service.fill(try Car.all().prefix(230).map(Model.init))
        .sorted(by: Self.isInOrder)
      let gone = Array(cars.prefix(3))
      let list = Reading<Model>(tried) { for car in gone { try await tried.service.remove(car) } }
      if let found = try await list.readOrRefused(Criteria()) {
        #expect(Set(found.map(\.id)).count == found.count)
        let missing = Set(cars.map(\.id)).subtracting(found.map(\.id)).subtracting(gone.map(\.id))
        // By a number or an offset, what comes after the removed ones moves to the page before.
        #expect(
          missing.count <= (tried.service.hasTokens ? 0 : gone.count), "\(list.meddler.lines)")
      }
      let again = try await list.read(Criteria())
      #expect(Set(again) == Set(cars.dropFirst(3)))
    }
    try await tried.service.alone { try await check(tried.service.model) }
  }

  @Test(arguments: PagingTests.cases)
  func `What others add before the next page has nothing twice`(
    tried: PagingTests.Case
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await tried.service.fill(try Car.all().prefix(230).map(Model.init))
      let new = Model(car(99_999, "added"))
      let list = Reading<Model>(tried) { try await tried.service.add(new) }
      // Ids of JSON:API are texts, by which nothing is sorted; the added one has the latest year.
      let newestFirst =
        tried.service == .jsonAPI
        ? Criteria().sorted(by: "year", descending: true).sorted(by: "weight").sorted(by: "name")
        : Criteria().sorted(by: tried.service.identifierKey, descending: true)
      if let found = try await list.readOrRefused(newestFirst) {
        #expect(Set(found.map(\.id)).count == found.count, "\(found.count) models")
        #expect(Set(cars.map(\.id)).subtracting(found.map(\.id)) == [])
      }
      let again = try await list.read(newestFirst)
      #expect(again.count == 231)
    }
    try await tried.service.alone { try await check(tried.service.model) }
  }

  /// The order in which the service has them.
  private static func isInOrder<Model: ServiceCar>(_ one: Model, _ other: Model) -> Bool {
    if let one = one.id as? Int, let other = other.id as? Int { return one < other }
    return "\(one.id)" < "\(other.id)"
  }
}

/// A list that is read in one of the ways, of which the service is changed once, after its first page.
private struct Reading<Model: ServiceCar> {
  let meddler: Meddler
  private let tried: PagingTests.Case
  private let remote: HTTPRepository<Model>
  private let pageSize: Int
  private let evocation = Evocation()

  init(_ tried: PagingTests.Case, _ change: @escaping @Sendable () async throws -> Void) {
    self.tried = tried
    meddler = Meddler(tried.service)
    let isFirst = Lock(true)
    meddler.onAnswer { _ in
      let isNow = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if isNow { try await change() }
    }
    var wishes = Wishes(transport: meddler)
    pageSize = min(100, tried.service.largestPage)
    wishes.pageSize = tried.service == .djangoFixed ? nil : pageSize
    remote = repository(of: tried.service, Model.self, wishes)
    evocation.register(for: Model.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Model>())
  }

  /// Reads it, unless it is said that the list has changed meanwhile; which a service with tokens need not say.
  func readOrRefused(_ criteria: Criteria) async throws -> [Model]? {
    do {
      return try await read(criteria)
    } catch let error as HTTPError where error.code == .incompleteList {
      #expect(!tried.service.hasTokens && tried.way == .whole)
      return nil
    }
  }

  func read(_ criteria: Criteria) async throws -> [Model] {
    guard tried.way != .whole else { return try await remote.find(criteria).value }
    let list = evocation.pagingCache(
      Model.self, pageSize: pageSize, options: .init(paging: tried.way == .link ? .link : .offset))
    list.requirements = criteria
    if case .failed(let error) = try await list.refresh(force: true) { throw error }
    while true {
      switch await list.goToNextPage() {
      case .successful: continue
      case .failed(let error): throw error
      case .skipped: return try await list.value()
      }
    }
  }
}
