import Fixtures
import TestTraits
import Testing

@Suite(.patient) struct ServicesTests {
  @Test func `There is a service to be tested`() {
    #expect(
      !RealService.running.isEmpty || !RealSockets.running.isEmpty,
      "Start them by scripts/test-services, which runs these tests.")
  }

  @Test(arguments: RealService.running)
  func `A service keeps what the tests put there themselves`(service: RealService) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      try await service.alone {
        let cars = try Car.all().prefix(105).map(Model.init)
        let filled = try await service.fill(cars)
        #expect(filled.count == 105)
        #expect(Set(filled.map(\.name)) == Set(cars.map(\.name)))
        if !service.givesIdentifiers { #expect(Set(filled) == Set(cars)) }
      }
      #expect(try await service.alone { try await service.rows(type) } == [])
    }
    try await check(service.model)
  }
}
