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
  /// It was fetched.
  case fetched(Fetched)

  /// What is remembered of the last fetch.
  ///
  /// A class, because it is copied with each state, and to copy a record costs as much as the rest.
  final class Fetched: Sendable {
    let record: FetchRecord
    /// When it was fetched by the clock that only goes on; nil when that is not known.
    let stampedAt: Duration?

    init(_ record: FetchRecord, at stampedAt: Duration?) {
      self.record = record
      self.stampedAt = stampedAt
    }
  }

  /// What a ledger's record says.
  init(_ record: FetchRecord?, at now: CacheMoment) {
    guard let record else {
      self = .missing
      return
    }
    let fetched = Fetched(record, at: Self.stamp(of: record, at: now))
    self = record.isCleared ? .cleared : .fetched(fetched)
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

  var fetched: Fetched? {
    if case .fetched(let fetched) = self { fetched } else { nil }
  }

  var record: FetchRecord? { fetched?.record }

  /// Whether a ledger's record says nothing else, but perhaps when the cache was used.
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

  /// Changes what is remembered of the last fetch, if there was one.
  mutating func change(_ body: (inout FetchRecord) -> Void) {
    guard let fetched else { return }
    var record = fetched.record
    body(&record)
    self = .fetched(Fetched(record, at: fetched.stampedAt))
  }
}

extension CacheStored {
  /// Whether there is a cache: a source without a fetch always has one.
  func exists(_ policy: CachePolicy) -> Bool {
    if case .fetched = self { true } else { !policy.canFetch }
  }

  /// How old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? {
    fetched?.stampedAt.map { now.time.subtracting($0) }
  }

  /// In which window its age lies; nil where there is no cache.
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

  /// About 30,000 years in seconds, beyond which nothing is older.
  private static let longest = 1e12
}
