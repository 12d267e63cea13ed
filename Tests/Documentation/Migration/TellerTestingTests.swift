import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// The samples on testing, of the page for those who come from Teller.
@Suite(.patient) struct TellerTestingTests {
  private let ledger = InMemoryFetchLedger()
  private let berne = DepartureSource.Requirements(station: "Berne")
  private let chur = Departure(id: 1, destination: "Chur")

  @Test func `a mock takes the place of the cache`() async throws {
    let departures = CacheRepositoryMock<DepartureSource>()
    departures.onValue = { _ in [chur] }
    let screen = DepartureScreen(departures: departures)
    #expect(try await screen.destinations(from: "Berne") == ["Chur"])
    #expect(departures.calls == [.requirements(berne), .value(from: .both)])
  }

  @Test func `a state is made and shown`() async throws {
    let departures = CacheRepositoryMock<DepartureSource>()
    let given = CacheState.testing.cache(requirements: berne, lastTimeFetched: Date()) {
      $0.cache([chur]).fetching()
    }
    departures.send(given)
    var states = departures.observe().makeAsyncIterator()
    let shown = await states.next()
    #expect(shown == given)
  }

  @Test func `a cache is put into a state`() async throws {
    let service = DepartureService(destinations: ["Chur", "Basel", "Olten"])
    let departures = CacheRepository(
      DepartureSource(service: service, store: DepartureStore()), ledger: ledger)
    try CacheRepository.testing.initState(repository: departures, requirements: berne) {
      $0.cache([chur]) { $0.cacheNotTooOld() }
    }
    let screen = DepartureScreen(departures: departures)
    #expect(try await screen.destinations(from: "Berne") == ["Chur"])
    try CacheTesting.clearAll(in: [ledger])
    #expect(try await screen.destinations(from: "Berne") == ["Chur", "Basel", "Olten"])
  }
}
