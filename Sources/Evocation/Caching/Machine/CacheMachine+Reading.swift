extension CacheMachine {
  /// Takes the ledger's record, or the failure to read it; after a failure it is read again.
  mutating func loaded(_ loaded: CacheStored, at now: CacheMoment) -> [Effect] {
    // Of two reads at the same time, the one that fails may end later.
    guard stored.needsLoading, !stored.isLoaded || loaded.failure == nil else { return [] }
    stored = loaded
    guard isObserved else { return [] }
    return beginReading(at: now) + publishAndRefresh(at: now)
  }

  /// Takes a record that others may have changed: fetched, cleared, continued or declared stale.
  mutating func recalled(_ record: FetchRecord?, at now: CacheMoment) -> [Effect] {
    guard !stored.needsLoading, !stored.holds(record) else { return [] }
    let new = CacheStored(record, at: now, after: stored.fetched)
    guard let record = new.record else {
      return cleared(isKept: new.isCleared, at: now) + refreshAutomatically(at: now)
    }
    let old = stored.record
    let isMore = record.invalidations ?? 0 > old?.invalidations ?? 0
    if record.isInvalidated, isMore || old?.isInvalidated == false,
      refresh.run?.isFetching == true
    {
      refresh.change { $0.phase = .fetching(isOutdated: true) }
    }
    stored = new
    // There is content now, whoever brought it.
    refresh.change { $0.isFirst = false }
    if old?.fetchedAt != record.fetchedAt {
      refresh.forgetFailure()
      polling.failures = nil
      trace = nil
    }
    return beginReading(at: now) + publishAndRefresh(at: now)
  }

  mutating func observed(
    by repository: UInt64, _ policy: CachePolicy, count: Int, at now: CacheMoment
  ) -> [Effect] {
    if !isObserved { (polling.beganAt, live.observedAt) = (now.time, now.date) }
    observers.add(count, of: repository, having: policy)
    guard stored.isLoaded else { return [] }
    return beginReading(at: now) + refreshAutomatically(at: now)
  }

  mutating func policyChanged(
    _ repository: UInt64, _ policy: CachePolicy, at now: CacheMoment
  ) -> [Effect] {
    guard observers.setPolicy(of: repository, policy), stored.isLoaded else { return [] }
    return beginReading(at: now) + publishAndRefresh(at: now)
  }

  mutating func unobserved(by repository: UInt64, count: Int) -> [Effect] {
    guard observers.remove(count, of: repository), !isObserved else { return [] }
    refresh.forgetWanted()
    polling = CachePolling()
    let effects = stopReading() + (refresh.isShowing ? succeed() : [])
    return effects + showPages() + giveUp(.replacing)
  }

  mutating func read(
    _ number: UInt64, _ body: Body, version: UInt64?, at now: CacheMoment
  ) -> [Effect] {
    guard let observation = reading.observation, observation.number == number else { return [] }
    let isFirst = reading.isBeforeFirstValue
    if let saved = observation.savedVersion {
      if let version, version < saved {
        reading.withhold(body)
        return []
      }
      // Without a version, this may be the value before the save.
      if version == nil, isFirst { return readAgain(.ownSave, at: now) }
    }
    let mayRefresh = !isFirst || mayRefreshAtFirstValue
    reading.take(body, version: version)
    let answers = showPages()
    switch refresh.run?.phase {
    // A value that is being saved is shown with the success.
    case .saving: return answers
    case .showing:
      return succeed() + answers + (mayRefresh ? refreshAutomatically(at: now) : [])
    case .fetching, nil:
      if isWriting || loads.isSavingPage { return answers }
      return [publish()] + answers
        + (mayRefresh ? refreshAutomatically(at: now, isChange: !isFirst) : [])
    }
  }

  mutating func unchanged(
    _ number: UInt64, version: UInt64, at now: CacheMoment
  ) -> [Effect] {
    guard reading.observation?.number == number, let last = reading.last else { return [] }
    guard !reading.isBeforeFirstValue else {
      return read(number, last, version: version, at: now)
    }
    reading.take(last, version: version)
    return []
  }

  mutating func readAtOnce(_ body: Body, of record: FetchRecord?) -> [Effect] {
    let isSame =
      stored.record?.fetchedAt == record?.fetchedAt && stored.record?.pages == record?.pages
    if stored.isLoaded, !reading.isRead, isSame { reading.show(body) }
    return []
  }

  mutating func readingFailed(
    _ number: UInt64, _ failure: CacheFailure, at now: CacheMoment
  ) -> [Effect] {
    guard reading.observation?.number == number else { return [] }
    reading.fail(failure, at: now)
    return settle(at: now)
  }

  mutating func readingEnded(_ number: UInt64, at now: CacheMoment) -> [Effect] {
    guard reading.observation?.number == number, reading.isBeforeFirstValue else { return [] }
    reading.take(.empty, version: nil)
    return settle(at: now)
  }

  mutating func checked(at now: CacheMoment) -> [Effect] {
    guard stored.isLoaded, isObserved else { return [] }
    if let due = reading.dueAt, now.time >= due {
      guard case .waiting = reading.observation?.phase else { return readAgain(.again, at: now) }
      reading.giveUpWaiting()
      return settle(at: now)
    }
    return publishAndRefresh(at: now)
  }

  /// Returns how long until ``Event/checked`` has an effect; nil when it never has one.
  func timeToNextCheck(at now: CacheMoment) -> Duration? {
    guard stored.isLoaded, isObserved else { return nil }
    let ahead = [
      timeToNextWindow(at: now), timeToNextPoll(at: now), reading.dueAt?.subtracting(now.time),
    ]
    return ahead.compactMap(\.self).filter { $0 < .tooLongToSleep }.min()
  }

  private func timeToNextWindow(at now: CacheMoment) -> Duration? {
    guard !live.keepsYoung(stored) else { return nil }
    let ahead = observers.policies.flatMap { policy -> [Duration] in
      guard let age = age(policy, at: now) else { return [] }
      return policy.boundaries.filter { $0 >= age }.map { $0.subtracting(age) }
    }
    // A cache of exactly the maximum age is still fresh.
    return ahead.min().map { $0.adding(.milliseconds(1)) }
  }
}

extension CacheMachine {
  /// Shows saved content: immediately, or as soon as it is read.
  mutating func showOwnSave(_ version: UInt64?, at now: CacheMoment) -> [Effect] {
    guard isObserved else { return [] }
    let number = reading.observation?.number ?? 0
    switch reading.expect(version, at: now) {
    case .arrived(let version): return read(number, reading.body, version: version, at: now)
    case .coming: return []
    case .untold: return readAgain(.ownSave, at: now)
    }
  }

  /// Begins another observation, whose first value comes after the last save.
  mutating func readAgain(_ cause: CacheReading<Content>.Cause, at now: CacheMoment) -> [Effect] {
    guard isObserved else { return [] }
    let number = nextNumber()
    reading.begin(number, cause, at: now)
    return [.read(number)]
  }

  /// Ends the observation, and forgets the values that were read.
  mutating func stopReading() -> [Effect] {
    defer { reading = CacheReading() }
    return reading.observation == nil ? [] : [.stopReading]
  }

  /// Reads what local has of a cache that was never fetched, because its first fetch has failed.
  ///
  /// A value that comes begins no fetch, which has just failed; a later change of local does.
  mutating func readUnfetched(at now: CacheMoment) -> [Effect] {
    guard case .missing = stored, reading.observation == nil,
      observers.policies.contains(where: \.isOfStore)
    else { return [] }
    return readAgain(.again, at: now)
  }

  private mutating func beginReading(at now: CacheMoment) -> [Effect] {
    guard isObserved, reading.observation == nil, !stored.isCleared,
      observers.policies.contains(where: { stored.exists($0) })
    else { return [] }
    return readAgain(reading.isRead ? .again : .begun, at: now)
  }

  /// Shows the state, because there is no value to wait for.
  private mutating func settle(at now: CacheMoment) -> [Effect] {
    let answers = showPages()
    if refresh.isShowing { return succeed() + answers }
    return [publish()] + answers + (mayRefreshAtFirstValue ? refreshAutomatically(at: now) : [])
  }

  /// Whether a stale first value may be refreshed, because that was not tried yet.
  private var mayRefreshAtFirstValue: Bool {
    reading.observation?.cause == .begun || refresh.isWanted
      || stored.record?.isInvalidated == true
  }
}
