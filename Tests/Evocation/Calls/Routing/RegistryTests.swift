import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct RegistryTests {
  @Test func `a model type without a proxy is named in the error`() async {
    let evocation = Evocation()
    let error = #expect(throws: EvocationError.self) { try evocation.proxy(for: Car.self) }
    #expect(error == .proxyNotFound)
    for call in Evocation.Call.allCases {
      let result = await evocation.call(call, Car(id: 1))
      #expect(result.error as? EvocationError == .proxyNotFound)
      #expect(result.data == nil && result.origin == nil)
    }
    let called = Lock(false)
    await evocation.find(model: Car.self) { result in
      called.withLock { $0 = result.error as? EvocationError == .proxyNotFound }
    }.value
    #expect(called.withLock { $0 })
    #expect(
      error?.description
        == "Your app has not registered Car; call register(Car.self, remote:local:strategy:) on the same "
        + "Evocation before the first use."
    )
  }

  @Test func `each link of the chain takes effect at once`() async throws {
    let evocation = Evocation()
    let proxy = evocation.register(for: Car.self)
    #expect(
      await evocation.find(model: Car.self).error as? EvocationError == .missingRepository
    )
    proxy.repository(remote: RepositoryMock { _ in [Car(id: 1)] })
    proxy.strategy(.remoteOnly)
    #expect(await evocation.find(model: Car.self).data == [Car(id: 1)])
    #expect(try evocation.proxy(for: Car.self) === proxy)
  }

  @Test func `a later registration replaces the earlier one, and unregistering ends it`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { _ in [Car(id: 1)] })
    evocation.register(for: Car.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { _ in [Car(id: 2)] })
    #expect(await evocation.find(model: Car.self).data == [Car(id: 2)])
    evocation.unregister(Car.self)
    #expect(await evocation.find(model: Car.self).error as? EvocationError == .proxyNotFound)
  }

  @Test func `a missing target is an error that does not fall back`() async {
    let local = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: local).strategy(.default())
    let result = await evocation.find(model: Car.self)
    #expect(result.error as? EvocationError == .missingRepository)
    #expect(local.calls.isEmpty)
    #expect(
      result.error.map { "\($0)" }
        == "The strategy of Car uses the remote repository, and your app registered none; add it "
        + "with repository(remote:), or choose a strategy without that repository."
    )
  }

  @Test func `without a counterpart the data and their origin stay beside the error`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: RepositoryMock { _ in [Car(id: 1)] })
    let result = await evocation.find(model: Car.self)
    #expect(result.error as? EvocationError == .missingRepository)
    #expect(result.data == [Car(id: 1)])
    #expect(result.origin == .remote)
    #expect(throws: EvocationError.missingRepository) { try result.get() }
  }

  @Test func `without its fallback a failed target gives its own error`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(remote: RepositoryMock<Car> { _ in throw Outage(place: .remote) })
    #expect(await evocation.find(model: Car.self).error is Outage)
  }

  @Test func `an outbox that nobody offers is refused, and nothing is written`() async throws {
    let local = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = Evocation()
    let proxy = evocation.register(for: Car.self).repository(local: local)
      .repository(remote: local).strategy(.offlineFirst)
    let result = await evocation.storeOne(Car(id: 1))
    #expect(
      result.error as? EvocationError == .outboxUnavailable(model: "Car", action: .storeOne)
    )
    #expect(local.calls.isEmpty)
    let error = #expect(throws: EvocationError.self) { try proxy.validate() }
    #expect(
      error?.description
        == "The rule for store of Car synchronizes by outbox, and the local repository has none, "
        + "so nothing was written; register a local repository with an outbox, or choose another "
        + "synchronization."
    )
  }

  @Test func `validation names the first repository that a rule needs and the proxy lacks`()
    throws
  {
    let proxy = Evocation().register(for: Car.self)
      .repository(remote: RepositoryMock { _ in [] })
    #expect(throws: EvocationError.missingRepository) { try proxy.validate() }
    #expect(throws: Never.self) { try proxy.strategy(.remoteOnly).validate() }
  }

  @Test func `no models to write is a success that asks nobody`() async {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote)
    for result in [
      await evocation.store([Car]()), await evocation.update([Car]()),
      await evocation.storeOrUpdate([Car]()), await evocation.remove([Car]()),
    ] {
      #expect(
        result.data == [] && result.error == nil && result.origin == .remote
          || result.error as? EvocationError == .missingRepository)
      #expect(result.synchronizationError == nil)
    }
    let removal = await evocation.remove([Car]())
    #expect(removal.data == [])
    #expect("\(removal.trace)" == "remove Car: remote was skipped: there were no models.")
    #expect(remote.calls.isEmpty)
  }
}
