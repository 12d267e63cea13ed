import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

/// A write of one model, on whose way one thing goes wrong.
@Suite(.patient) struct WriteFaultTests {
  enum Write: String, CaseIterable, Sendable { case store, update, storeOrUpdate, remove }

  /// What is written, and what goes wrong.
  struct Case: Sendable, CustomTestStringConvertible {
    let service: RealService
    let write: Write
    let fault: Meddler.Fault

    var testDescription: String { "\(service), \(write), \(fault)" }

    /// Whether the service has no way to know that it has done a write already.
    ///
    /// Such a service gives new models their ids, and a model whose answer is lost is there twice, as the
    /// page "Offline" says.
    var mayBeTwice: Bool {
      service.givesIdentifiers && write == .store && (fault == .lostAfter || fault == .silentAfter)
    }
  }

  /// A gateway's 404 to a write cannot be told from the service's own.
  static let cases = RealService.runningOnce.flatMap { service in
    Write.allCases.flatMap { write in
      Meddler.Fault.allCases.filter { $0 != .ignoredSize && $0 != .gateway }.map {
        Case(service: service, write: write, fault: $0)
      }
    }
  }

  /// A service with three cars, and the way to it.
  private struct Trial<Model: ServiceCar> {
    let tried: Case
    let meddler: Meddler
    let clock = ManualClock()
    let renewals = Lock(0)
    let remote: HTTPRepository<Model>
    let cars: [Model]
    /// What is written: the second car with another name, or one that is not there.
    let model: Model

    init(_ tried: Case, _ type: Model.Type) async throws {
      self.tried = tried
      cars = try await tried.service.fill(try Car.all().prefix(3).map(Model.init))
      meddler = Meddler(tried.service)
      var wishes = Wishes(transport: meddler, clock: clock)
      wishes.authorization = { [renewals] occasion in
        if occasion == .refusal { renewals.withLock { $0 += 1 } }
        return "Bearer token"
      }
      remote = repository(of: tried.service, type, wishes)
      var model = tried.write == .store ? Model(car(-1, origin: "new")) : cars[1]
      if !tried.service.takesNegativeIdentifiers, tried.write == .store {
        model = Model(car(900, origin: "new"))
      }
      if tried.write != .remove { model.name = "written" }
      self.model = model
      meddler.add(Meddler.Rule(fault: tried.fault) { $0.action != "GET" })
    }

    /// Whether the service has it all, once and nothing else.
    func expectDone(twice: Bool = false) async throws {
      let rows: [Model] = try await tried.service.rows()
      let (mine, others) = (
        rows.filter { $0.name == "written" }, rows.filter { $0.name != "written" }
      )
      switch tried.write {
      case .remove: #expect(Set(rows) == Set([cars[0], cars[2]]), "\(meddler.lines)")
      case .update, .storeOrUpdate:
        #expect(mine == [model], "\(meddler.lines)")
        #expect(Set(others) == Set([cars[0], cars[2]]))
      case .store:
        #expect(twice ? [1, 2].contains(mine.count) : mine.count == 1, "\(meddler.lines)")
        #expect(Set(others) == Set(cars))
      }
    }

    func isDone() async throws -> Bool {
      let rows: [Model] = try await tried.service.rows()
      return tried.write == .remove ? rows.count == 2 : rows.contains { $0.name == "written" }
    }
  }

  @Test(arguments: cases) func `A write is done once, or fails with what passes`(
    tried: Case
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let trial = try await Trial(tried, type)
      async let silence: Void = ReadFaultTests.pass(trial.meddler, trial.clock, tried.fault)
      do {
        switch tried.write {
        case .store: _ = try await trial.remote.storeOne(trial.model)
        case .update:
          #expect(try await trial.remote.updateOne(trial.model).value?.name == "written")
        case .storeOrUpdate: _ = try await trial.remote.storeOrUpdate([trial.model])
        case .remove: _ = try await trial.remote.removeOne(trial.model)
        }
        try await trial.expectDone()
      } catch {
        #expect(FailureKind(error) == .transient, "\(error)")
        #expect(tried.fault != .unauthorized && tried.fault != .redirect, "\(error)")
        let rows: [Model] = try await tried.service.rows()
        #expect(rows.count(where: { $0.name == "written" }) <= 1, "\(trial.meddler.lines)")
        let hasActed = tried.fault == .lostAfter || tried.fault == .silentAfter
        #expect(try await trial.isDone() == hasActed, "\(trial.meddler.lines)")
      }
      await silence
      #expect(trial.renewals.withLock { $0 } == (tried.fault == .unauthorized ? 1 : 0))
    }
    try await tried.service.alone { try await check(tried.service.model) }
  }

  @Test(arguments: cases) func `The outbox has it done once`(tried: Case) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let trial = try await Trial(tried, type)
      let evocation = Evocation.flushedByHand(clock: trial.clock)
      evocation.register(for: type).repository(remote: trial.remote)
        .repository(local: InMemoryRepository<Model>()).strategy(.offlineFirst)
      #expect(await evocation.find(model: type, rule: .mirrored).data?.count == 3)
      let isKept =
        switch tried.write {
        case .store: await evocation.storeOne(trial.model).isPending
        case .update: await evocation.updateOne(trial.model).isPending
        case .storeOrUpdate: await evocation.storeOrUpdate([trial.model]).isPending
        case .remove: await evocation.removeOne(trial.model).isPending
        }
      #expect(isKept)
      async let silence: Void = ReadFaultTests.pass(trial.meddler, trial.clock, tried.fault)
      var last = await evocation.outbox.flush()
      await silence
      for _ in 0..<4 where last.left > 0 {
        trial.clock.advance(by: .seconds(3600))
        last = await evocation.outbox.flush()
      }
      #expect(last.left == 0 && last.parked == 0, "\(trial.meddler.lines)")
      try await trial.expectDone(twice: tried.mayBeTwice)
      let local = await evocation.find(model: type, rule: .mirrored).data ?? []
      #expect(Set(local) == Set(try await tried.service.rows(type)))
    }
    try await tried.service.alone { try await check(tried.service.model) }
  }

  @Test(arguments: RealService.running.filter(\.isKinto))
  func `A batch of which each request is refused once is sent with another credential`(
    service: RealService
  ) async throws {
    try await service.alone {
      let meddler = Meddler(service)
      let renewals = Lock(0)
      var wishes = Wishes(transport: meddler)
      wishes.authorization = { occasion in
        if occasion == .refusal { renewals.withLock { $0 += 1 } }
        return "Bearer token"
      }
      meddler.add(Meddler.Rule(fault: .unauthorized) { $0.url.path().hasSuffix("/batch") })
      let cars = try Car.all().prefix(3).map(RecordCar.init)
      let remote = repository(of: service, RecordCar.self, wishes)
      #expect(try await remote.store(cars).value == cars)
      #expect(renewals.withLock { $0 } == 1)
      #expect(Set(try await service.rows(RecordCar.self)) == Set(cars))
    }
  }
}
