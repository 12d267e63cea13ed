package import Foundation

/// The values that code from outside needs to put a cache into a state.
package struct CachePreparation<Source: CacheDataSource>: Sendable {
  /// The source, which saves the cache.
  package let source: Source

  /// The requirements of the cache.
  package let requirements: Source.Requirements

  /// The requirements' tag in the ledger.
  package let tag: String

  /// The ledger, which records when caches were fetched.
  package let ledger: any FetchLedger

  /// The present date, by the clock that measures the cache's age.
  package let now: Date

  /// The other requirements of the same kind of cache in the ledger.
  package let others: [Source.Requirements]

  let client: any CacheSource<Source.Cache>

  /// Returns the record of a cache that was fetched at a date.
  package func record(of cache: Source.Cache?, fetchedAt date: Date) -> FetchRecord {
    client.record(of: cache, fetchedAt: date)
  }

  /// Returns the present freshness of a cache with such a record.
  package func freshness(of record: FetchRecord) -> Freshness {
    client.policy.freshness(
      age: record.age(at: now, mirroring: client.policy.mirrors),
      isInvalidated: record.isStale(mirroring: client.policy.mirrors))
  }

  /// Returns whether the source has no data, or only content that counts as empty.
  package func isEmpty() async throws -> Bool {
    try await client.isGone()
  }
}

extension CachePreparation where Source: PagingCacheDataSource {
  /// Returns the page record of a list of one page.
  package func pages(
    next: Source.PagingRequirements?, previous: Source.PagingRequirements?
  ) -> PageRecord {
    let page = FetchedPage((), next: next, previous: previous)
    return PageRecord(next: page.nextData, previous: page.previousData)
  }
}
