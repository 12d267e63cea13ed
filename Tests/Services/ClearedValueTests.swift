import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestSupport
import TestTraits
import Testing

/// Values that an app takes away from a model.
@Suite(.patient) struct ClearedValueTests {
  @Test(arguments: RealService.runningOnce)
  func `A value that is taken away is gone at the service too`(service: RealService) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      // The first id that services give which give ids.
      var car = car(8)
      (car.milesPerGallon, car.horsepower) = (18, 130)
      let whole = Model(car)
      (car.milesPerGallon, car.horsepower) = (nil, nil)
      let cleared = Model(car)
      #expect(try await service.fill([whole]) == [whole])
      #expect(try await repository(of: service, type).updateOne(cleared).value == cleared)
      #expect(try await service.rows(type) == [cleared])
      _ = try await repository(of: service, type).updateOne(whole)
      #expect(try await service.rows(type) == [whole])
      let evocation = Evocation.flushedByHand()
      evocation.register(for: type).repository(remote: repository(of: service, type))
        .repository(local: InMemoryRepository<Model>()).strategy(.offlineFirst)
      #expect(await evocation.find(model: type, rule: .mirrored).data == [whole])
      #expect(await evocation.updateOne(cleared).isPending)
      #expect(await evocation.outbox.flush().sent == 1)
      #expect(try await service.rows(type) == [cleared])
      #expect(await evocation.find(model: type, rule: .mirrored).data == [cleared])
    }
    try await service.alone { try await check(service.model) }
  }
}
