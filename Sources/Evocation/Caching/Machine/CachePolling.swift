/// When polling next refreshes a cache for its observers.
struct CachePolling: Sendable {
  /// Whether polling pauses, because the app is inactive or offline.
  var isPaused = false
  /// When the present observers began.
  var beganAt: Duration?
  /// The failures since the last success, and the end of the last one.
  var failures: (count: Int, endedAt: Duration)?

  /// Counts a failure; each one doubles the pause, up to sixteen intervals.
  mutating func fail(at moment: Duration) {
    failures = ((failures?.count ?? 0).addingClamped(1), moment)
  }

  /// Returns when the next refresh is due, after a fetch that ended at a time.
  func due(every interval: Duration, after fetchedAt: Duration?) -> Duration {
    guard let failures else { return (fetchedAt ?? beganAt ?? .zero).adding(interval) }
    let backoff = Backoff(
      first: interval.multiplied(by: 2), longest: interval.multiplied(by: 16))
    let last = max(failures.endedAt, fetchedAt ?? failures.endedAt)
    return last.adding(backoff.pause(after: failures.count))
  }
}

extension CacheMachine {
  /// Pauses polling while the app is inactive or offline for every repository that polls.
  mutating func away(_ isAway: Bool) -> [Effect] {
    polling.isPaused = isAway
    return []
  }

  /// Returns how long until observers want the next refresh; nil when they do not want one.
  ///
  /// It is zero or less when the refresh is due.
  func timeToNextPoll(at now: CacheMoment) -> Duration? {
    guard observers.policies.contains(where: { $0.refreshEvery != nil }),
      !polling.isPaused, !live.keepsYoung(stored), refresh.run == nil, !stored.needsLoading
    else { return nil }
    let snapshot = snapshot()
    // Content that is not shown yet is checked again when it is shown.
    let intervals = observers.policies.compactMap { policy in
      policy.canFetch && snapshot.isPresentable(policy) ? policy.refreshEvery : nil
    }
    guard let interval = intervals.min(), interval > .zero else { return nil }
    return polling.due(every: interval, after: stored.fetched?.stampedAt).subtracting(now.time)
  }
}
