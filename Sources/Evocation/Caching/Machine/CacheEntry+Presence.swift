extension CacheEntry {
  /// Tells the machine whether all are away who have the cache refreshed again and again.
  func notePresence(in state: inout State, at now: CacheMoment) {
    let polling = state.subscribers.values.map(\.client).filter { $0.policy.refreshEvery != nil }
    guard !polling.isEmpty else { return }
    let isAway = polling.allSatisfy { $0.presence?.isAway ?? false }
    _ = state.machine.handle(.away(isAway), at: now)
  }
}
