import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationStores
@testable import EvocationValues

/// A ledger that cannot be read for a moment.
@Suite(.patient) struct UnreadLedgerTests {
  @Test func `A ledger that fails once is asked again, and what it has is known then`()
    async throws
  {
    let (clock, ledger) = (ManualClock(), FaultyLedger())
    ledger.isBroken = false
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let local = InMemoryRepository<Car>()
    try evocation.register(
      Car.self, remote: remote, local: local, strategy: .remoteFirst)
    #expect(await evocation.find(model: Car.self).error == nil)
    let fetched = clock.date
    clock.advance(by: .seconds(10))

    let second = Evocation(configuration: .init(clock: clock, ledger: ledger))
    try second.register(
      Car.self, remote: remote, local: local, strategy: .localOnly)
    CacheRegistry.of(ledger).forgetFetches(prefix: "")
    ledger.isBroken = true
    #expect(await second.find(model: Car.self).fetchedAt == nil)
    ledger.isBroken = false
    #expect(await second.find(model: Car.self).fetchedAt == fetched)
  }
}
