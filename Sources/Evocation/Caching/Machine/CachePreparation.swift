package import Foundation

/// What one who puts a cache into a state has to know of the place where it is kept.
package struct CachePreparation<Source: CacheDataSource>: Sendable {
  /// How the cache is saved.
  package let source: Source

  /// What the cache is asked for.
  package let requirements: Source.Requirements

  /// The requirements' tag in the ledger.
  package let tag: String

  /// Where it is remembered when caches were fetched.
  package let ledger: any FetchLedger

  /// The present date, by the clock that the cache ages by.
  package let now: Date

  /// The other requirements of the same kind of cache that the ledger knows.
  package let others: [Source.Requirements]

  let client: CacheClient<Source>

  /// What is to be remembered of a cache that was fetched at a date.
  package func record(of cache: Source.Cache?, fetchedAt date: Date) -> FetchRecord {
    var record = CacheEntry<Source>.record(of: cache, client, fetchedAt: date)
    record.pages = client.pages(nil)
    return record
  }

  /// In which window a cache with such a record lies now.
  package func freshness(of record: FetchRecord) -> Freshness {
    let moment = CacheMoment(date: now, time: .zero)
    let age = CacheStored(record, at: moment).age(at: moment)
    return client.policy.freshness(age: age, isInvalidated: record.isInvalidated)
  }

  /// Whether nothing is saved, or only what counts as empty.
  package func isEmpty() async throws -> Bool {
    guard let cache = try await client.read() else { return true }
    return source.isCacheEmpty(cache, requirements: requirements)
  }
}

extension CachePreparation where Source: PagingCacheDataSource {
  /// What is to be remembered of where a list of one page can be continued.
  package func pages(
    next: Source.PagingRequirements?, previous: Source.PagingRequirements?
  ) -> PageRecord {
    let page = FetchedPage((), next: next, previous: previous)
    return PageRecord(next: page.nextData, previous: page.previousData)
  }
}
