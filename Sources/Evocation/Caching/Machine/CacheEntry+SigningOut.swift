extension CacheEntry: SignedOutCache {
  /// Shows that there is no cache, and drops a fetch that runs.
  ///
  /// It takes no turn, because the sign-out has it.
  func forgetAtOnce() {
    change { state, now in
      let isKept = state.machine.stored.isCleared
      return carryOut(state.machine.handle(.cleared(isKept: isKept), at: now), nil, &state, at: now)
    }
  }
}
