import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import CoreSupport

/// What the tests of a cache stand on: a clock and a ledger of their own.
struct CacheBench {
  let clock = ManualClock()
  let ledger = InMemoryFetchLedger()

  func repository(
    _ source: FakeSource, _ requirements: FakeSource.Requirements? = "words",
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) -> CacheRepository<FakeSource> {
    let repository = CacheRepository(source, ledger: ledger, clock: clock, onTrace: onTrace)
    repository.requirements = requirements
    return repository
  }

  /// A repository whose cache was fetched once, with `v1` in it unless the source says otherwise.
  func fetched(_ source: FakeSource) async throws -> CacheRepository<FakeSource> {
    let repository = repository(source)
    try #require(await repository.refresh() == .successful)
    return repository
  }

  /// A ledger that says that the words were fetched so long ago, as if by an earlier process.
  func remember(_ age: Duration, tag: String = "words") async throws {
    let date = clock.date.addingTimeInterval(-age.seconds)
    try await ledger.write(FetchRecord(fetchedAt: date), for: tag)
  }
}

/// Several lists as one.
@Sendable func joined(_ lists: [String]...) -> [String] {
  lists.flatMap { $0 }
}
