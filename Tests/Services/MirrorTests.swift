import Evocation
import EvocationHTTP
import Fixtures
import TestTraits
import Testing

/// What a device keeps when it reads a part of what a service has.
@Suite(.patient) struct MirrorTests {
  @Test(arguments: RealService.runningOnce)
  func `A read of some models takes no others from the device`(service: RealService) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      // Ids of one digit and of two, of which text has another order.
      let cars = try await service.fill(try Car.all().prefix(30).map(Model.init))
      let remote = repository(of: service, type)
      let parts: [Criteria] = [
        Criteria().limit(5),
        Criteria().sorted(by: service.identifierKey, descending: true).limit(5),
        Criteria().sorted(by: "milesPerGallon").limit(3), Criteria().sorted(by: "name").limit(3),
        Criteria.Key("year") == 1970, (Criteria.Key("year") >= 1970).limit(1),
      ]
      for part in parts {
        let evocation = Evocation()
        let local = InMemoryRepository<Model>(cars)
        evocation.register(for: type).repository(remote: remote).repository(local: local)
        let result = await evocation.find(model: type, criteria: part, rule: .mirrored)
        if let found = result.data, result.error == nil {
          #expect(!found.isEmpty && Set(found).isSubset(of: cars), "\(part)")
        }
        let kept = try await local.find(Criteria()).value
        #expect(Set(kept) == Set(cars), "\(part): \(kept.count) of \(cars.count)")
      }
    }
    try await service.alone { try await check(service.model) }
  }
}
