import Foundation

/// What the age of a cache follows from: when it was fetched, by both clocks.
struct CacheAge: Sendable {
  /// When it was fetched; nil when never.
  var fetchedAt: Date?
  var isInvalidated = false
  /// When that was by the clock that only goes on; nil when that is not known.
  var stampedAt: Duration?
  /// Whether the app cleared what the source still has.
  var isCleared = false

  init(_ record: FetchRecord? = nil, stampedAt: Duration? = nil, isCleared: Bool = false) {
    fetchedAt = record?.fetchedAt
    isInvalidated = record?.isInvalidated ?? false
    self.stampedAt = stampedAt
    self.isCleared = isCleared
  }

  /// When a record's fetch was by the clock that only goes on; nil when its age is not known.
  ///
  /// It is found once, when the record is read, because the date can be set while it is used.
  static func stamp(of record: FetchRecord, at now: CacheMoment) -> Duration? {
    guard !record.isUndated, let age = Duration(from: record.fetchedAt, to: now.date) else {
      return nil
    }
    return now.time.subtracting(age)
  }

  /// Whether there is a cache: a source without a fetch always has one.
  func exists(_ policy: CachePolicy) -> Bool { fetchedAt != nil || !policy.canFetch }

  /// How old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? { stampedAt.map { now.time.subtracting($0) } }

  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    guard exists(policy) else { return nil }
    return policy.freshness(age: age(at: now), isInvalidated: isInvalidated)
  }

  /// Whether the date was set back since the cache was fetched.
  func isDateSetBack(at now: CacheMoment) -> Bool {
    guard let fetchedAt, let age = age(at: now) else { return false }
    return DateGuard.isSetBack(now.date, from: fetchedAt + min(age.seconds, Self.longest))
  }

  /// About 30,000 years in seconds, beyond which nothing is older.
  private static let longest = 1e12
}
