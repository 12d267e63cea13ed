import Evocation
import EvocationTesting
import TestTraits
import Testing

/// The samples of the page on paging, as they stand there.
@Suite(.serialized, .patient) struct PagingPageTests {
  /// A model of its own, because `shared` has one proxy for each type and suites run side by side.
  struct Car: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var year = 1980
  }

  private func register(_ evocation: Evocation) {
    evocation.register(for: Car.self)
      .repository(remote: InMemoryRepository((1...120).map { Car(id: $0) }))
      .repository(local: InMemoryRepository<Car>())
  }

  @Test func `a registered model is a list with no further code`() async throws {
    register(.shared)
    let cars = Evocation.shared.pagingCache(
      Car.self, where: Criteria().sorted(by: "year"), pageSize: 50, maxAge: .hours(1))
    let observation = cars.observe { state in
      guard let list = state.cache else { return print("nothing yet") }
      print(list.cache.count, "cars", list.areMorePages ? "and more" : "and no more")
      if case .error(let error) = list.next { print("the next page failed:", error) }
    }
    defer { observation.cancel() }
    #expect(try await cars.refresh(force: true) == .successful)
    switch await cars.goToNextPage() {
    case .successful: print("saved and shown")
    case .failed(let error): print("the list is as it was, because", error)
    case .skipped(let reason): print("nothing to do:", reason)
    }
    #expect(try await cars.value().map(\.id) == Array(1...100))
    cars.window = 0..<200
    #expect(cars.window == 0..<200)
  }

  @Test func `a list by each kind of paging has all there is`() async throws {
    let evocation = Evocation()
    register(evocation)
    let byPlace = evocation.pagingCache(Car.self, pageSize: 50, options: .init(paging: .after))
    let byCursor = evocation.pagingCache(
      Car.self, pageSize: 50, options: .init(paging: .cursor(key: "X-Next-Cursor")))
    let byNumber = evocation.pagingCache(
      Car.self, pageSize: 50,
      options: .init(paging: .number { criteria, page in criteria && ["page": page] }))
    let withEnd = evocation.pagingCache(
      Car.self, pageSize: 50,
      options: .init(
        paging: .number(endsWithNotFound: true) { criteria, page in criteria && ["page": page] }))
    #expect(withEnd.source.pageSize == 50)
    byPlace.requirements = Criteria()
    try await byPlace.refresh()
    while await byPlace.goToNextPage() == .successful {}
    #expect(try await byPlace.value().count == 120)
    #expect(byCursor.source.pageSize == byNumber.source.pageSize)
  }

  @Test func `a list is refreshed whole, and kept short`() async throws {
    let evocation = Evocation()
    register(evocation)
    let whole = evocation.pagingCache(
      Car.self, pageSize: 50, maxAge: .hours(1), options: .init(refreshes: .allPages))
    try await whole.refresh()
    #expect(await whole.goToNextPage() == .successful)
    #expect(try await whole.refresh(force: true) == .successful)
    #expect(try await whole.value().count == 100)
    let short = evocation.pagingCache(Car.self, pageSize: 50, options: .init(maxPages: 20))
    #expect(short.source.options.maxPages == 20)
  }

  @Test func `the samples of the doc comments are true`() async throws {
    register(.shared)
    let cars = Evocation.shared.pagingCache(Car.self, pageSize: 50, options: .init(paging: .after))
    cars.requirements = Criteria()
    let paging = ProxyPaging.number { criteria, page in criteria && ["page": page] }
    let counted = Evocation.pagingCache(Car.self, pageSize: 50, options: .init(paging: paging))
    #expect(counted.source.pageSize == 50)
    #expect(try await cars.refresh() == .successful)
    let second = PageNumber(1).next
    #expect(second == 2)
    struct AfterRepo: PageRequirements {
      var lastID: Int?
    }
    #expect(!AfterRepo(lastID: 1).isEnd)
  }

  @Test func `one page of a list is fetched`() async throws {
    let evocation = Evocation()
    register(evocation)
    let list: PagingCacheRepository<ProxyPagingCacheDataSource<Car>>
    list = evocation.pagingCache(Car.self, where: \.year == 1980, pageSize: 50)
    let criteria: Criteria = ["year": 1980]
    let first = list.source.firstPage(criteria)
    let page = try await list.source.fetchFreshCache(criteria, pagingRequirements: first)
    for car in page.content { print(car.id) }
    #expect(page.content.map(\.id) == Array(1...50))
    #expect(page.next != nil && page.next != first)
  }

  @Test func `the states of a list are a sequence`() async throws {
    let (shown, continuation) = AsyncStream<[Car]>.makeStream()
    @Sendable func show(_ cars: [Car]) { continuation.yield(cars) }
    register(.shared)
    let watching = Task {
      let cars = Evocation.shared.pagingCache(Car.self, pageSize: 50, maxAge: .seconds(3600))
      cars.requirements = Criteria()
      for await state in cars.observe() { show(state.cache?.cache ?? []) }
    }
    #expect(await shown.first { !$0.isEmpty }?.map(\.id) == Array(1...50))
    watching.cancel()
    await watching.value
  }
}
