import Evocation
import EvocationTesting
import Testing

/// Lists on a clock and in a ledger of their own.
struct PagingBench {
  let clock = ManualClock()
  private(set) var ledger = InMemoryFetchLedger()

  func repository<Page>(
    _ source: FakePagedSource<Page>, _ tag: CacheTag = "numbers", keepsPages: Bool = true
  ) -> PagingCacheRepository<FakePagedSource<Page>> {
    let repository = PagingCacheRepository(
      source, keepsPages: keepsPages, ledger: ledger, clock: clock)
    repository.requirements = tag
    return repository
  }

  /// The same after a launch: what the ledger holds is known, and nothing else.
  func relaunched() async throws -> PagingBench {
    var bench = self
    bench.ledger = InMemoryFetchLedger()
    for (tag, record) in try await ledger.records(prefix: "") {
      try await bench.ledger.write(record, for: tag)
    }
    return bench
  }

  /// What somebody is shown who begins to observe now.
  func present<Page>(
    _ repository: PagingCacheRepository<FakePagedSource<Page>>
  ) async throws -> CacheState<PagedCache<[Int]>> {
    try #require(await repository.observe().first { _ in true })
  }

  /// Passes a gate that no cancellation opens, as a service that cannot be stopped.
  static func passUncancelled(_ gate: Gate) async {
    _ = await Task { try? await gate.pass() }.value
  }
}
