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
  ///
  /// The age is computed when the record is first read, because the date may be set later: of the
  /// same fetch, this process then knows best when it was.
  init(_ record: FetchRecord?, at now: CacheMoment, after known: Fetched? = nil) {
    guard let record else {
      self = .missing
      return
    }
    let stampedAt =
      if let known, known.record.fetchedAt == record.fetchedAt {
        known.stampedAt
      } else {
        record.age(at: now.date).map { now.time.subtracting($0) }
      }
    self = record.isCleared ? .cleared : .fetched(Fetched(record, at: stampedAt))
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

  package var record: FetchRecord? { fetched?.record }

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

  /// Returns how old the cache is for a repository; nil when unknown, as after the date was set back.
  func age(_ policy: CachePolicy, at now: CacheMoment) -> Duration? {
    guard let fetched, let stampedAt = fetched.stampedAt else { return nil }
    let (record, age) = (fetched.record, now.time.subtracting(stampedAt))
    let date = record.date(mirroring: policy.mirrors)
    return date == record.fetchedAt
      ? age : Duration(from: date, to: record.fetchedAt).map { age.adding($0) }
  }

  /// Returns the freshness of the cache; nil where there is none.
  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    freshness(policy, age: age(policy, at: now))
  }

  /// Does the same for a cache of this age.
  func freshness(_ policy: CachePolicy, age: Duration?) -> Freshness? {
    switch self {
    case .fetched(let fetched):
      policy.freshness(
        age: age, isInvalidated: fetched.record.isStale(mirroring: policy.mirrors))
    case .unknown, .unreadable, .missing, .cleared:
      policy.canFetch ? nil : policy.freshness(age: nil, isInvalidated: false)
    }
  }
}
