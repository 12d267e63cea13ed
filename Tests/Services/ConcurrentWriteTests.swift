import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestSupport
import TestTraits
import Testing

/// Many writes at once.
@Suite(.patient) struct ConcurrentWriteTests {
  @Test(arguments: RealService.runningOnce)
  func `Stores side by side are all done, or fail with what passes`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let meddler = Meddler(service)
      let remote = repository(of: service, type, Wishes(transport: meddler))
      let models = (1...40).map { Model(car($0, "n\($0)", origin: "o\($0)")) }
      let failures = await withTaskGroup(of: (Model, any Error)?.self) { group in
        for model in models {
          group.addTask {
            do {
              _ = try await remote.storeOne(model)
              return nil
            } catch {
              return (model, error)
            }
          }
        }
        var failures: [(Model, any Error)] = []
        for await failure in group { if let failure { failures.append(failure) } }
        return failures
      }
      let rows = Set(try await service.rows(type).map(\.origin))
      #expect(rows == Set(models.map(\.origin)).subtracting(failures.map { $0.0.origin }))
      // Kinto answers some of them that they meet, and means that they are to be sent again.
      for (_, error) in failures { #expect(FailureKind(error) == .transient, "\(error)") }
    }
    try await service.alone { try await check(service.model) }
  }

  @Test(arguments: RealService.runningOnce)
  func `The outbox sends side by side, and parks nothing`(service: RealService) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      let clock = ManualClock()
      let evocation = Evocation.flushedByHand(clock: clock)
      evocation.register(for: type).repository(remote: repository(of: service, type))
        .repository(local: InMemoryRepository<Model>()).strategy(.offlineFirst)
      for number in 1...60 {
        let id = service.givesIdentifiers ? -number : number
        #expect(await evocation.storeOne(Model(car(id, origin: "o\(number)"))).isPending)
      }
      var last = await evocation.outbox.flush()
      for _ in 0..<5 where last.left > 0 {
        clock.advance(by: .seconds(3600))
        last = await evocation.outbox.flush()
      }
      #expect(last.left == 0 && last.parked == 0, "\(last)")
      let rows = try await service.rows(type).map(\.origin)
      #expect(rows.count == 60 - last.parked && Set(rows).count == rows.count)
    }
    try await service.alone { try await check(service.model) }
  }
}
