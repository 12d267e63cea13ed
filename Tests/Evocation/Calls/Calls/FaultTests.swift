import Dispatch
import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// Faults of Evocation 1.0, each of which a user met, and none of which may come back.
@Suite(.patient) struct FaultTests {
  private final class Engine: Sendable {
    let count: Lock<Int>
    init(_ count: Lock<Int>) {
      self.count = count
      count.withLock { $0 += 1 }
    }
    deinit { count.withLock { $0 -= 1 } }
  }

  @Test func `a result is freed with its models when it is let go`() async {
    let alive = Lock(0)
    let evocation = Evocation()
    let repository = RepositoryMock<Engine>(metadata: ["etag": "x"]) { _ in [Engine(alive)] }
    evocation.register(for: Engine.self).repository(remote: repository)
      .repository(local: RepositoryMock { _ in throw Outage(place: .local) })
    for _ in 0..<10 {
      let result = await evocation.find(model: Engine.self)
      #expect(result.data?.count == 1 && result.synchronizationError != nil)
      await evocation.findOne(model: Engine.self) { _ in }.value
    }
    evocation.unregister(Engine.self)
    #expect(alive.withLock { $0 } == 0)
  }

  @Test func `a result says where its data came from, for each of the nine calls`() async {
    for place in Evocation.RepositoryType.allCases {
      for call in Evocation.Call.allCases {
        let evocation = Evocation()
        evocation.register(for: Car.self)
          .repository(remote: RepositoryMock { _ in [Car(id: 1)] })
          .repository(local: RepositoryMock { _ in [Car(id: 1)] })
          .strategy(place == .remote ? .remoteOnly : .localOnly)
        #expect(await evocation.call(call, Car(id: 1)).origin == place)
      }
    }
  }

  @Test func `a failed synchronization leaves a good result good`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock { _ in [Car(id: 1)] })
      .repository(local: RepositoryMock { _ in throw Outage(place: .local) })
    let result = await evocation.find(model: Car.self)
    #expect(try result.get() == [Car(id: 1)])
    #expect(result.error == nil && result.origin == .remote)
    #expect(result.synchronizationError as? Outage == Outage(place: .local))
    #expect(result.metadata[.local]?.role == .synchronization)
  }

  @Test func `what was deleted on the server does not live on locally under mirror`() async throws {
    let local = InMemoryRepository([Car(id: 1), Car(id: 2), Car(id: 3, year: 1999)])
    let evocation = Evocation()
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases {
      rules[action] = action.isRead ? .init(fallback: .local, synchronize: .mirror) : .init()
    }
    evocation.register(for: Car.self).repository(local: local).strategy(try Strategy(rules: rules))
      .repository(remote: RepositoryMock { _ in [Car(id: 2)] })
    _ = await evocation.find(model: Car.self, criteria: ["year": 1970])
    #expect(try await local.find(Criteria()).value.map(\.id) == [2, 3])
  }

  @Test func `a write that fell back says so, and the strategy warned of it`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock { _ in throw Outage(place: .remote) })
      .repository(local: RepositoryMock { _ in [Car(id: 1)] })
    let result = await evocation.removeOne(Car(id: 1))
    #expect(result.didFallBack)
    #expect(result.metadata[.remote]?.error as? Outage == Outage(place: .remote))
    let warning = "the removal is made in local alone, and Evocation never repeats it in remote"
    #expect(Strategy.default().explain().warnings.contains { $0.contains(warning) })
    for strategy in [Strategy.remoteFirst, .cacheFirst(maxAge: .seconds(1)), .offlineFirst] {
      #expect(!strategy.explain().warnings.contains { $0.contains("never") })
    }
  }

  @Test func `a write made without the service is pending, and is sent when it is there again`()
    async throws
  {
    let service = InMemoryRepository<Car>()
    let isThere = Lock(false)
    let remote = RepositoryMock<Car> { call in
      guard case .storeOne(let car) = call, isThere.withLock({ $0 }) else {
        throw Outage(place: .remote)
      }
      return try await service.store([car]).value
    }
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    let result = await evocation.storeOne(Car(id: 1))
    #expect(result.isPending && !result.didFallBack && result.error == nil)
    #expect(await evocation.outbox.flush().left == 1)
    isThere.withLock { $0 = true }
    #expect(await evocation.outbox.flush() == .init(sent: 1, left: 0, parked: 0))
    #expect(try await service.find(Criteria()).value.map(\.id) == [1])
  }

  @Test func `whatever a repository throws after its call was cancelled is a cancellation`() async {
    let rules: [Strategy.Rule] = [
      .remoteOnly, .init(fallback: .local), .init(synchronize: .off, retry: .init(attempts: 2)),
    ]
    for rule in rules {
      let gate = Gate()
      let evocation = Evocation()
      evocation.register(for: Car.self).strategy(Strategy(rule))
        .repository(local: RepositoryMock { _ in [Car(id: 1)] })
        .repository(
          remote: RepositoryMock { _ in
            do { try await gate.pass() } catch { throw Outage(place: .remote) }
            return []
          }
        )
      let call = Task { await evocation.find(model: Car.self) }
      await gate.arrivals(1)
      call.cancel()
      let result = await call.value
      #expect(result.error is CancellationError, "\(rule)")
      #expect(result.metadata[.remote]?.error is CancellationError, "\(rule)")
      #expect(result.trace.steps.map(\.repository) == [.remote], "\(rule)")
    }
  }

  @Test func `a follower that fails because its call was cancelled was cancelled`() async {
    let gate = Gate()
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: RepositoryMock { _ in [Car(id: 1)] })
      .repository(
        local: RepositoryMock { _ in
          do { try await gate.pass() } catch { throw Outage(place: .local) }
          return []
        }
      )
    let call = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    call.cancel()
    let result = await call.value
    #expect(result.data == nil && result.error is CancellationError)
    #expect(result.metadata[.local]?.error is CancellationError)
  }

  @Test func `a read inside a repository's own write keeps the other one in step at once`() async {
    let evocation = Evocation()
    let read = Lock<Evocation.Result<[Car]>?>(nil)
    let local = RepositoryMock<Car> { _ in [Car(id: 2)] }
    evocation.register(for: Car.self).strategy(Strategy(Strategy.Rule(target: .remote)))
      .repository(local: local)
      .repository(
        remote: RepositoryMock { [unowned evocation] call in
          guard case .storeOne = call else { return [Car(id: 2)] }
          let result = await evocation.find(model: Car.self)
          read.withLock { $0 = result }
          return [Car(id: 1)]
        }
      )
    let ended = Signal()
    let write = Task {
      defer { ended.give() }
      return await evocation.storeOne(Car(id: 1))
    }
    #expect(await ended.comes())
    write.cancel()
    #expect(await write.value.data == Car(id: 1))
    #expect(read.withLock { $0?.metadata[.local]?.role } == .synchronization)
    #expect(local.calls.map(\.ids) == [[2], [1]])
  }

  @Test func `two types called User do not collide`() async {
    let evocation = Evocation()
    evocation.register(for: First.User.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { _ in [First.User(id: 1)] })
    evocation.register(for: Second.User.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { _ in [Second.User(name: "x")] })
    #expect(await evocation.find(model: First.User.self).data?.first?.id == 1)
    #expect(await evocation.find(model: Second.User.self).data?.first?.name == "x")
  }

  @Test func `removeOne has a method, by its own rule`() async throws {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let local = RepositoryMock<Car> { _ in [Car(id: 1)] }
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteOnly }
    rules[.removeOne] = .localOnly
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(try Strategy(rules: rules))
    #expect(await evocation.removeOne(Car(id: 1)).origin == .local)
    #expect(remote.calls.isEmpty)
    #expect(local.calls.map(\.description) == ["removeOne"])
  }

  @Test func `a repository may keep a completion and call it later from anywhere`() async {
    let evocation = Evocation()
    let queue = DispatchQueue(label: "later")
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: CallbackScript { _, answer in
        queue.async { answer(.init(data: [Car(id: 1)])) }
      }
    )
    for call in Evocation.Call.allCases {
      #expect(await evocation.call(call, Car(id: 1)).data == [Car(id: 1)])
    }
  }
}

private enum First {
  struct User: Sendable { var id: Int }
}

private enum Second {
  struct User: Sendable { var name: String }
}
