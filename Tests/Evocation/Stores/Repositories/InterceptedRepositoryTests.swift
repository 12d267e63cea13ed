import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Keeps the kinds of calls, and does to each what a closure says.
private struct Script: RepositoryInterceptor {
  struct Refused: Error {}

  let kinds = Lock<[String]>([])
  var refuses = false
  var conditions: Criteria?
  var passesModels = true

  func perform<Model: Sendable, Value: Sendable>(
    _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
  ) async throws -> Value {
    kinds.withLock { $0.append(call.kind.rawValue) }
    if refuses { throw Refused() }
    var call = call
    if let conditions { call.criteria = conditions }
    if !passesModels { call.models = [] }
    return try await body(call)
  }
}

/// A repository whose calls an interceptor sees.
@Suite(.patient) struct InterceptedRepositoryTests {
  private let cars = (1...4).map { Car(id: $0) }
  private let wrapped = InMemoryRepository<Car>()

  /// Makes every call of a repository that observes and has transactions.
  private func calls(
    _ remote: InterceptedRepository<InMemoryRepository<Car>, Script>
  ) -> [(name: String, call: () async throws -> Int)] {
    let (car, all) = (cars[0], Criteria())
    return [
      ("store", { try await remote.store([car]).value.count }),
      ("find", { try await remote.find(all).value.count }),
      ("findOne", { try await remote.findOne(all).value == nil ? 0 : 1 }),
      ("count", { try await remote.count(all) }),
      ("exists", { try await remote.exists(all) ? 1 : 0 }),
      ("snapshot", { try await remote.snapshot(all).models.count }),
      ("update", { try await remote.update([car]).value.count }),
      ("updateOne", { try await remote.updateOne(car).value == nil ? 0 : 1 }),
      ("storeOrUpdate", { try await remote.storeOrUpdate([car]).value.count }),
      ("mirror", { 1 - (try await remote.mirror([car], for: all).value.count) }),
      ("mirror", { 1 - (try await remote.mirror([car], for: all, keeping: [car]).value.count) }),
      ("removeOne", { try await remote.removeOne(car).value == nil ? 0 : 1 }),
      ("storeOne", { try await remote.storeOne(car).value == nil ? 0 : 1 }),
      ("commit", { try await remote.commit(StoreWrite([.update([car])])).answers.joined().count }),
      ("remove", { try await remote.remove([car]).value.count }),
    ]
  }

  @Test func `The interceptor sees every call once, and what it passes on is made`() async throws {
    let script = Script()
    let remote = InterceptedRepository(wrapped, by: script)
    let calls = calls(remote)
    for (name, call) in calls { #expect(try await call() == 1, "\(name)") }
    #expect(script.kinds.withLock { $0 } == calls.map(\.name))
    #expect(try await wrapped.find(Criteria()).value == [])
    #expect(remote.storeName == wrapped.storeName && remote.storeName != nil)
  }

  @Test func `A call that it refuses does not reach the repository`() async throws {
    let remote = InterceptedRepository(wrapped, by: Script(refuses: true))
    for (_, call) in calls(remote) {
      await #expect(throws: Script.Refused.self) { try await call() }
    }
    #expect(try await wrapped.find(Criteria()).value == [])
  }

  @Test func `It may ask for other models, and write fewer`() async throws {
    _ = try await wrapped.store(cars)
    let narrow = InterceptedRepository(wrapped, by: Script(conditions: ["id": 2]))
    #expect(try await narrow.find(Criteria()).value == [cars[1]])
    #expect(try await narrow.count(Criteria()) == 1)
    let silent = InterceptedRepository(wrapped, by: Script(passesModels: false))
    #expect(try await silent.removeOne(cars[0]).value == nil)
    #expect(try await silent.remove(cars).value == [])
    #expect(try await wrapped.count(Criteria()) == 4)
  }

  @Test func `The kinds that write say so`() {
    let kinds = InterceptedCall<Car>.Kind.allCases
    #expect(
      kinds.filter { !$0.isWrite }
        == [.find, .findOne, .count, .exists, .snapshot, .changes, .liveChanges])
    #expect(kinds.count == 17)
  }

  @Test func `It keeps the contract, also one in another`() async {
    let contract = RepositoryContract(Array(cars.prefix(3))) { car in
      var car = car
      car.year += 1
      return car
    }
    let violations = await contract.violations {
      InterceptedRepository(
        InterceptedRepository(InMemoryRepository<Car>(), by: Script()), by: Script())
    }
    #expect(violations == [])
  }

  @Test func `As a local repository it is observed, and refuses a rule that queues`() async throws {
    let evocation = Evocation()
    let local = InterceptedRepository(wrapped, by: Script())
    evocation.register(for: Car.self).repository(local: local).strategy(.localOnly)
    var states = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await states.next()?.data == [])
    _ = await evocation.storeOne(cars[0])
    #expect(await states.next()?.data == [cars[0]])
    #expect(throws: EvocationError.outboxUnavailable(model: "Car", action: .store)) {
      try evocation.register(
        Car.self, remote: InMemoryRepository<Car>(), local: local, strategy: .offlineFirst)
    }
  }
}
