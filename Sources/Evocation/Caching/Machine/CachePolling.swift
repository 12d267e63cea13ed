/// When the observers of a cache have it refreshed again.
struct CachePolling: Sendable {
  /// Whether all who want it are away, so that nobody would see it.
  var isPaused = false
  /// When the present observers began.
  var beganAt: Duration?
  /// The failures since the last success, and the end of the last one.
  var failures: (count: Int, endedAt: Duration)?

  /// How many times the interval the pause is at most, after failures.
  private static var longestPause: Double { 16 }

  /// Takes note of a failure; the pause is twice as long after each, up to sixteen intervals.
  mutating func fail(at moment: Duration) {
    failures = ((failures?.count ?? 0).addingClamped(1), moment)
  }

  /// When the next refresh is due, after a fetch that ended at a moment.
  func due(every interval: Duration, after fetchedAt: Duration?) -> Duration {
    guard let failures else { return (fetchedAt ?? beganAt ?? .zero).adding(interval) }
    // Four failures make it sixteen times as long.
    let factor = failures.count > 3 ? Self.longestPause : Double(1 << failures.count)
    let last = max(failures.endedAt, fetchedAt ?? failures.endedAt)
    return last.adding(interval.multiplied(by: factor))
  }
}

extension CacheMachine {
  /// Takes note of whether all are away who want the cache refreshed again and again.
  mutating func away(_ isAway: Bool) -> [Effect] {
    polling.isPaused = isAway
    return []
  }

  /// How long until observers want the cache refreshed again, at most zero when that is due; nil
  /// when they do not.
  func timeToNextPoll(at now: CacheMoment) -> Duration? {
    guard observers.values.contains(where: { $0.policy.refreshEvery != nil }),
      !polling.isPaused, refresh.fetch == nil, !stored.needsLoading
    else { return nil }
    let snapshot = snapshot()
    // What is not shown yet is looked at again when it is.
    let intervals = observers.values.map(\.policy).compactMap { policy in
      policy.canFetch && snapshot.isPresentable(policy) ? policy.refreshEvery : nil
    }
    guard let interval = intervals.min(), interval > .zero else { return nil }
    return polling.due(every: interval, after: stored.fetched?.stampedAt).subtracting(now.time)
  }
}
