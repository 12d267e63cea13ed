import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContractTests {
  @Test func `the repository over HTTP keeps the contract of all repositories`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString)").appendingPathComponent("cars.json")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    // The service learns the fields from its data, so it begins with one car that is removed.
    let cars = Array(try Car.all().prefix(12).suffix(5))
    try JSONEncoder().encode([cars[0]]).write(to: file)
    let service = try await Service.start(data: [file])
    defer { service.stop() }
    let contract = RepositoryContract(cars) { car in
      var car = car
      car.weight += 1
      return car
    }
    let repository = HTTPRepository<Car>(baseURL: service.url, path: "cars")
    let report = await contract.report {
      _ = try await repository.remove(try await repository.find(Criteria()).value)
      return repository
    }
    #expect(report.violations == [])
    #expect(report.refused == [.or, .not, .observing])
  }
}
