import Foundation

/// Whether a cache is kept up to date by what the service sends automatically.
struct CacheLive: Sendable {
  /// Since when all changes arrive; nil while they do not.
  private(set) var since: LiveStatus.Since?
  /// When the present observers began; a list hears of models that join it since then.
  var observedAt: Date?
  /// What a list lacks: a model that has arrived, and that it may have to contain.
  private var lack: Lack?
  /// Why it was fetched last, so that a fetch that fails is not made again for the same reason.
  private var tried: Reason?
  /// Until when the cache was kept up to date; nil if it never was.
  private var currentUntil: Duration?

  private struct Reason: Equatable {
    let gap: Date
    let isLacking: Bool
  }

  private struct Lack {
    /// The number of the fetch that was under way, which may not have seen the model.
    let fetch: UInt64?
  }

  /// Sets since when changes arrive.
  mutating func set(_ since: LiveStatus.Since?, _ stored: CacheStored, at now: CacheMoment) {
    if keepsYoung(stored) { currentUntil = now.time }
    self.since = since
  }

  /// Records that a list lacks a model that has arrived, while a fetch may be under way.
  mutating func recordLack(during fetch: UInt64?) {
    lack = Lack(fetch: fetch)
    tried = nil
  }

  /// Records that a fetch is saved.
  mutating func recordFetched(_ number: UInt64) {
    if lack?.fetch != number { lack = nil }
  }

  /// Records that a fetch begins.
  mutating func recordTry() {
    tried = since.map { Reason(gap: $0.date, isLacking: lack != nil) }
  }

  /// Returns the age of the cache: zero while all changes since its fetch arrive.
  ///
  /// When they end, it counts from then on.
  func age(
    of stored: CacheStored, _ policy: CachePolicy, at now: CacheMoment
  ) -> Duration? {
    guard let age = stored.age(policy, at: now) else { return nil }
    if keepsYoung(stored) { return .zero }
    return currentUntil.map { min(age, now.time.subtracting($0)) } ?? age
  }

  /// Whether the cache was fetched since changes were last missed, so that it lacks none.
  ///
  /// A list has to be fetched for its present observers too, and contain what has arrived since.
  func isCurrent(_ stored: CacheStored) -> Bool {
    guard let since, let record = stored.record, record.fetchedAt >= since.date,
      !record.isInvalidated
    else { return false }
    guard record.pages != nil else { return true }
    return lack == nil && observedAt.map { record.fetchedAt >= $0 } ?? false
  }

  /// Whether the cache does not grow old, and is not polled.
  ///
  /// Only the service knows which models a list has, so a list does.
  func keepsYoung(_ stored: CacheStored) -> Bool {
    isCurrent(stored) && stored.record?.pages == nil
  }

  /// Whether observers have to fetch a cache, whatever its age: it was fetched before changes were missed,
  /// or it is a list that lacks a model.
  ///
  /// They do so once. A list whose further pages a refresh would drop stays as it is.
  func isBehind(_ stored: CacheStored, _ policy: CachePolicy) -> Bool {
    guard let since, !since.isFilling, let record = stored.record,
      record.fetchedAt < since.date || lack != nil,
      tried != Reason(gap: since.date, isLacking: lack != nil)
    else { return false }
    return !policy.isShortened || (record.pages?.count ?? 0) <= 1
  }
}

extension CacheMachine {
  /// Takes over since when changes arrive automatically, shows it, and fetches what was missed before.
  mutating func live(_ since: LiveStatus.Since?, at now: CacheMoment) -> [Effect] {
    live.set(since, stored, at: now)
    return stored.isLoaded && isObserved ? publishAndRefresh(at: now) : []
  }

  func age(_ policy: CachePolicy, at now: CacheMoment) -> Duration? {
    live.age(of: stored, policy, at: now)
  }

  /// Returns the freshness of the cache; nil where there is none.
  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    stored.freshness(policy, age: age(policy, at: now))
  }
}
