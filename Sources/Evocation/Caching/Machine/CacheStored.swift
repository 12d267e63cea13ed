import Foundation

/// The stored state of a cache: the ledger's record, and the saves since it was read.
enum CacheStored: Sendable {
  /// The ledger has not been read yet.
  case unknown
  /// The ledger could not be read.
  case unreadable(CacheFailure)
  /// The cache was never fetched, or was deleted.
  case missing
  /// The app cleared the cache and the source still has the data, which are not shown.
  case cleared
  /// The cache was fetched.
  case fetched(Fetched)

  /// The record of the last fetch.
  ///
  /// A class, because each state copies it, and copying a record costs as much as all the rest.
  final class Fetched: Sendable {
    let record: FetchRecord
    /// When the cache was fetched, by the clock that never goes back; nil when that is unknown.
    let stampedAt: Duration?

    init(_ record: FetchRecord, at stampedAt: Duration?) {
      self.record = record
      self.stampedAt = stampedAt
    }
  }

  /// Creates it from the ledger's record.
  init(_ record: FetchRecord?, at now: CacheMoment) {
    guard let record else {
      self = .missing
      return
    }
    let fetched = Fetched(record, at: Self.stamp(of: record, at: now))
    self = record.isCleared ? .cleared : .fetched(fetched)
  }

  /// Returns when a record's fetch was, by the clock that never goes back; nil for an unknown age.
  ///
  /// It is computed once, when the record is read, because the date may be set later.
  private static func stamp(of record: FetchRecord, at now: CacheMoment) -> Duration? {
    guard !record.isUndated, let age = Duration(from: record.fetchedAt, to: now.date) else {
      return nil
    }
    return now.time.subtracting(age)
  }

  /// Whether the ledger must be read.
  var needsLoading: Bool {
    switch self {
    case .unknown, .unreadable: true
    case .missing, .cleared, .fetched: false
    }
  }

  /// Whether the ledger was read, or could not be.
  var isLoaded: Bool {
    if case .unknown = self { false } else { true }
  }

  var isCleared: Bool {
    if case .cleared = self { true } else { false }
  }

  var failure: CacheFailure? {
    if case .unreadable(let failure) = self { failure } else { nil }
  }

  var fetched: Fetched? {
    if case .fetched(let fetched) = self { fetched } else { nil }
  }

  var record: FetchRecord? { fetched?.record }

  /// Whether a ledger's record is the same, apart from the date of use.
  func holds(_ other: FetchRecord?) -> Bool {
    switch self {
    case .unknown, .unreadable: return false
    case .missing: return other == nil
    case .cleared: return other?.isCleared ?? false
    case .fetched(let fetched):
      guard let other else { return false }
      var record = fetched.record
      record.usedAt = other.usedAt
      return record == other
    }
  }

  /// Changes the record of the last fetch, if there was one.
  mutating func change(_ body: (inout FetchRecord) -> Void) {
    guard let fetched else { return }
    var record = fetched.record
    body(&record)
    self = .fetched(Fetched(record, at: fetched.stampedAt))
  }
}

extension CacheStored {
  /// Whether there is a cache; a source that fetches nothing always has one.
  func exists(_ policy: CachePolicy) -> Bool {
    if case .fetched = self { true } else { !policy.canFetch }
  }

  /// Returns how old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? {
    fetched?.stampedAt.map { now.time.subtracting($0) }
  }

  /// Returns the freshness of the cache; nil where there is none.
  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    switch self {
    case .fetched(let fetched):
      policy.freshness(age: age(at: now), isInvalidated: fetched.record.isInvalidated)
    case .unknown, .unreadable, .missing, .cleared:
      policy.canFetch ? nil : policy.freshness(age: nil, isInvalidated: false)
    }
  }

  /// Whether the date was set back since the cache was fetched.
  func isDateSetBack(at now: CacheMoment) -> Bool {
    guard let fetched, let age = age(at: now) else { return false }
    let fetchedAt = fetched.record.fetchedAt
    return DateGuard.isSetBack(now.date, from: fetchedAt + min(age.seconds, Self.longest))
  }

  /// The greatest age in seconds, about 30,000 years.
  private static let longest = 1e12
}
