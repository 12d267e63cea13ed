import Foundation

/// What is stored of one tag, as far as it is known: what the ledger told, and what was saved since.
enum CacheStored: Sendable {
  /// The ledger has not been asked yet.
  case unknown
  /// The ledger could not be asked.
  case unreadable(CacheFailure)
  /// It was never fetched, or is gone again.
  case missing
  /// The app cleared it and the source still has it: nothing of it is shown.
  case cleared
  /// It was fetched, and when that was by the clock that only goes on; nil when that is not known.
  case fetched(FetchRecord, at: Duration?)

  /// What a ledger's record says.
  init(_ record: FetchRecord?, at now: CacheMoment) {
    guard let record else {
      self = .missing
      return
    }
    self = record.isCleared ? .cleared : .fetched(record, at: Self.stamp(of: record, at: now))
  }

  /// When a record's fetch was by the clock that only goes on; nil when its age is not known.
  ///
  /// It is found once, when the record is read, because the date can be set while it is used.
  private static func stamp(of record: FetchRecord, at now: CacheMoment) -> Duration? {
    guard !record.isUndated, let age = Duration(from: record.fetchedAt, to: now.date) else {
      return nil
    }
    return now.time.subtracting(age)
  }

  /// Whether the ledger is to be asked.
  var needsLoading: Bool {
    switch self {
    case .unknown, .unreadable: true
    case .missing, .cleared, .fetched: false
    }
  }

  /// Whether it is known what the ledger holds, or that it cannot be asked.
  var isLoaded: Bool {
    if case .unknown = self { false } else { true }
  }

  var isCleared: Bool {
    if case .cleared = self { true } else { false }
  }

  var failure: CacheFailure? {
    if case .unreadable(let failure) = self { failure } else { nil }
  }

  var record: FetchRecord? {
    if case .fetched(let record, _) = self { record } else { nil }
  }

  /// Whether a ledger's record says nothing else, but perhaps when the cache was used.
  func holds(_ other: FetchRecord?) -> Bool {
    switch self {
    case .unknown, .unreadable: return false
    case .missing: return other == nil
    case .cleared: return other?.isCleared ?? false
    case .fetched(var record, _):
      guard let other else { return false }
      record.usedAt = other.usedAt
      return record == other
    }
  }

  /// Changes what is remembered of the last fetch, if there was one.
  mutating func change(_ body: (inout FetchRecord) -> Void) {
    guard case .fetched(var record, let stamp) = self else { return }
    body(&record)
    self = .fetched(record, at: stamp)
  }
}

extension CacheStored {
  /// Whether there is a cache: a source without a fetch always has one.
  func exists(_ policy: CachePolicy) -> Bool {
    if case .fetched = self { true } else { !policy.canFetch }
  }

  /// How old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? {
    guard case .fetched(_, let stamp?) = self else { return nil }
    return now.time.subtracting(stamp)
  }

  /// In which window its age lies; nil where there is no cache.
  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    switch self {
    case .fetched(let record, _):
      policy.freshness(age: age(at: now), isInvalidated: record.isInvalidated)
    case .unknown, .unreadable, .missing, .cleared:
      policy.canFetch ? nil : policy.freshness(age: nil, isInvalidated: false)
    }
  }

  /// Whether the date was set back since the cache was fetched.
  func isDateSetBack(at now: CacheMoment) -> Bool {
    guard case .fetched(let record, _) = self, let age = age(at: now) else { return false }
    return DateGuard.isSetBack(now.date, from: record.fetchedAt + min(age.seconds, Self.longest))
  }

  /// About 30,000 years in seconds, beyond which nothing is older.
  private static let longest = 1e12
}
