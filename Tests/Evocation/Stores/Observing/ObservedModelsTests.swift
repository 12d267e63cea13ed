import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What a view is shown of a registered model type.
@Suite(.patient) @MainActor struct ObservedModelsTests {
  private let clock = ManualClock()
  private let local = InMemoryRepository<Car>([Car(id: 1, year: 1)])
  private let served = Lock([Car(id: 2, year: 2)])
  private let isDown = Lock(false)
  private let remote: RepositoryMock<Car>

  init() {
    remote = RepositoryMock { [served, isDown] call in
      if isDown.withLock({ $0 }) { throw Outage(place: .remote) }
      guard case .find(let criteria) = call else { return [] }
      let cars = InMemoryRepository(served.withLock { $0 })
      return try await cars.find(criteria).value
    }
  }

  private func evocation(
    _ strategy: Strategy, activity: (any AppActivity)? = nil
  ) throws -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, outbox: .init(sendsAutomatically: false), activity: activity))
    try evocation.register(Car.self, remote: remote, local: local, strategy: strategy)
    return evocation
  }

  private func ids(_ models: ObservedModels<Car>) -> [Int] { models.models.map(\.id) }

  @Test func `nothing begins before a view reads it`() async throws {
    let evocation = try evocation(.remoteFirst)
    let cars = ObservedModels(Car.self, in: evocation)
    cars.criteria = \.year > 0
    for _ in 0..<100 { await Task.yield() }
    #expect(remote.calls.isEmpty)
    _ = cars.models
    try await eventually("the fetch") { remote.calls.count == 1 }
  }

  @Test func `local is shown at once, and then what the server has`() async throws {
    let gate = Gate()
    let slow = RepositoryMock<Car> { [remote] call in
      try await gate.pass()
      guard case .find(let criteria) = call else { return [] }
      return try await remote.find(criteria).value
    }
    let evocation = Evocation()
    try evocation.register(Car.self, remote: slow, local: local, strategy: .remoteFirst)
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("local's") { ids(cars) == [1] }
    #expect(cars.isFetching)
    #expect(cars.result?.origin == .local)
    gate.open()
    try await eventually("the server's") { ids(cars) == [2] && !cars.isFetching }
    #expect(cars.error == nil)
    _ = await evocation.storeOne(Car(id: 3), rule: .localOnly)
    try await eventually("what was stored") { ids(cars) == [2, 3] }
  }

  @Test func `the server is not asked while local is fresh by the rule, but by a refresh`()
    async throws
  {
    let evocation = try evocation(.cacheFirst(maxAge: .hours(1)))
    _ = await evocation.find(model: Car.self)
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("local's") { ids(cars) == [2] && !cars.isFetching }
    #expect(remote.calls.count == 1)
    served.withLock { $0 = [Car(id: 4)] }
    #expect(await cars.refresh().origin == .remote)
    try await eventually("the server's") { ids(cars) == [4] }
  }

  @Test func `it can only look`() async throws {
    let evocation = try evocation(.remoteFirst)
    let cars = ObservedModels(Car.self, fetches: false, in: evocation)
    try await eventually("local's") { ids(cars) == [1] }
    #expect(remote.calls.isEmpty)
    #expect(!cars.isFetching)
  }

  @Test func `other criteria are shown and fetched`() async throws {
    served.withLock { $0 = [Car(id: 2, year: 2), Car(id: 3, year: 3)] }
    let evocation = try evocation(.remoteFirst)
    let cars = ObservedModels(Car.self, where: \.year == 2, in: evocation)
    try await eventually("the first") { ids(cars) == [2] }
    cars.criteria = ["year": 3]
    try await eventually("the second") { ids(cars) == [3] }
    let wanted: Criteria.Of<Car> = \.year == 3
    #expect(cars.criteria == wanted)
    let asked = remote.calls.count
    cars.criteria = \.year == 3
    _ = await cars.refresh()
    #expect(remote.calls.count == asked + 1)
  }

  @Test(arguments: [true, false])
  func `what local is not given is shown as it was fetched`(hasLocal: Bool) async throws {
    let evocation = try evocation(.remoteOnly)
    if !hasLocal { try evocation.register(Car.self, remote: remote) }
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("the server's") { ids(cars) == [2] && cars.error == nil }
    #expect(cars.result?.origin == .remote)
  }

  @Test func `a local store that reports no changes is shown as it was fetched, each time`()
    async throws
  {
    let store = RepositoryMock<Car> { [local] call in
      switch call {
      case .find(let criteria): try await local.find(criteria).value
      case .storeOrUpdate(let cars): try await local.storeOrUpdate(cars).value
      default: []
      }
    }
    let evocation = Evocation()
    try evocation.register(
      Car.self, remote: remote, local: store,
      strategy: Strategy(Strategy.Rule(target: .remote, fallback: .local)))
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("the server's") { ids(cars) == [2] && cars.error == nil }
    served.withLock { $0 = [Car(id: 6)] }
    await cars.refresh()
    #expect(ids(cars) == [6] && cars.error == nil)
  }

  @Test func `offline, the models are shown with the error`() async throws {
    isDown.withLock { $0 = true }
    let evocation = try evocation(.offlineFirst)
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("the failure") { cars.error is Outage }
    #expect(ids(cars) == [1])
    isDown.withLock { $0 = false }
    await cars.refresh()
    try await eventually("the server's") { ids(cars) == [2] && cars.error == nil }
  }

  @Test func `it is fetched again when the app becomes active`() async throws {
    let activity = ManualActivity()
    let evocation = try evocation(.remoteFirst, activity: activity)
    let cars = ObservedModels(Car.self, in: evocation)
    try await eventually("the server's") { ids(cars) == [2] }
    activity.resignActive()
    served.withLock { $0 = [Car(id: 5)] }
    activity.becomeActive()
    try await eventually("the newest") { ids(cars) == [5] }
  }

  @Test func `a rule of its own goes before the strategy's`() async throws {
    let evocation = try evocation(.remoteFirst)
    let cars = ObservedModels(Car.self, rule: .localOnly, in: evocation)
    try await eventually("local's") { ids(cars) == [1] && !cars.isFetching }
    #expect(remote.calls.isEmpty)
  }

  @Test func `a type that is not registered is an error, and ends nothing`() async throws {
    let cars = ObservedModels(Car.self, in: Evocation())
    try await eventually("the error") {
      cars.error as? EvocationError == .proxyNotFound(model: "Car")
    }
  }
}
