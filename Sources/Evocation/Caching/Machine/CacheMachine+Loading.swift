extension CacheMachine {
  /// The conditions under which a caller wants a fetch.
  enum FetchCondition: Sendable {
    /// Fetch at any age.
    case always
    /// Fetch when stale.
    case whenStale
    /// Fetch when there is no cache: never fetched, cleared, or too old to be shown.
    case whenMissing
    /// Fetch when stale or when the last fetch failed, and wait for a fetch that runs.
    case whenInvalid
  }

  /// What a caller that asks for a page wants, and where it is.
  struct PageCondition: Sendable {
    /// Whether a page that failed last time is tried again.
    var continuesWhenError: Bool
    /// Whether the caller is inside a load of this list, so that it must wait for none.
    var isInsideLoad: Bool
  }

  mutating func asked(
    by waiter: UInt64, _ condition: FetchCondition, policy: CachePolicy, at now: CacheMoment
  ) -> [Effect] {
    guard policy.canFetch else { return [.answer([waiter], .skipped(.isFresh))] }
    if let answer = answerWithoutFetch(condition, freshness(policy, at: now)) {
      return [.answer([waiter], answer)]
    }
    guard refresh.run == nil else {
      refresh.change { $0.waiters.append(waiter) }
      return []
    }
    return begin(for: [waiter], isAutomatic: refresh.isWanted)
  }

  /// Whether a caller that asks for a refresh has to wait for a fetch.
  func needsFetch(_ condition: FetchCondition, _ policy: CachePolicy, at now: CacheMoment) -> Bool {
    policy.canFetch && answerWithoutFetch(condition, freshness(policy, at: now)) == nil
  }

  mutating func asked(
    by waiter: UInt64, _ position: PagePosition, condition: PageCondition
  ) -> [Effect] {
    if let end = answerWithoutPage(position, condition) { return [.answer([waiter], end)] }
    guard loads[position].run == nil else {
      // While a page is saved whose callers have left, this caller wants the next one.
      loads[position].change { $0.waiters.append(waiter) }
      return []
    }
    let number = nextNumber()
    loads[position] = .running(CacheLoad.Run(number: number, waiters: [waiter]))
    return [.load(position, number), publish()]
  }

  /// The answer to a caller of a page that has nothing to wait for; nil where it waits for a load.
  func answerWithoutPage(_ position: PagePosition, _ condition: PageCondition) -> CacheLoad.End? {
    guard let record = stored.record else { return .failed(CacheError.pageWithoutCache) }
    let load = loads[position]
    if load.run != nil { return condition.isInsideLoad ? .skipped(.isLoading) : nil }
    if load.failure != nil, !condition.continuesWhenError { return .skipped(.lastPageFailed) }
    return record.pages?[position] == nil ? .skipped(.noMorePages) : nil
  }

  mutating func forced(_ policy: CachePolicy) -> [Effect] {
    guard policy.canFetch else { return [] }
    guard refresh.run == nil, isObserved, !snapshot().isPresentable(policy) else {
      return fetchForObservers()
    }
    refresh = .wanted(refresh.failure)
    return []
  }

  mutating func left(_ waiters: [UInt64]) -> [Effect] {
    PagePosition.allCases.flatMap { position -> [Effect] in
      loads[position].change { $0.waiters.removeAll { waiters.contains($0) } }
      return giveUp(position)
    }
  }

  /// How fetched data must be saved; nil when they must not be saved.
  ///
  /// The last attempt is saved even if it is stale. Otherwise an app that keeps declaring the cache
  /// stale would never see new data.
  func saving(_ position: PagePosition, _ number: UInt64) -> Freshness? {
    guard let run = loads[position].run(number), case .fetching(let isOutdated) = run.phase,
      !isOutdated || run.isLastAttempt
    else { return nil }
    return isOutdated ? .stale : .fresh
  }

  mutating func savingBegan(_ position: PagePosition, _ number: UInt64) -> [Effect] {
    guard let saving = saving(position, number) else { return [] }
    loads[position].change { $0.phase = .saving(saving) }
    return []
  }

  mutating func dropped(_ number: UInt64) -> [Effect] {
    guard case .fetching(isOutdated: true) = refresh.run(number)?.phase else { return [] }
    return fetchAgain()
  }

  /// Begins the fetch again at the service that is registered now, and ends the loads of pages.
  mutating func replaced(at now: CacheMoment) -> [Effect] {
    let pages = dropPages()
    // Without the ledger, whose answer could come after a fetch that begins now.
    stored.change { $0.isInvalidated = true }
    if refresh.run?.isFetching == true {
      return pages + [.cancel(.replacing), publish()] + fetchAgain()
    }
    return pages + (stored.isLoaded && isObserved ? publishAndRefresh(at: now) : [])
  }

  mutating func outdated(_ number: UInt64) -> [Effect] {
    guard refresh.run(number) != nil else { return [] }
    refresh.change { $0.phase = .fetching(isOutdated: false) }
    let effects = giveUp(.replacing)
    return refresh.run == nil ? effects : fetchAgain()
  }

  /// Begins the fetch again, for the same callers.
  private mutating func fetchAgain() -> [Effect] {
    guard let old = refresh.run else { return [] }
    let number = nextNumber()
    refresh = .running(
      CacheLoad.Run(
        number: number, isFirst: old.isFirst, waiters: old.waiters, isAutomatic: old.isAutomatic,
        attempts: old.attempts + 1))
    return [.load(.replacing, number)]
  }

  /// Takes what was saved: all data replace the cache and end the loads of its pages.
  mutating func saved(
    _ position: PagePosition, _ number: UInt64, save: CacheSave?, at now: CacheMoment
  ) -> [Effect] {
    let isRunning = loads[position].run(number) != nil
    guard position == .replacing else {
      if let save { stored.change { $0 = save.record } }
      guard isRunning else { return [] }
      trace = save?.trace ?? trace
      loads[position].change { $0.show(save?.trace) }
      return isObserved ? showOwnSave(save?.version, at: now) : showPages()
    }
    guard isRunning, let save else { return [] }
    stored = .fetched(CacheStored.Fetched(save.record, at: save.begunAt ?? now.time))
    trace = save.trace
    polling.failures = nil
    live.recordFetched(number)
    refresh.change { $0.show(save.trace) }
    return dropPages() + (isObserved ? showOwnSave(save.version, at: now) : succeed())
  }

  mutating func passedOver(
    _ position: PagePosition, _ number: UInt64, record: FetchRecord
  ) -> [Effect] {
    stored.change { $0 = record }
    guard loads[position].run(number) != nil, loads[position].isSaving else { return [] }
    loads[position].change { $0.phase = .fetching(isOutdated: false) }
    let effects = giveUp(position)
    return effects.isEmpty ? [publish()] : effects
  }

  mutating func failed(
    _ position: PagePosition, _ number: UInt64, failure: CacheFailure, trace: Evocation.Trace?,
    at now: CacheMoment
  ) -> [Effect] {
    guard let run = loads[position].run(number) else { return [] }
    loads[position] = .idle(failure)
    self.trace = trace
    let answer = Effect.answer(run.waiters, .failed(failure.error))
    guard position == .replacing else { return [publish(), answer] }
    polling.fail(at: now.time)
    return [publish(CacheLoad.Finish(isFirst: run.isFirst, isSuccess: false)), answer]
      + readUnfetched(at: now)
  }

  mutating func succeed() -> [Effect] {
    guard let run = refresh.run else { return [] }
    refresh = .idle(nil)
    return [
      publish(CacheLoad.Finish(isFirst: run.isFirst, isSuccess: true)),
      .answer(run.waiters, .successful(run.trace)),
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
    let snapshot = snapshot()
    let isWanted = observers.policies.contains { policy in
      let isDue =
        policy.isAutomatic
        && (freshness(policy, at: now) != .fresh
          && !(isChange && policy.isStaleAtOnce) || live.isBehind(stored, policy))
      let isPolled = isPolled && policy.refreshEvery != nil
      return policy.canFetch && (refresh.isWanted || isDue || isPolled)
        && snapshot.isPresentable(policy)
    }
    return isWanted ? fetchForObservers() : []
  }

  /// Shows the present state, and then begins the fetch that observers need, if any.
  mutating func publishAndRefresh(at now: CacheMoment) -> [Effect] {
    [publish()] + refreshAutomatically(at: now)
  }

  /// Begins a fetch for the observers, unless one runs.
  private mutating func fetchForObservers() -> [Effect] {
    guard refresh.run == nil else {
      refresh.change { $0.isAutomatic = true }
      return []
    }
    return begin(for: [], isAutomatic: true)
  }

  /// Ends a load when it is no longer needed, unless it is being saved.
  mutating func giveUp(_ position: PagePosition) -> [Effect] {
    guard let run = loads[position].run, run.isFetching, run.waiters.isEmpty,
      !(run.isAutomatic && isObserved)
    else { return [] }
    loads[position] = .idle(nil)
    return [.cancel(position), publish()]
  }

  private mutating func begin(for waiters: [UInt64], isAutomatic: Bool) -> [Effect] {
    let number = nextNumber()
    live.recordTry()
    refresh = .running(
      CacheLoad.Run(
        number: number, isFirst: stored.record == nil, waiters: waiters,
        isAutomatic: isAutomatic))
    return [.load(.replacing, number), publish()]
  }

  private func answerWithoutFetch(
    _ condition: FetchCondition, _ freshness: Freshness?
  ) -> CacheLoad.End? {
    switch condition {
    case .always: nil
    case .whenStale: freshness == .fresh ? .skipped(.isFresh) : nil
    // A cache that is too old to be shown counts as missing.
    case .whenMissing: freshness == nil || freshness == .expired ? nil : .successful(nil)
    case .whenInvalid:
      freshness == .fresh && refresh.failure == nil && refresh.run == nil
        ? .skipped(.isFresh) : nil
    }
  }

  /// Ends the loads of saved pages, which are shown now.
  mutating func showPages() -> [Effect] {
    PagePosition.pages.compactMap { position in
      guard loads[position].isShowing, let run = loads[position].run else { return nil }
      loads[position] = .idle(nil)
      return .answer(run.waiters, .successful(run.trace))
    }
  }

  /// Ends the loads of an old list, which was replaced.
  mutating func dropPages() -> [Effect] {
    PagePosition.pages.flatMap { position -> [Effect] in
      guard let run = loads[position].run else {
        loads[position] = .idle(nil)
        return []
      }
      loads[position] = .idle(nil)
      return [.cancel(position), .answer(run.waiters, .skipped(.isCancelled))]
    }
  }
}
