extension CacheMachine {
  /// What a caller wants of a refresh.
  enum Wish: Sendable {
    /// Fetch whatever the age.
    case always
    /// Fetch when stale.
    case whenStale
    /// Fetch when there is no cache: never fetched, cleared, or too old to be shown.
    case whenMissing
    /// Fetch when stale or when the last fetch failed, and wait for one that runs.
    case whenInvalid
  }

  /// A caller asks for a refresh; it is answered at once, or when the fetch ends.
  mutating func asked(
    by waiter: UInt64, _ wish: Wish, _ policy: CachePolicy, at now: CacheMoment
  ) -> [Effect] {
    guard policy.canFetch else { return [.answer([waiter], .skipped(.cacheNotTooOld))] }
    if let answer = answerWithoutFetch(wish, freshness(policy, at: now)) {
      return [.answer([waiter], answer)]
    }
    if fetch != nil {
      fetch?.waiters.append(waiter)
      return []
    }
    return begin(for: [waiter], isAutomatic: false)
  }

  /// Whether a caller who asks for a refresh has to wait for a fetch.
  func needsFetch(_ wish: Wish, _ policy: CachePolicy, at now: CacheMoment) -> Bool {
    policy.canFetch && answerWithoutFetch(wish, freshness(policy, at: now)) == nil
  }

  /// Those who observe ask for a fetch whatever the age; it begins once the content is shown.
  mutating func askedToForce(_ policy: CachePolicy) -> [Effect] {
    guard policy.canFetch else { return [] }
    guard fetch == nil, isObserved, !isPresentable(policy) else { return forced() }
    isForced = true
    return []
  }

  /// Begins a fetch for those who observe, unless one runs.
  private mutating func forced() -> [Effect] {
    isForced = false
    if fetch != nil {
      fetch?.isAutomatic = true
      return []
    }
    return begin(for: [], isAutomatic: true)
  }

  /// Callers wait no longer; a fetch that nobody waits for ends.
  mutating func left(_ waiters: [UInt64]) -> [Effect] {
    fetch?.waiters.removeAll { waiters.contains($0) }
    return giveUp()
  }

  /// How what was fetched is to be saved.
  enum Saving: Sendable {
    case fresh
    /// It was declared stale since the fetch began.
    case stale
  }

  /// Whether what was fetched may be saved now, and how; nil when it may not.
  ///
  /// The last attempt is saved, though it be stale: an app that declares a cache stale again and again
  /// would never see anything new.
  mutating func beginSaving(_ number: UInt64) -> Saving? {
    guard let fetch, fetch.number == number, fetch.phase == .fetching,
      !fetch.isOutdated || fetch.isLastAttempt
    else { return nil }
    self.fetch?.phase = .saving
    return fetch.isOutdated ? .stale : .fresh
  }

  /// What was fetched is not saved: it is fetched once more if the cache was declared stale since.
  mutating func dropped(_ number: UInt64) -> [Effect] {
    guard fetch?.number == number, fetch?.isOutdated == true else { return [] }
    fetch?.attempts += 1
    return beginAnew()
  }

  /// What was fetched is gone before it was saved, and is fetched once more.
  mutating func outdated(_ number: UInt64) -> [Effect] {
    guard fetch?.number == number else { return [] }
    fetch?.phase = .fetching
    fetch?.attempts += 1
    let effects = giveUp()
    return fetch == nil ? effects : beginAnew()
  }

  /// Lets the fetch begin from its beginning, for the same callers.
  mutating func beginAnew() -> [Effect] {
    guard let old = fetch else { return [] }
    let number = nextNumber()
    fetch = Fetch(
      number: number, isFirst: old.isFirst, waiters: old.waiters, isAutomatic: old.isAutomatic,
      attempts: old.attempts)
    return [.fetch(number)]
  }

  /// What was fetched is saved and stamped.
  mutating func saved(_ number: UInt64, _ record: FetchRecord, at now: CacheMoment) -> [Effect] {
    guard fetch?.number == number else { return [] }
    isLoaded = true
    isCleared = false
    self.record = record
    stampedAt = now.time
    ledgerError = nil
    fetch?.phase = .showing
    let dropped = dropPages()
    return dropped + (isObserved ? readAgain(.ownSave, at: now) : succeed())
  }

  /// The fetch or the save failed.
  mutating func failed(_ number: UInt64, _ error: any Error) -> [Effect] {
    guard let fetch, fetch.number == number else { return [] }
    refreshError = error
    errorVersion += 1
    finish = Finish(isFirst: fetch.isFirst, isSuccess: false)
    self.fetch = nil
    return [publish(), .answer(fetch.waiters, .failed(error))]
  }

  /// Begins a fetch when those who observe want it: missing or stale, and known to be so.
  ///
  /// A change of what is saved does not refresh a cache that is stale as soon as it is there: the
  /// change may be what the last refresh saved, told late, and there would be no end.
  mutating func refreshAutomatically(
    at now: CacheMoment, isChange: Bool = false
  ) -> [Effect] {
    let isForced = isForced
    let isWanted = observing.values.contains { policy, _ in
      policy.canFetch && isPresentable(policy)
        && (isForced
          || policy.isAutomatic && freshness(policy, at: now) != .fresh
            && !(isChange && policy.isStaleAtOnce))
    }
    guard isWanted else { return [] }
    return forced()
  }

  mutating func succeed() -> [Effect] {
    guard let fetch else { return [] }
    refreshError = nil
    finish = Finish(isFirst: fetch.isFirst, isSuccess: true)
    self.fetch = nil
    return [publish(), .answer(fetch.waiters, .successful)]
  }

  /// Ends the fetch when nobody waits for it any longer, unless it is being saved.
  mutating func giveUp() -> [Effect] {
    guard let fetch, fetch.phase == .fetching, fetch.waiters.isEmpty,
      !(fetch.isAutomatic && isObserved)
    else { return [] }
    self.fetch = nil
    return [.cancelFetch, publish()]
  }

  private mutating func begin(for waiters: [UInt64], isAutomatic: Bool) -> [Effect] {
    let number = nextNumber()
    fetch = Fetch(
      number: number, isFirst: record == nil, waiters: waiters, isAutomatic: isAutomatic)
    refreshError = nil
    return [.fetch(number), publish()]
  }

  private func answerWithoutFetch(_ wish: Wish, _ freshness: Freshness?) -> RefreshResult? {
    switch wish {
    case .always: nil
    case .whenStale: freshness == .fresh ? .skipped(.cacheNotTooOld) : nil
    // What is too old to be shown is not there.
    case .whenMissing: freshness == nil || freshness == .unusable ? nil : .successful
    case .whenInvalid:
      freshness == .fresh && refreshError == nil && fetch == nil ? .skipped(.cacheNotTooOld) : nil
    }
  }
}
