import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// A list that knows nothing of transactions, so that it takes the default mirror.
private final class PlainStore: Repository {
  private let cars: Lock<[Int: Car]>

  init(_ cars: [Car]) {
    self.cars = Lock(Dictionary(uniqueKeysWithValues: cars.map { ($0.id, $0) }))
  }

  var ids: [Int] { cars.withLock { $0.keys.sorted() } }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    let all = cars.withLock { $0.values.sorted { $0.id < $1.id } }
    return Response(Array(all.dropFirst(criteria.offset).prefix(criteria.limit ?? .max)))
  }
  func store(_ models: [Car]) async throws -> Response<[Car]> { try await storeOrUpdate(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { try await storeOrUpdate(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    cars.withLock { cars in for car in models { cars[car.id] = car } }
    return Response(models)
  }
  func remove(_ models: [Car]) async throws -> Response<[Car]> {
    cars.withLock { cars in Response(models.filter { cars.removeValue(forKey: $0.id) != nil }) }
  }
}

@Suite(.patient) struct MirrorTests {
  private func ids(
    held: [Int], answer: [Int], _ criteria: Criteria
  ) async throws -> [Int] {
    let store = PlainStore(held.map { Car(id: $0) })
    _ = try await store.mirror(answer.map { Car(id: $0) }, for: criteria)
    return store.ids
  }

  @Test func `what the answer does not contain is removed`() async throws {
    #expect(try await ids(held: [1, 2, 3], answer: [2, 4], Criteria()) == [2, 4])
    #expect(try await ids(held: [1, 2, 3], answer: [], Criteria()) == [])
  }

  @Test func `a page removes nothing once its limit is reached, and else what it does not have`()
    async throws
  {
    let page = Criteria().limit(2)
    #expect(try await ids(held: [1, 2, 3, 4, 9], answer: [2, 4], page) == [1, 2, 3, 4, 9])
    #expect(try await ids(held: [2, 3], answer: [1, 2], page) == [1, 2, 3])
    #expect(try await ids(held: [1, 2, 3], answer: [2], page) == [2])
  }

  @Test func `behind an offset nothing is removed, because what is before it is not known`()
    async throws
  {
    #expect(
      try await ids(held: [1, 2, 3], answer: [9], Criteria().offset(1).limit(1)) == [1, 2, 3, 9]
    )
  }

  /// Takes a write in steps, and fails in the second.
  private struct Halting: ForwardingRepository {
    let base: PlainStore

    func remove(_ models: [Car]) async throws -> Response<[Car]> { throw Outage(place: .local) }
  }

  /// Takes a write whole, and fails.
  private struct Refusing: ForwardingRepository, TransactionalRepository {
    let base: PlainStore
    var fetchLedger: (any FetchLedger)? { nil }

    func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
      throw Outage(place: .local)
    }
  }

  /// What the trace says of a mirror that fails in this repository.
  private func failure(in local: some Repository<Car>) async throws -> Evocation.Trace.Outcome? {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases {
      rules[action] = action.isRead ? .init(synchronize: .mirror) : .remoteOnly
    }
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock { _ in [Car(id: 2)] })
      .repository(local: local)
      .strategy(try Strategy(rules: rules))
    let result = await evocation.find(model: Car.self)
    #expect(result.synchronizationError is Outage)
    return result.trace.steps.last?.outcome
  }

  @Test func `a trace says that a mirror which failed may be half done, where it goes in steps`()
    async throws
  {
    let outage = "\(Outage(place: .local))"
    let plain = PlainStore([Car(id: 1)])
    #expect(
      try await failure(in: Halting(base: plain))
        == .failed("\(outage). The repository writes in steps, so a part of the write may be done.")
    )
    #expect(plain.ids == [1, 2])
    #expect(try await failure(in: Refusing(base: plain)) == .failed(outage))
  }

  @Test func `models without an identity cannot be mirrored, and the error says so`() async {
    let repository = RepositoryMock<String> { _ in ["a"] }
    let evocation = Evocation()
    evocation.register(for: String.self).repository(remote: repository)
      .repository(local: Nameless())
      .strategy(.remoteOnly)
    let error = await #expect(throws: EvocationError.self) {
      try await Nameless().mirror(["a"], for: Criteria())
    }
    #expect(error == .notIdentifiable(model: "String"))
    #expect(
      error?.description
        == "Evocation cannot mirror String or undo its writes, because its models have no id; "
        + "make String Identifiable."
    )
  }

  @Test func `a find of one that finds nothing removes all that local has for it`() async {
    let remote = RepositoryMock<Car> { _ in [] }
    let store = PlainStore([Car(id: 1), Car(id: 2)])
    let evocation = Evocation()
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases {
      rules[action] = action.isRead ? .init(synchronize: .mirror) : .remoteOnly
    }
    guard let strategy = try? Strategy(rules: rules) else {
      Issue.record("the strategy is sound")
      return
    }
    evocation.register(for: Car.self).repository(remote: remote).repository(local: store)
      .strategy(strategy)
    let result = await evocation.findOne(model: Car.self)
    #expect(result.data == nil && result.error == nil && result.synchronizationError == nil)
    #expect(store.ids.isEmpty)
  }
}

private struct Nameless: Repository {
  func find(_ criteria: Criteria) async throws -> Response<[String]> { Response([]) }
  func store(_ models: [String]) async throws -> Response<[String]> { Response(models) }
  func update(_ models: [String]) async throws -> Response<[String]> { Response(models) }
  func storeOrUpdate(_ models: [String]) async throws -> Response<[String]> { Response(models) }
  func remove(_ models: [String]) async throws -> Response<[String]> { Response(models) }
}
