import Dispatch
import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct CallTests {
  private let car = Car(id: 1)

  private func evocation(
    _ configuration: Evocation.Configuration = .init(),
    remote: RepositoryMock<Car>
  ) -> Evocation {
    let evocation = Evocation(configuration: configuration)
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    return evocation
  }

  @Test func `a callback is called exactly once, whether the call succeeds, fails or is cancelled`()
    async
  {
    let gate = Gate()
    let outcomes: [@Sendable () async throws -> [Car]] = [
      { [Car(id: 1)] }, { throw Outage(place: .remote) },
      {
        try await gate.pass(); return []
      },
    ]
    for outcome in outcomes {
      let evocation = evocation(remote: RepositoryMock { _ in try await outcome() })
      let count = Lock(0)
      let task = evocation.find(model: Car.self) { _ in count.withLock { $0 += 1 } }
      task.cancel()
      await task.value
      #expect(count.withLock { $0 } == 1)
    }
  }

  @Test func `a callback never runs inside its call`() async {
    let evocation = evocation(remote: RepositoryMock { _ in [] })
    // The calls hold a lock that the callback needs: a callback inside the call would never end.
    let lock = Lock(0)
    let tasks = lock.withLock { _ in
      (0..<100).map { _ in
        evocation.find(model: Car.self) { _ in lock.withLock { $0 += 1 } }
      }
    }
    for task in tasks { await task.value }
    #expect(lock.withLock { $0 } == 100)
  }

  @Test func `callbacks come on the configured queue`() async {
    let queue = DispatchQueue(label: "callbacks")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let evocation = evocation(
      .init(callbackQueue: queue), remote: RepositoryMock { _ in [] }
    )
    let isOnQueue = Lock(false)
    await evocation.find(model: Car.self) { _ in
      let here = DispatchQueue.getSpecific(key: key) ?? false
      isOnQueue.withLock { $0 = here }
    }.value
    #expect(isOnQueue.withLock { $0 })
  }

  @Test func `callback calls made one after another start in that order`() async {
    let remote = RepositoryMock<Car> { _ in
      await Task.yield()
      return []
    }
    let evocation = evocation(remote: remote)
    let tasks = (0..<1_000).map { index in
      evocation.find(model: Car.self, criteria: ["id": index]) { _ in }
    }
    for task in tasks { await task.value }
    let order = remote.calls.compactMap { call -> Int? in
      guard case .find(let criteria) = call else { return nil }
      return criteria["id"] as? Int
    }
    #expect(order == Array(0..<1_000))
  }

  @Test func `writes on one model type are applied one at a time in the order of the calls`()
    async
  {
    let inside = Lock((now: 0, most: 0))
    let remote = RepositoryMock<Car> { call in
      inside.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      inside.withLock { $0.now -= 1 }
      guard case .storeOne(let car) = call else { return [] }
      return [car]
    }
    let local = RepositoryMock<Car> { call in
      guard case .storeOrUpdate(let cars) = call else { return [] }
      return cars
    }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(Strategy(Strategy.Rule(target: .remote)))
    let tasks = (0..<200).map { evocation.storeOne(Car(id: $0)) { _ in } }
    _ = await evocation.storeOne(Car(id: 200))
    for task in tasks { await task.value }
    #expect(inside.withLock { $0.most } == 1)
    #expect(remote.calls.map(\.ids) == (0...200).map { [$0] })
    #expect(local.calls.map(\.ids) == (0...200).map { [$0] })
  }

  @Test func `writes stay in order while their proxy is replaced`() async {
    let gate = Gate()
    let order = Lock<[String]>([])
    let evocation = Evocation()
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock { _ in
        try await gate.pass()
        order.withLock { $0.append("old") }
        return []
      }
    )
    let first = evocation.storeOne(car) { _ in }
    await gate.arrivals(1)
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock { _ in
        order.withLock { $0.append("new") }
        return []
      }
    )
    let second = evocation.storeOne(car) { _ in }
    gate.open()
    await first.value
    await second.value
    #expect(order.withLock { $0 } == ["old", "new"])
  }

  @Test func `reads run side by side`() async {
    let gate = Gate()
    let evocation = evocation(
      remote: RepositoryMock { _ in
        try await gate.pass()
        return []
      }
    )
    async let first = evocation.find(model: Car.self)
    async let second = evocation.find(model: Car.self, criteria: ["id": 2])
    let third = evocation.find(model: Car.self, criteria: ["id": 3]) { _ in }
    #expect(await gate.arrivals(3), "Each waits at the gate, so that none has waited for another.")
    gate.open()
    _ = await (first, second, third.value)
  }

  @Test func `a read does not wait for a write`() async {
    let gate = Gate()
    let evocation = evocation(
      remote: RepositoryMock { call in
        if case .storeOne = call { try await gate.pass() }
        return []
      }
    )
    let write = evocation.storeOne(car) { _ in }
    await gate.arrivals(1)
    #expect(await evocation.find(model: Car.self).data == [])
    gate.open()
    await write.value
  }

  @Test func `a write inside a repository's own write is an error and no standstill`() async {
    let evocation = Evocation()
    let inner = Lock<(any Error)?>(nil)
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock { [unowned evocation] call in
        let result = await evocation.storeOne(Car(id: 2))
        inner.withLock { $0 = result.error }
        return [Car(id: 1)]
      }
    )
    let result = await evocation.store([car])
    #expect(result.data == [car])
    #expect(inner.withLock { $0 } as? EvocationError == .nestedWrite)
  }

  @Test func `what a repository leaves behind may write once its own write has ended`() async {
    let evocation = Evocation()
    let gate = Gate()
    let left = Lock<Task<Evocation.Result<Car>, Never>?>(nil)
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock { [unowned evocation] call in
        if case .store = call {
          left.withLock {
            $0 = Task {
              try? await gate.pass()
              return await evocation.storeOne(Car(id: 2))
            }
          }
        }
        return [Car(id: 2)]
      }
    )
    _ = await evocation.store([car])
    gate.open()
    #expect(await left.withLock { $0 }?.value.error == nil)
  }

  @Test func `cancelling ends a call, reaches the repository and never falls back`() async {
    let gate = Gate()
    let wasCancelled = Lock(false)
    let local = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: local).strategy(.default()).repository(
      remote: RepositoryMock { _ in
        do { try await gate.pass() } catch {
          wasCancelled.withLock { $0 = Task.isCancelled }
          throw Outage(place: .remote)
        }
        return []
      }
    )
    let call = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    call.cancel()
    let result = await call.value
    #expect(result.error is CancellationError)
    #expect(result.data == nil && result.origin == nil)
    #expect(wasCancelled.withLock { $0 })
    #expect(local.calls.isEmpty)
  }

  @Test func `a write cancelled while it waits leaves the line to those behind it`() async {
    let gate = Gate()
    let remote = RepositoryMock<Car> { call in
      if call.ids == [1] { try await gate.pass() }
      return []
    }
    let evocation = evocation(remote: remote)
    let first = evocation.storeOne(Car(id: 1)) { _ in }
    await gate.arrivals(1)
    let error = Lock<(any Error)?>(nil)
    let second = evocation.storeOne(Car(id: 2)) { result in
      error.withLock { $0 = result.error }
    }
    let third = evocation.storeOne(Car(id: 3)) { _ in }
    second.cancel()
    await second.value
    gate.open()
    await first.value
    await third.value
    #expect(error.withLock { $0 } is CancellationError)
    #expect(remote.calls.map(\.ids) == [[1], [3]])
  }

  @Test func `priority and task-local values of the caller reach the repository`() async {
    let seen = Lock<[(Int, TaskPriority)]>([])
    let evocation = evocation(
      remote: RepositoryMock { _ in
        seen.withLock { $0.append((Locals.number, Task.currentPriority)) }
        return []
      }
    )
    await Locals.$number.withValue(7) {
      await Task(priority: .utility) {
        _ = await evocation.find(model: Car.self)
        await evocation.find(model: Car.self) { _ in }.value
        _ = await evocation.storeOne(Car(id: 1))
      }.value
    }
    #expect(seen.withLock { $0.map(\.0) } == [7, 7, 7])
    #expect(seen.withLock { $0[0].1 } >= .utility)
  }

  @Test @MainActor func `a caller on the main actor stays there for a call that needs no hop`()
    async
  {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: MainThreadRepository())
      .strategy(.remoteOnly)
    let result = await evocation.find(model: Car.self)
    #expect(result.error == nil)
  }
}

private enum Locals {
  @TaskLocal static var number = 0
}

/// Fails unless it is asked on the main actor.
private struct MainThreadRepository: Repository {
  nonisolated(nonsending) func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    MainActor.assertIsolated()
    return Response([])
  }
  func store(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
}

extension RepositoryCall where Model == Car {
  /// The ids of the models that it was given.
  var ids: [Int] {
    switch self {
    case .find, .findOne: []
    case .store(let cars), .update(let cars), .storeOrUpdate(let cars), .remove(let cars),
      .mirror(let cars, _):
      cars.map(\.id)
    case .storeOne(let car), .updateOne(let car), .removeOne(let car): [car.id]
    }
  }
}
