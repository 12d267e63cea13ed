import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// A service that gives each model a version, as one with entity tags does.
private struct Versioned: Repository {
  var cars: [Car]

  private func answer(_ cars: [Car]) -> Response<[Car]> {
    Response(cars, versions: cars.map { $0.id == 2 ? nil : "v\($0.id)" })
  }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> { answer(cars) }
  func store(_ models: [Car]) async throws -> Response<[Car]> { answer(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { answer(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { answer(models) }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { answer(models) }
}

/// The versions that a service gives with its models.
@Suite(.patient) struct ResponseTests {
  private let cars = (1...3).map { Car(id: $0) }

  @Test func `an answer that is made another keeps its versions, and the first model has its own`()
  {
    let all = Response(cars, metadata: ["page": 1], versions: ["a", nil, "c"])
    #expect(all.map { $0.map(\.id) }.versions == ["a", nil, "c"])
    #expect(all.first.value == cars[0])
    #expect(all.first.versions == ["a"])
    #expect(all.first.metadata["page"] as? Int == 1)
    #expect(Response(cars).versions.isEmpty)
    #expect(Response(cars).first.versions.isEmpty)
    #expect(Response([Car]()).first.value == nil)
  }

  @Test(arguments: [nil, Strategy.Retry(attempts: 2)])
  func `a call's result has the versions of what the remote answered`(
    retry: Strategy.Retry?
  ) async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: Versioned(cars: cars))
      .repository(local: InMemoryRepository<Car>())
    let rule = Strategy.Rule(target: .remote, retry: retry)
    let found = await evocation.find(model: Car.self, rule: rule)
    #expect(found.data == cars)
    #expect(found.metadata[.remote]?.versions == ["v1", nil, "v3"])
    #expect(found.metadata[.local]?.versions.isEmpty == true)
    let one = await evocation.updateOne(cars[2], rule: rule)
    #expect(one.metadata[.remote]?.versions == ["v3"])
  }

  @Test func `a remote that knows no versions gives none`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: InMemoryRepository(cars))
      .strategy(.remoteOnly)
    let found = await evocation.find(model: Car.self)
    #expect(found.data?.count == 3)
    #expect(found.metadata[.remote]?.versions.isEmpty == true)
    let made = Evocation.Metadata(role: .target, versions: ["a"])
    #expect(made.versions == ["a"])
  }
}
