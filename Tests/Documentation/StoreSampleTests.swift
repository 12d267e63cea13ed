import Evocation
import Foundation
import Testing

/// The samples of a local store's documentation.
@Suite struct StoreSampleTests {
  private let car = Car(
    id: 1, name: "datsun 210", origin: "Japan", year: 2002, milesPerGallon: nil)

  @Test func `a write is taken whole`() async throws {
    let (cars, store) = ([car], InMemoryRepository<Car>())
    let ledger = InMemoryFetchLedger()
    let stamp = FetchStamp(
      tag: "cars", record: FetchRecord(fetchedAt: Date()), ledger: ledger)
    let write = StoreWrite([.mirror(cars, for: ["year": 2002])], stamp: stamp)
    let commit = try await store.commit(write)
    #expect(commit.version == 1)
    #expect(try await store.find(Criteria()).value == cars)
    #expect(try await ledger.record(for: "cars") == commit.record)
  }

  @Test func `a change says what it changed, and which version it made`() {
    var told: RepositoryChange<Car>?
    let handler: (RepositoryChange<Car>) -> Void = { told = $0 }
    handler(.models(stored: [car], version: 7))
    #expect(told?.version == 7)
  }
}
