import Evocation
import EvocationTesting
import Testing

struct Car: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
  var year: Int
  var owner: String?
}

@Suite(.timeLimit(.minutes(6))) struct RepositoryContractTests {
  private let models = [
    Car(id: 1, name: "a", year: 1980, owner: nil),
    Car(id: 2, name: "b", year: 1970, owner: "x"),
    Car(id: 3, name: "a", year: 1990, owner: nil),
  ]

  private var contract: RepositoryContract<Car> {
    let contract = RepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
    return contract
  }

  @Test func `the repository in memory keeps the contract`() async {
    let violations = await contract.violations { InMemoryRepository<Car>() }
    #expect(violations == [])
  }

  /// What can be wrong with a repository, and the rule that notices.
  private static let faults: [(Slip, String)] = [
    (.storesWhatIsThere, "store refuses models when one is there"),
    (.updatesWhatIsAbsent, "update changes the models that are there"),
    (.answersWhatWasAskedToBeRemoved, "remove takes models away"),
    (.ignoresUnknownKeys, "A key that the model does not have"),
    (.ignoresOrder, "A sort gives the order"),
    (.ignoresLimit, "A limit and an offset"),
  ]

  @Test(arguments: faults.indices)
  func `a repository that breaks a rule is told which`(_ index: Int) async {
    let (slip, rule) = Self.faults[index]
    let violations = await contract.violations { CarelessRepository(slip) }
    #expect(violations.contains { $0.rule.hasPrefix(rule) }, "\(slip): \(violations)")
  }

  @Test func `a repository that fails throughout breaks every rule but that of unknown keys`() async
  {
    let broken = RepositoryMock<Car> { _ in throw CancellationError() }
    let violations = await contract.violations { broken }
    #expect(Set(violations.map(\.rule)).count == 17)
    #expect(violations.allSatisfy { $0.description.contains("CancellationError") })
  }
}

enum Slip {
  case storesWhatIsThere, updatesWhatIsAbsent, answersWhatWasAskedToBeRemoved
  case ignoresUnknownKeys, ignoresOrder, ignoresLimit
}

/// A repository in memory with one thing wrong.
private struct CarelessRepository: Repository {
  let slip: Slip
  let cars = InMemoryRepository<Car>()

  init(_ slip: Slip) { self.slip = slip }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    var criteria = criteria
    if slip == .ignoresOrder { criteria.order = [] }
    if slip == .ignoresLimit { criteria.limit = nil }
    do {
      return try await cars.find(criteria)
    } catch EvocationError.unknownKey where slip == .ignoresUnknownKeys {
      return Response([])
    }
  }
  func store(_ models: [Car]) async throws -> Response<[Car]> {
    slip == .storesWhatIsThere
      ? try await cars.storeOrUpdate(models) : try await cars.store(models)
  }
  func update(_ models: [Car]) async throws -> Response<[Car]> {
    slip == .updatesWhatIsAbsent
      ? try await cars.storeOrUpdate(models) : try await cars.update(models)
  }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    try await cars.storeOrUpdate(models)
  }
  func remove(_ models: [Car]) async throws -> Response<[Car]> {
    let removed = try await cars.remove(models)
    return slip == .answersWhatWasAskedToBeRemoved ? Response(models) : removed
  }
}
