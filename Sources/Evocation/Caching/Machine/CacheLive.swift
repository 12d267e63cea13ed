import Foundation

/// Whether a cache is kept up to date by what the service sends automatically.
struct CacheLive: Sendable {
  /// Since when changes arrive; nil while they do not.
  private(set) var since: Date?
  /// Until when the cache was kept up to date; nil if it never was.
  private var currentUntil: Duration?

  var isOn: Bool { since != nil }

  /// Sets since when changes arrive.
  mutating func set(_ since: Date?, _ stored: CacheStored, at now: CacheMoment) {
    if isCurrent(stored) { currentUntil = now.time }
    self.since = since
  }

  /// Returns the age of the cache: zero while all changes since its fetch arrive.
  ///
  /// When they end, it counts from then on.
  func age(
    of stored: CacheStored, _ policy: CachePolicy, at now: CacheMoment
  ) -> Duration? {
    guard let age = stored.age(policy, at: now) else { return nil }
    if isCurrent(stored) { return .zero }
    return currentUntil.map { min(age, now.time.subtracting($0)) } ?? age
  }

  /// Whether the cache has been fetched since changes arrive, so that it lacks none.
  func isCurrent(_ stored: CacheStored) -> Bool {
    guard let since, let record = stored.record else { return false }
    return record.fetchedAt >= since && !record.isInvalidated
  }
}

extension CacheMachine {
  /// Takes over whether changes arrive automatically, and shows it.
  ///
  /// It begins no fetch: what changes arrive for is no older than before.
  mutating func live(_ since: Date?, at now: CacheMoment) -> [Effect] {
    live.set(since, stored, at: now)
    return stored.isLoaded && isObserved ? [publish()] : []
  }

  func age(_ policy: CachePolicy, at now: CacheMoment) -> Duration? {
    live.age(of: stored, policy, at: now)
  }

  /// Returns the freshness of the cache; nil where there is none.
  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    stored.freshness(policy, age: age(policy, at: now))
  }
}
