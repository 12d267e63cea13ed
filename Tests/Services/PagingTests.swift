import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Fixtures
import TestTraits
import Testing

/// All 406 cars, in their order, by each way of paging that a service has.
@Suite(.patient) struct PagingTests {
  /// How the parts of a list are asked for.
  enum Way: String, CaseIterable, Sendable {
    /// By a read without a limit, which goes on by itself.
    case whole
    /// By the addresses in the answers.
    case link
    /// By limit and offset, which are numbers of pages where the service has those.
    case offset
  }

  /// What a test of a list is about.
  struct Case: Sendable, CustomTestStringConvertible {
    let service: RealService
    let way: Way

    var testDescription: String { "\(service) by \(way.rawValue)" }
  }

  /// The ways that each service has.
  static let cases = RealService.running.flatMap { service in
    let ways: [Way] =
      switch service {
      case .kinto, .kintoInMemory, .datasette: [.whole, .link]
      case .djangoFixed, .djangoSized, .djangoOffsets, .jsonAPI: [.whole, .link, .offset]
      case .pocketBase, .fastAPI, .eve, .graphQL: [.whole, .offset]
      }
    return ways.map { Case(service: service, way: $0) }
  }

  /// By one model at a time a list takes as many requests as it has models, so it is read so in one way alone.
  private static func sizes(_ tried: Case) -> [Int] {
    let isOneByOne = tried.way == (tried.service == .djangoFixed ? .offset : .whole)
    return (isOneByOne ? [1] : []) + [7, 100, 406, 1000]
  }

  /// Either each car once, or an error: whether the service has pages of the size or not.
  @Test(arguments: RealService.running)
  func `A list has each car once, or says what is wrong`(service: RealService) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await service.fill(try Car.all().map(Model.init))
      #expect(cars.count == 406)
      for tried in Self.cases where tried.service == service {
        for size in Self.sizes(tried) { await compare(cars, tried, size) }
      }
    }
    try await service.alone { try await check(service.model) }
  }

  private func compare<Model: ServiceCar>(_ cars: [Model], _ tried: Case, _ size: Int) async {
    let words = "\(tried.testDescription), \(size)"
    do {
      let found = try await read(Model.self, tried, size)
      let missing = Set(cars.map(\.id)).subtracting(found.map(\.id)).count
      #expect(
        missing == 0 && found.count == Set(found.map(\.id)).count,
        "\(words): \(found.count) cars, \(missing) missing")
      #expect(found == cars, "\(words)")
    } catch {
      #expect(!Self.mustWork(tried, size), "\(words): \(error)")
    }
  }

  /// Whether a service that gives shorter pages than are asked for, or others, leaves no choice.
  private static func mustWork(_ tried: Case, _ size: Int) -> Bool {
    switch (tried.service, tried.way) {
    case (.fastAPI, .whole), (.eve, .whole), (.graphQL, .whole): size <= tried.service.largestPage
    case (_, .whole), (_, .link): true
    case (.djangoFixed, .offset): size == 100
    case (let service, .offset): size <= service.largestPage
    }
  }

  @Test(arguments: cases) func `A list that fills its last page ends with it`(
    tried: Case
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await tried.service.fill(try Car.all().prefix(100).map(Model.init))
      let found = try await read(type, tried, tried.service == .djangoFixed ? 100 : 50)
      #expect(Set(found) == Set(cars) && found.count == 100)
    }
    try await tried.service.alone { try await check(tried.service.model) }
  }

  @Test(arguments: RealService.running.filter { $0 == .fastAPI })
  func `A list that a service cuts without a word is not taken for whole`(
    service: RealService
  ) async throws {
    try await service.alone {
      let cars = try await service.fill(try Car.all())
      let evocation = Evocation()
      let local = InMemoryRepository<RowCar>(cars)
      evocation.register(for: RowCar.self)
        .repository(remote: HTTPRepository<RowCar>(HTTPService(service.address), "cars"))
        .repository(local: local).strategy(.remoteFirst)
      for _ in 0..<3 {
        let result = await evocation.find(model: RowCar.self)
        #expect(result.data?.count == 406)
        #expect(try await local.find(Criteria()).value == cars)
      }
    }
  }

  private func read<Model: ServiceCar>(
    _ type: Model.Type, _ tried: Case, _ size: Int
  ) async throws -> [Model] {
    var wishes = Wishes()
    if tried.way == .whole {
      wishes.pageSize = tried.service == .djangoFixed ? nil : size
      return try await repository(of: tried.service, type, wishes).find(Criteria()).value
    }
    let evocation = Evocation()
    evocation.register(for: type)
      .repository(remote: repository(of: tried.service, type, wishes))
      .repository(local: InMemoryRepository<Model>())
    let list = evocation.pagingCache(
      type, pageSize: size, options: .init(paging: tried.way == .link ? .link : .offset))
    list.requirements = Criteria()
    try Self.expect(try await list.refresh())
    while true {
      switch await list.goToNextPage() {
      case .successful: continue
      case .failed(let error): throw error
      case .skipped: return try await list.value()
      }
    }
  }

  private static func expect(_ outcome: RefreshResult) throws {
    if case .failed(let error) = outcome { throw error }
  }
}
