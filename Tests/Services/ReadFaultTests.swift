import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestSupport
import TestTraits
import Testing

/// A list of three pages, on whose way one thing goes wrong.
@Suite(.patient) struct ReadFaultTests {
  /// After what a read has all models all the same.
  private static let harmless: Set<Meddler.Fault> = [
    .lostBefore, .lostAfter, .unauthorized, .redirect,
  ]

  @Test(arguments: RealService.running)
  func `A read gives all or an error, and a mirror loses nothing`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await service.fill(try Car.all().prefix(120).map(Model.init))
      for fault in Meddler.Fault.allCases {
        for page in 1...2 { try await read(cars, service, fault, page) }
      }
    }
    try await service.alone { try await check(service.model) }
  }

  private func read<Model: ServiceCar>(
    _ cars: [Model], _ service: RealService, _ fault: Meddler.Fault, _ page: Int
  ) async throws {
    let meddler = Meddler(service)
    let clock = ManualClock()
    let renewals = Lock(0)
    var wishes = Wishes(transport: meddler, clock: clock)
    wishes.pageSize = service == .djangoFixed ? nil : 50
    wishes.authorization = { occasion in
      if occasion == .refusal { renewals.withLock { $0 += 1 } }
      return "Bearer token"
    }
    let evocation = Evocation()
    evocation.register(for: Model.self)
      .repository(remote: repository(of: service, Model.self, wishes))
      .repository(local: InMemoryRepository<Model>(cars))
    meddler.add(Meddler.Rule(fault: fault, passing: page - 1))
    async let silence: Void = Self.pass(meddler, clock, fault)
    let result = await evocation.find(model: Model.self, rule: .mirrored)
    await silence
    let comment: Comment = "\(fault), page \(page): \(meddler.lines)"
    if let error = result.error {
      #expect(!Self.harmless.contains(fault), comment)
      let error = try #require(error as? HTTPError, comment)
      #expect(FailureKind(error) != .conflict, comment)
      if fault == .busy { #expect(error.retryAfter == .seconds(2), comment) }
    } else {
      #expect(Self.harmless.contains(fault) || fault == .ignoredSize, comment)
      #expect(Set(result.data ?? []) == Set(cars), comment)
      #expect(result.data?.count == cars.count, comment)
    }
    #expect(renewals.withLock { $0 } == (fault == .unauthorized ? 1 : 0), comment)
    let local = await evocation.find(model: Model.self, rule: .localOnly)
    #expect(Set(local.data ?? []) == Set(cars), comment)
    let again = await evocation.find(model: Model.self, rule: .mirrored)
    #expect(again.data?.count == cars.count, "\(comment): \(String(describing: again.error))")
  }

  /// Lets the time go by in which nothing comes.
  static func pass(_ meddler: Meddler, _ clock: ManualClock, _ fault: Meddler.Fault) async {
    guard fault == .silentBefore || fault == .silentAfter else { return }
    await meddler.passSilence(clock)
  }

  @Test(arguments: RealService.running) func `A limit is kept where the service does not know it`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await service.fill(try Car.all().prefix(120).map(Model.init))
      let meddler = Meddler(service)
      meddler.add(Meddler.Rule(fault: .ignoredSize, times: .max))
      let remote = repository(of: service, type, Wishes(transport: meddler))
      do {
        let found = try await remote.find(Criteria().limit(20)).value
        #expect(found == Array(cars.prefix(20)))
      } catch let error as HTTPError {
        #expect(error.code == .incompleteList || error.code == .unsupportedCriteria, "\(error)")
      }
    }
    try await service.alone { try await check(service.model) }
  }

  @Test(arguments: RealService.running) func `A paged list skips nothing where a page is longer`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let cars = try await service.fill(try Car.all().prefix(250).map(Model.init))
      let meddler = Meddler(service)
      meddler.add(Meddler.Rule(fault: .ignoredSize, times: .max))
      let evocation = Evocation()
      evocation.register(for: type)
        .repository(remote: repository(of: service, type, Wishes(transport: meddler)))
        .repository(local: InMemoryRepository<Model>())
      let list = evocation.pagingCache(
        type, pageSize: 20, options: .init(paging: service.hasTokens ? .link : .offset))
      list.requirements = Criteria()
      guard case .successful = try await list.refresh() else { return }
      while true {
        switch await list.goToNextPage() {
        case .successful: continue
        case .failed: return
        case .skipped:
          let found = try await list.value()
          #expect(Set(found) == Set(cars), "\(found.count) of \(cars.count) without an error")
          return
        }
      }
    }
    try await service.alone { try await check(service.model) }
  }
}
