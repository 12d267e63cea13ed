extension CacheEntry {
  /// Passes to the machine whether the app is inactive or offline for every repository that polls.
  func notePresence(in state: inout State, at now: CacheMoment) {
    let polling = state.subscribers.values.map(\.client).filter { $0.policy.refreshEvery != nil }
    guard !polling.isEmpty else { return }
    let isAway = polling.allSatisfy { $0.presence?.isAway ?? false }
    _ = state.machine.handle(.away(isAway), at: now)
  }
}
