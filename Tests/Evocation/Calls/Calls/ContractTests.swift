import Dispatch
import Evocation
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Every signature that apps are promised, written out once: that this compiles is the test.
@Suite(.patient) struct ContractTests {
  private struct Service: Repository {
    func find(_ criteria: Criteria) async throws -> Response<[Car]> { Response([Car(id: 1)]) }
    func store(_ models: [Car]) async throws -> Response<[Car]> {
      Response(models, metadata: ["etag": "x"])
    }
    func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
    func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
    func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  }

  private actor Store: Repository {
    func find(_ criteria: Criteria) async throws -> Response<[Car]> { Response([]) }
    func store(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
    func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
    func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
    func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  }

  @Test func `an app's bootstrap and the nine calls in every form compile and answer`() async throws
  {
    let evocation = Evocation(configuration: .init(callbackQueue: DispatchQueue.global()))
    evocation.register(for: Car.self).repository(remote: Service())
      .repository(local: Store()).strategy(.default())
    Evocation.shared.register(for: Car.self).repository(remote: Service())
      .repository(local: Store()).strategy(.default())
    defer { Evocation.shared.unregister(Car.self) }
    let proxy: Proxy<Car> = try Evocation.shared.proxy(for: Car.self)
    #expect(proxy === (try Evocation.shared.proxy(for: Car.self)))
    let car = Car(id: 1)
    let many: [Evocation.Result<[Car]>] = [
      await evocation.find(model: Car.self),
      await evocation.find(model: Car.self, criteria: ["year": 1970]),
      await evocation.store([car]), await evocation.update([car]),
      await evocation.storeOrUpdate([car]), await evocation.remove([car]),
      await Evocation.find(model: Car.self), await Evocation.store([car]),
      await Evocation.update([car]), await Evocation.storeOrUpdate([car]),
      await Evocation.remove([car]),
    ]
    let one: [Evocation.Result<Car>] = [
      await evocation.findOne(model: Car.self, criteria: ["id": 1]),
      await evocation.storeOne(car), await evocation.updateOne(car),
      await evocation.removeOne(car), await Evocation.findOne(model: Car.self),
      await Evocation.storeOne(car), await Evocation.updateOne(car),
      await Evocation.removeOne(car),
    ]
    #expect(try many.allSatisfy { try $0.get() == [car] })
    #expect(try one.allSatisfy { try $0.get() == car })
    let tasks: [Task<Void, Never>] = [
      evocation.find(model: Car.self) { (_: Evocation.Result<[Car]>) in },
      evocation.findOne(model: Car.self, criteria: nil) { (_: Evocation.Result<Car>) in },
      evocation.store([car]) { _ in }, evocation.storeOne(car) { _ in },
      evocation.update([car]) { _ in }, evocation.updateOne(car) { _ in },
      evocation.storeOrUpdate([car]) { _ in }, evocation.remove([car]) { _ in },
      evocation.removeOne(car) { _ in },
      Evocation.find(model: Car.self) { _ in }, Evocation.findOne(model: Car.self) { _ in },
      Evocation.store([car]) { _ in }, Evocation.storeOne(car) { _ in },
      Evocation.update([car]) { _ in }, Evocation.updateOne(car) { _ in },
      Evocation.storeOrUpdate([car]) { _ in }, Evocation.remove([car]) { _ in },
      Evocation.removeOne(car) { _ in },
    ]
    for task in tasks { await task.value }
  }

  @Test func `a result carries data, origin, errors, metadata and a trace`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: Service()).repository(remote: Store())
    let result = await evocation.storeOne(Car(id: 1))
    let data: Car? = result.data
    let origin: Evocation.RepositoryType? = result.origin
    let error: (any Error)? = result.error
    let synchronizationError: (any Error)? = result.synchronizationError
    let metadata: Evocation.Metadata? = result.metadata[.local]
    let trace: Evocation.Trace = result.trace
    #expect(data == Car(id: 1) && origin == .local)
    #expect(error == nil && synchronizationError == nil)
    #expect(metadata?["etag"] as? String == "x")
    #expect(metadata?.role == .target && metadata?.count == 1)
    #expect(result.metadata[.remote]?.role == .synchronization)
    let copy = try JSONDecoder().decode(
      Evocation.Trace.self, from: JSONEncoder().encode(trace)
    )
    #expect(copy == trace)
    let own = Evocation.Result<[Car]>(data: [], origin: .remote, error: nil)
    #expect(try own.get().isEmpty)
    #expect(throws: EvocationError.noData) { try Evocation.Result<[Car]>().get() }
  }

  @Test func `strategies and their parts are made as promised`() throws {
    #expect(Strategy.Rule() == Strategy.Rule(target: .remote, fallback: nil, synchronize: true))
    #expect(Strategy.Action.allCases.count == 8)
    #expect(Evocation.RepositoryType.allCases.map(\.rawValue) == ["remote", "local"])
    let off: Strategy.Synchronization = false
    let upsert: Strategy.Synchronization = true
    #expect(off == .off && upsert == .upsert)
    let chosen: [Strategy] = [.remoteFirst, .localFirst, .remoteOnly, .localOnly, .offlineFirst]
    #expect(Set(chosen).count == 5)
    do throws(StrategyError) {
      _ = try Strategy(rules: [:])
    } catch {
      guard case .incompleteConfiguration(let missing) = error else {
        Issue.record("another error: \(error)")
        return
      }
      #expect(missing == Strategy.Action.allCases)
    }
  }

  @Test func `errors are matched with and without their payload`() {
    let error: EvocationError = .alreadyExists(["1"])
    guard case .alreadyExists(let ids) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(ids == ["1"])
    do throws(EvocationError) {
      _ = try Evocation().proxy(for: Car.self)
    } catch {
      if case .proxyNotFound = error {} else { Issue.record("another error: \(error)") }
      #expect(error == .proxyNotFound)
    }
  }

  @Test func `an observation ends once, when cancelled or let go`() {
    let ends = Lock(0)
    var observation: Evocation.Observation? = .init { ends.withLock { $0 += 1 } }
    observation?.cancel()
    observation?.cancel()
    observation = nil
    #expect(ends.withLock { $0 } == 1)
    observation = .init { ends.withLock { $0 += 1 } }
    observation = nil
    #expect(ends.withLock { $0 } == 2)
  }
}
