import Dispatch
import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

struct Bike: Codable, Identifiable, Hashable, Sendable {
  var id: Int
}

/// Callback calls whose repository or callback keeps its thread.
@Suite(.patient) struct SlowCallTests {
  private let dam = Dam()
  private let done = Signal()

  /// Bikes are answered at once; cars as the script says.
  private func evocation(
    _ configuration: Evocation.Configuration = .init(), _ rule: Strategy.Rule = .remoteOnly,
    cars: @escaping @Sendable (RepositoryCall<Car>) async throws -> [Car] = { _ in [] }
  ) -> Evocation {
    let evocation = Evocation(configuration: configuration)
    evocation.register(for: Car.self).strategy(Strategy(rule))
      .repository(remote: RepositoryMock(cars))
    evocation.register(for: Bike.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { _ in [] })
    return evocation
  }

  @Test func `a repository that keeps its thread holds up no call of another model`() async {
    let evocation = evocation { [dam] _ in
      dam.hold()
      return []
    }
    let slow = evocation.find(model: Car.self) { _ in }
    #expect(await dam.arrivals())
    evocation.find(model: Bike.self) { [done] _ in done.give() }
    evocation.storeOne(Bike(id: 1)) { [done] _ in done.give() }
    #expect(await done.comes(2))
    dam.open()
    await slow.value
  }

  @Test func `a repository that answers by completion and keeps its thread holds up nobody`() async
  {
    let evocation = evocation()
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: CallbackScript { [dam] method, answer in
        if method == "find all" { dam.hold() }
        answer(.init(data: []))
      }
    )
    let slow = evocation.find(model: Car.self) { _ in }
    #expect(await dam.arrivals())
    evocation.find(model: Bike.self) { [done] _ in done.give() }
    evocation.find(model: Car.self, criteria: ["id": 1]) { [done] _ in done.give() }
    evocation.storeOne(Car(id: 1)) { [done] _ in done.give() }
    #expect(await done.comes(3))
    dam.open()
    await slow.value
  }

  @Test func `reads go past a slow read of their own model, and many of them`() async {
    let evocation = evocation { [dam] call in
      if case .find(let criteria) = call, criteria["id"] != nil { dam.hold() }
      return []
    }
    let slow = (0..<10).map { evocation.find(model: Car.self, criteria: ["id": $0]) { _ in } }
    evocation.find(model: Car.self) { [done] _ in done.give() }
    #expect(await dam.arrivals(10))
    #expect(await done.comes())
    dam.open()
    for task in slow { await task.value }
  }

  @Test func `writes wait for a slow write of their own model, and nobody else does`() async {
    let order = Lock<[Int]>([])
    let evocation = evocation { [dam] call in
      guard case .storeOne(let car) = call else { return [] }
      order.withLock { $0.append(car.id) }
      if car.id == 1 { dam.hold() }
      return []
    }
    let writes = (1...3).map { evocation.storeOne(Car(id: $0)) { _ in } }
    #expect(await dam.arrivals())
    evocation.storeOne(Bike(id: 1)) { [done] _ in done.give() }
    evocation.find(model: Car.self) { [done] _ in done.give() }
    #expect(await done.comes(2))
    #expect(order.withLock { $0 } == [1])
    dam.open()
    for write in writes { await write.value }
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  @Test(arguments: [false, true])
  func `a callback that works for long holds up nobody, whether its repository waited or not`(
    _ waits: Bool
  ) async {
    let evocation = evocation { _ in
      if waits { await Task.yield() }
      return []
    }
    let slow = evocation.find(model: Car.self) { [dam] _ in dam.hold() }
    #expect(await dam.arrivals())
    evocation.find(model: Car.self) { [done] _ in done.give() }
    evocation.storeOne(Car(id: 1)) { [done] _ in done.give() }
    evocation.find(model: Bike.self) { [done] _ in done.give() }
    #expect(await done.comes(3))
    dam.open()
    await slow.value
  }

  @Test(arguments: [false, true])
  func `a callback may wait for any call that it makes`(_ waits: Bool) async throws {
    let evocation = evocation { _ in
      if waits { await Task.yield() }
      return []
    }
    for call in Evocation.Call.allCases {
      for model in ["Car", "Bike"] {
        evocation.find(model: Car.self) { [done] _ in
          let inner = Signal()
          if model == "Car" {
            evocation.start(call, Car(id: 1)) { inner.give() }
          } else {
            evocation.start(call, Bike(id: 1)) { inner.give() }
          }
          if inner.wait() { done.give() }
        }
        try #require(await done.comes(), "\(call) of \(model)")
      }
    }
  }

  @Test func `callbacks may wait for calls in callbacks that wait themselves`() async {
    let evocation = evocation()
    nest(evocation, 12) { [done] in done.give() }
    #expect(await done.comes())
  }

  private func nest(
    _ evocation: Evocation, _ depth: Int, _ end: @escaping @Sendable () -> Void
  ) {
    evocation.find(model: Car.self) { _ in
      guard depth > 0 else { return end() }
      let inner = Signal()
      nest(evocation, depth - 1) { inner.give() }
      if inner.wait() { end() }
    }
  }

  @Test(arguments: [false, true])
  func
    `callbacks that wait keep a limited number of threads, and another model's come all the same`(
      _ waits: Bool
    ) async
  {
    let evocation = evocation { _ in
      if waits { await Task.yield() }
      return []
    }
    let inside = Lock((now: 0, most: 0))
    let slow = (0..<200).map { _ in
      evocation.find(model: Car.self) { [dam] _ in
        inside.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        dam.hold()
        inside.withLock { $0.now -= 1 }
      }
    }
    #expect(await dam.arrivals(64))
    evocation.find(model: Bike.self) { [done] _ in done.give() }
    evocation.storeOne(Bike(id: 1)) { [done] _ in done.give() }
    #expect(await done.comes(2))
    dam.open()
    for task in slow { await task.value }
    let most = inside.withLock { $0.most }
    // A limit for the lane of starts, and one for each lane of those that waited.
    #expect(waits ? most >= 64 : most == 64 || most == 65)
  }

  @Test func `a slow fallback, follower or repeated attempt holds up nobody`() async {
    let rules: [Strategy.Rule] = [
      .init(fallback: .local, synchronize: .off), .init(),
      .init(synchronize: .off, timeout: .seconds(3600)),
    ]
    for rule in rules {
      let dam = Dam()
      let evocation = evocation(.init(clock: ManualClock()), rule) { _ in
        if rule.fallback != nil { throw Outage(place: .remote) }
        if rule.timeout != nil { dam.hold() }
        return [Car(id: 1)]
      }
      _ = try? evocation.proxy(for: Car.self).repository(
        local: RepositoryMock { _ in
          dam.hold()
          return []
        }
      )
      let slow = (0..<5).map { id in
        evocation.find(model: Car.self, criteria: ["id": id]) { _ in }
      }
      #expect(await dam.arrivals(rule.synchronize == .off ? 5 : 1), "\(rule)")
      evocation.find(model: Bike.self) { [done] _ in done.give() }
      #expect(await done.comes(), "\(rule)")
      dam.open()
      for task in slow { await task.value }
    }
  }

  @Test func `calls enter their repositories in order, though one of them keeps its thread`() async
  {
    let order = Lock<[Int]>([])
    let enter: @Sendable (Criteria) -> Void = { [dam] criteria in
      let index = criteria["id"] as? Int ?? -1
      order.withLock { $0.append(index) }
      if index == 100 || index == 201 { dam.hold() }
    }
    let evocation = Evocation()
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock {
        if case .find(let criteria) = $0 { enter(criteria) }
        return []
      }
    )
    evocation.register(for: Bike.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock {
        if case .find(let criteria) = $0 { enter(criteria) }
        return []
      }
    )
    let tasks = (0..<400).map { (index: Int) in
      index.isMultiple(of: 2)
        ? evocation.find(model: Car.self, criteria: ["id": index]) { _ in }
        : evocation.find(model: Bike.self, criteria: ["id": index]) { _ in }
    }
    #expect(await dam.arrivals(2))
    for (index, task) in tasks.enumerated() where ![100, 201].contains(index) { await task.value }
    dam.open()
    for task in tasks { await task.value }
    #expect(order.withLock { $0 } == Array(0..<400))
  }

  @Test func `callbacks that wait change nothing about the order of starting`() async {
    let order = Lock<[Int]>([])
    let evocation = evocation { call in
      if case .find(let criteria) = call, let index = criteria["id"] as? Int {
        order.withLock { $0.append(index) }
      }
      return []
    }
    let tasks = (0..<500).map { (index: Int) in
      evocation.find(model: Car.self, criteria: ["id": index]) { [dam] _ in
        if index.isMultiple(of: 3) { dam.hold() }
      }
    }
    #expect(await dam.arrivals(64))
    dam.open()
    for task in tasks { await task.value }
    #expect(order.withLock { $0 } == Array(0..<500))
  }

  @Test func `a callback that waits on the app's own queue holds up that queue alone`() async {
    let queue = DispatchQueue(label: "callbacks")
    let entered = Signal()
    let evocation = evocation(.init(callbackQueue: queue)) { _ in
      entered.give()
      return []
    }
    let slow = evocation.find(model: Car.self) { [dam] _ in dam.hold() }
    #expect(await dam.arrivals())
    let next = evocation.find(model: Car.self) { [done] _ in done.give() }
    #expect(await entered.comes(2))
    dam.open()
    #expect(await done.comes())
    await slow.value
    await next.value
  }

  @Test func `a refused call's callback holds up nobody`() async {
    let evocation = evocation()
    evocation.unregister(Car.self)
    let slow = evocation.find(model: Car.self) { [dam] _ in dam.hold() }
    #expect(await dam.arrivals())
    evocation.find(model: Bike.self) { [done] _ in done.give() }
    #expect(await done.comes())
    dam.open()
    await slow.value
  }
}

extension Evocation {
  /// Starts one of the nine calls, and says when it has ended.
  fileprivate func start<Model: Sendable>(
    _ call: Call, _ model: Model, _ end: @escaping @Sendable () -> Void
  ) {
    switch call {
    case .find: find(model: Model.self) { _ in end() }
    case .findOne: findOne(model: Model.self) { _ in end() }
    case .store: store([model]) { _ in end() }
    case .storeOne: storeOne(model) { _ in end() }
    case .update: update([model]) { _ in end() }
    case .updateOne: updateOne(model) { _ in end() }
    case .storeOrUpdate: storeOrUpdate([model]) { _ in end() }
    case .remove: remove([model]) { _ in end() }
    case .removeOne: removeOne(model) { _ in end() }
    }
  }
}
