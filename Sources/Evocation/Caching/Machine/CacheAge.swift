import Foundation

/// What the age of a cache follows from: when it was fetched, by both clocks.
struct CacheAge: Sendable {
  /// When it was fetched; nil when never.
  var fetchedAt: Date?
  var isInvalidated = false
  /// When that was written, by the clock that only goes on; nil when by another process.
  var stampedAt: Duration?

  init(_ record: FetchRecord? = nil, stampedAt: Duration? = nil) {
    fetchedAt = record?.fetchedAt
    isInvalidated = record?.isInvalidated ?? false
    self.stampedAt = stampedAt
  }

  /// Whether there is a cache: a source without a fetch always has one.
  func exists(_ policy: CachePolicy) -> Bool { fetchedAt != nil || !policy.canFetch }

  /// How old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? {
    guard let fetchedAt else { return nil }
    if let stampedAt { return now.time.subtracting(stampedAt) }
    return Duration(from: fetchedAt, to: now.date)
  }

  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    guard exists(policy) else { return nil }
    return policy.freshness(age: age(at: now), isInvalidated: isInvalidated)
  }
}
