extension CacheMachine {
  /// The conditions under which a caller wants a fetch.
  enum Wish: Sendable {
    /// Fetch at any age.
    case always
    /// Fetch when stale.
    case whenStale
    /// Fetch when there is no cache: never fetched, cleared, or too old to be shown.
    case whenMissing
    /// Fetch when stale or when the last fetch failed, and wait for a fetch that runs.
    case whenInvalid
  }

  mutating func asked(
    by waiter: UInt64, _ wish: Wish, _ policy: CachePolicy, at now: CacheMoment
  ) -> [Effect] {
    guard policy.canFetch else { return [.answer([waiter], .skipped(.cacheNotTooOld))] }
    if let answer = answerWithoutFetch(wish, stored.freshness(policy, at: now)) {
      return [.answer([waiter], answer)]
    }
    guard refresh.fetch == nil else {
      refresh.change { $0.waiters.append(waiter) }
      return []
    }
    return begin(for: [waiter], isAutomatic: refresh.isWanted)
  }

  /// Whether a caller that asks for a refresh has to wait for a fetch.
  func needsFetch(_ wish: Wish, _ policy: CachePolicy, at now: CacheMoment) -> Bool {
    policy.canFetch && answerWithoutFetch(wish, stored.freshness(policy, at: now)) == nil
  }

  mutating func forced(_ policy: CachePolicy) -> [Effect] {
    guard policy.canFetch else { return [] }
    guard refresh.fetch == nil, isObserved, !snapshot().isPresentable(policy) else {
      return fetchForObservers()
    }
    refresh = .wanted(refresh.failure)
    return []
  }

  mutating func left(_ waiters: [UInt64]) -> [Effect] {
    refresh.change { $0.waiters.removeAll { waiters.contains($0) } }
    return giveUp()
  }

  /// How fetched data must be saved; nil when they must not be saved.
  ///
  /// The last attempt is saved even if it is stale. Otherwise an app that keeps declaring the cache
  /// stale would never see new data.
  func saving(_ number: UInt64) -> CacheRefresh.Saving? {
    guard let fetch = refresh.fetch(number), case .fetching(let isOutdated) = fetch.phase,
      !isOutdated || fetch.isLastAttempt
    else { return nil }
    return isOutdated ? .stale : .fresh
  }

  mutating func savingBegan(_ number: UInt64) -> [Effect] {
    guard let saving = saving(number) else { return [] }
    refresh.change { $0.phase = .saving(saving) }
    return []
  }

  mutating func dropped(_ number: UInt64) -> [Effect] {
    guard case .fetching(isOutdated: true) = refresh.fetch(number)?.phase else { return [] }
    return fetchAgain()
  }

  mutating func outdated(_ number: UInt64) -> [Effect] {
    guard refresh.fetch(number) != nil else { return [] }
    refresh.change { $0.phase = .fetching(isOutdated: false) }
    let effects = giveUp()
    return refresh.fetch == nil ? effects : fetchAgain()
  }

  /// Begins the fetch again, for the same callers.
  private mutating func fetchAgain() -> [Effect] {
    guard let old = refresh.fetch else { return [] }
    let number = nextNumber()
    refresh = .running(
      CacheRefresh.Fetch(
        number: number, isFirst: old.isFirst, waiters: old.waiters, isAutomatic: old.isAutomatic,
        attempts: old.attempts + 1))
    return [.fetch(number)]
  }

  mutating func saved(
    _ number: UInt64, _ record: FetchRecord, version: UInt64?, at now: CacheMoment
  ) -> [Effect] {
    guard refresh.fetch(number) != nil else { return [] }
    stored = .fetched(CacheStored.Fetched(record, at: now.time))
    polling.failures = nil
    refresh.change { $0.phase = .showing }
    return dropPages() + (isObserved ? showOwnSave(version, at: now) : succeed())
  }

  mutating func fetchFailed(
    _ number: UInt64, _ failure: CacheFailure, at now: CacheMoment
  ) -> [Effect] {
    guard let fetch = refresh.fetch(number) else { return [] }
    refresh = .idle(failure)
    polling.fail(at: now.time)
    return [
      publish(CacheRefresh.Finish(isFirst: fetch.isFirst, isSuccess: false)),
      .answer(fetch.waiters, .failed(failure.error)),
    ]
  }

  mutating func succeed() -> [Effect] {
    guard let fetch = refresh.fetch else { return [] }
    refresh = .idle(nil)
    return [
      publish(CacheRefresh.Finish(isFirst: fetch.isFirst, isSuccess: true)),
      .answer(fetch.waiters, .successful),
    ]
  }

  /// Begins a fetch when observers need one and see the present state.
  ///
  /// They need one when the cache is missing or stale, or when the time of the next poll has come.
  /// A cache that is stale as soon as it is fetched is not refreshed after a change. The change may
  /// be the save of the last refresh, and refreshing would never end.
  mutating func refreshAutomatically(
    at now: CacheMoment, isChange: Bool = false
  ) -> [Effect] {
    let isPolled = (timeToNextPoll(at: now) ?? .longest) <= .zero
    let isWanted = observers.values.contains { policy, _ in
      let isDue =
        policy.isAutomatic && stored.freshness(policy, at: now) != .fresh
        && !(isChange && policy.isStaleAtOnce)
      let isPolled = isPolled && policy.refreshEvery != nil
      return policy.canFetch && (refresh.isWanted || isDue || isPolled)
        && snapshot().isPresentable(policy)
    }
    return isWanted ? fetchForObservers() : []
  }

  /// Shows the present state, and then begins the fetch that observers need, if any.
  mutating func publishAndRefresh(at now: CacheMoment) -> [Effect] {
    [publish()] + refreshAutomatically(at: now)
  }

  /// Begins a fetch for the observers, unless one runs.
  private mutating func fetchForObservers() -> [Effect] {
    guard refresh.fetch == nil else {
      refresh.change { $0.isAutomatic = true }
      return []
    }
    return begin(for: [], isAutomatic: true)
  }

  /// Ends the fetch when it is no longer needed, unless it is being saved.
  mutating func giveUp() -> [Effect] {
    guard let fetch = refresh.fetch, fetch.isFetching, fetch.waiters.isEmpty,
      !(fetch.isAutomatic && isObserved)
    else { return [] }
    refresh = .idle(nil)
    return [.cancelFetch, publish()]
  }

  private mutating func begin(for waiters: [UInt64], isAutomatic: Bool) -> [Effect] {
    let number = nextNumber()
    refresh = .running(
      CacheRefresh.Fetch(
        number: number, isFirst: stored.record == nil, waiters: waiters,
        isAutomatic: isAutomatic))
    return [.fetch(number), publish()]
  }

  private func answerWithoutFetch(_ wish: Wish, _ freshness: Freshness?) -> RefreshResult? {
    switch wish {
    case .always: nil
    case .whenStale: freshness == .fresh ? .skipped(.cacheNotTooOld) : nil
    // A cache that is too old to be shown counts as missing.
    case .whenMissing: freshness == nil || freshness == .expired ? nil : .successful
    case .whenInvalid:
      freshness == .fresh && refresh.failure == nil && refresh.fetch == nil
        ? .skipped(.cacheNotTooOld) : nil
    }
  }
}
