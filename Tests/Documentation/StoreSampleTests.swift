import Evocation
import Foundation
import TestSupport
import Testing

private struct PrintingStore: ForwardingRepository {
  let base = InMemoryRepository<Car>()
}

extension PrintingStore: TransactionalRepository {
  var fetchLedger: (any FetchLedger)? { base.fetchLedger }

  func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
    print("saving", write.changes.count, "changes")
    return try await base.commit(write)
  }
}

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
    print("version", commit.version ?? 0, "is without", commit.answers.joined().map(\.id))
    #expect(commit.version == 1)
    #expect(try await store.find(Criteria()).value == cars)
    #expect(try await ledger.record(for: "cars") == commit.record)
    if let record = try await ledger.record(for: "cars") {
      print(record.fetchedAt, record.isInvalidated ? "and stale since" : "")
    }
    let snapshot = try await store.snapshot(["year": 2002])
    print(snapshot.models.count, "cars in version", snapshot.version ?? 0)
    #expect(snapshot.models == cars && snapshot.version == commit.version)
  }

  @Test func `a store reports each commit, and passes it on`() async throws {
    let store = InMemoryRepository<Car>()
    let count = Lock(0)
    let observation = store.observeChanges { change in
      guard case .models(let stored, _, let removed) = change.extent else { return }
      count.withLock { $0 += stored.count - removed.count }
    }
    _ = try await store.store([car])
    #expect(count.withLock { $0 } == 1)
    observation.cancel()
    let printing = PrintingStore()
    let commit = try await printing.commit(StoreWrite([.store([car])]))
    #expect(commit.answers == [[car]])
    #expect(try await printing.find(Criteria()).value == [car])
  }

  @Test func `a change says what it changed, and which version it made`() {
    var told: RepositoryChange<Car>?
    let handler: (RepositoryChange<Car>) -> Void = { told = $0 }
    handler(.models(stored: [car], version: 7))
    #expect(told?.version == 7)
  }
}
