import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

/// Devices that write, lose their connection and end, over each service.
@Suite(.patient) struct ConvergenceTests {
  @Test(arguments: RealService.running)
  func `In the end all devices and the service have what was acknowledged`(
    service: RealService
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      var random = Trials.random("devices over \(service)")
      for number in 0..<Trials.count(3) {
        try await service.empty()
        let world = try Fleet<Model>(service, seed: random.next(), hasFiles: number % 3 != 2)
        let problems = try await world.play(steps: 60)
        let story = problems.isEmpty ? "" : "\n" + world.story
        #expect(problems == [], "round \(number)\(story)")
        if !problems.isEmpty { return }
      }
    }
    try await service.alone { try await check(service.model) }
  }
}
