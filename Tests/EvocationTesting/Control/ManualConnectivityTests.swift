import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct ManualConnectivityTests {
  @Test func `All who listen are told each later change, and nothing that changes nothing`() async {
    let connectivity = ManualConnectivity()
    #expect(connectivity.isOnline)
    var (first, second) = (
      connectivity.changes().makeAsyncIterator(), connectivity.changes().makeAsyncIterator()
    )
    #expect(await connectivity.listeners(2))
    connectivity.goOnline()
    connectivity.goOffline()
    connectivity.goOnline()
    var late = connectivity.changes().makeAsyncIterator()
    connectivity.goOffline()
    for wanted in [false, true, false] {
      #expect(await first.next() == wanted)
      #expect(await second.next() == wanted)
    }
    #expect(await late.next() == false)
    #expect(!connectivity.isOnline)
  }

  @Test func `What is written offline goes when the connection is back, and is no attempt before`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: false)
    let service = IdempotentService<Car>()
    let clock = ManualClock()
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(connectivity: connectivity)))
    evocation.register(for: Car.self).repository(remote: service)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Car(id: 1, name: "a", year: 1980, owner: nil))
    #expect(await connectivity.listeners(1))
    #expect(await evocation.outbox.flush().left == 1)
    #expect(service.requests.isEmpty)
    #expect(try await evocation.outbox.status().pause == .offline)
    #expect(try await evocation.outbox.entries(of: Car.self).map(\.attempts) == [0])
    connectivity.goOnline()
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    while let status = await statuses.next(), status.pause != nil {}
    #expect(await evocation.outbox.flush().left == 0)
    #expect(service.requests == ["store 1 acted"])
  }
}
