extension CacheMachine {
  /// What the ledger holds is known; where it could not be asked, it is asked again.
  mutating func loaded(
    _ record: FetchRecord?, _ error: (any Error)?, at now: CacheMoment
  ) -> [Effect] {
    guard !isLoaded || ledgerError != nil && error == nil else { return [] }
    isLoaded = true
    isCleared = record?.isCleared ?? false
    self.record = isCleared ? nil : record
    stampedAt = self.record.flatMap { CacheAge.stamp(of: $0, at: now) }
    ledgerError = error
    if error != nil { errorVersion += 1 }
    guard isObserved else { return [] }
    return beginReading(at: now) + [publish()] + refreshAutomatically(at: now)
  }

  /// Somebody with this policy observes too.
  mutating func observed(
    by repository: UInt64, _ policy: CachePolicy, count: Int, at now: CacheMoment
  ) -> [Effect] {
    observing[repository] = (policy, (observing[repository]?.count ?? 0) + count)
    guard isLoaded else { return [] }
    return beginReading(at: now) + refreshAutomatically(at: now)
  }

  /// One that may observe has another policy now.
  mutating func reseated(
    _ repository: UInt64, _ policy: CachePolicy, at now: CacheMoment
  ) -> [Effect] {
    guard let seat = observing[repository], seat.policy != policy else { return [] }
    observing[repository]?.policy = policy
    guard isLoaded else { return [] }
    return beginReading(at: now) + [publish()] + refreshAutomatically(at: now)
  }

  /// Somebody observes no longer.
  mutating func unobserved(by repository: UInt64, count: Int) -> [Effect] {
    guard let seat = observing[repository] else { return [] }
    observing[repository] = seat.count > count ? (seat.policy, seat.count - count) : nil
    guard !isObserved else { return [] }
    var effects: [Effect] = reading == nil ? [] : [.stopReading]
    reading = nil
    body = .unread
    isLate = false
    isForced = false
    readError = nil
    readingFailedAt = nil
    readingFailures = 0
    if fetch?.phase == .showing { effects += succeed() }
    return effects + showPages() + giveUp()
  }

  /// The observation of what is saved gave a value, which may equal that of a version before.
  mutating func read(
    _ number: UInt64, _ body: Body, sameAs version: UInt64? = nil, at now: CacheMoment
  ) -> [Effect] {
    guard number == reading else { return [] }
    let isFirst = !hasValue
    let mayRefresh = !isFirst || mayRefreshAtFirstValue
    show(body, sameAs: version)
    hasValue = true
    let answers = showPages()
    switch fetch?.phase {
    // What is being saved is shown together with its success.
    case .saving: return answers
    case .showing:
      return succeed() + answers + (mayRefresh ? refreshAutomatically(at: now) : [])
    case .fetching, nil:
      if isWriting || pages.isSaving { return answers }
      return [publish()] + answers
        + (mayRefresh ? refreshAutomatically(at: now, isChange: !isFirst) : [])
    }
  }

  /// What is saved was read beside the observation, before that gave anything.
  mutating func readAtOnce(_ body: Body, of record: FetchRecord?) {
    let isSame = self.record?.fetchedAt == record?.fetchedAt && self.record?.pages == record?.pages
    if isLoaded, !isRead, isSame { show(body) }
  }

  /// The observation of what is saved failed, in the same way as in a version before or otherwise.
  mutating func readingFailed(
    _ number: UInt64, _ error: any Error, sameAs version: UInt64? = nil, at now: CacheMoment
  ) -> [Effect] {
    guard number == reading else { return [] }
    readError = error
    if version != errorVersion { errorVersion += 1 }
    readingFailures += 1
    readingFailedAt = now.time
    return settle(at: now)
  }

  /// The observation of what is saved ended by itself: what was read last is what there is.
  mutating func readingEnded(_ number: UInt64, at now: CacheMoment) -> [Effect] {
    guard number == reading, !hasValue else { return [] }
    show(.empty)
    hasValue = true
    return settle(at: now)
  }

  /// Time has passed: a window may have ended, or a first value be overdue.
  mutating func timePassed(at now: CacheMoment) -> [Effect] {
    guard isLoaded, isObserved else { return [] }
    if isWaitingForFirstValue, now.time.subtracting(readingSince) >= Self.patience {
      isOverdue = true
      isLate = true
      return settle(at: now)
    }
    if let readingFailedAt, now.time.subtracting(readingFailedAt) >= pauseBeforeReading {
      return readAgain(.again, at: now)
    }
    return [publish()] + refreshAutomatically(at: now)
  }

  /// How long the state waits for its content before it is shown without.
  static var patience: Duration { .seconds(1) }

  /// How long it takes until what failed is observed again: a second, and longer each time.
  var pauseBeforeReading: Duration { .seconds(1 << min(max(0, readingFailures - 1), 6)) }

  /// Whether the first value of an observation is still to come, and not yet overdue.
  var isWaitingForFirstValue: Bool {
    reading != nil && !hasValue && !isOverdue && readingFailedAt == nil
  }

  /// Whether what was saved is about to be shown, so that what is known is of before.
  var isWaitingForOwnSave: Bool { readingCause == .ownSave && isWaitingForFirstValue }

  /// Whether a first value shows something stale that nobody has tried to refresh.
  private var mayRefreshAtFirstValue: Bool {
    readingCause == .begun || isForced || record?.isInvalidated == true
  }

  /// There is no more to wait for before the state is shown.
  private mutating func settle(at now: CacheMoment) -> [Effect] {
    let answers = showPages()
    if fetch?.phase == .showing { return succeed() + answers }
    return [publish()] + answers + (mayRefreshAtFirstValue ? refreshAutomatically(at: now) : [])
  }

  private mutating func show(_ body: Body, sameAs version: UInt64? = nil) {
    self.body = body
    if version != bodyVersion { bodyVersion += 1 }
    isLate = false
    readError = nil
    readingFailures = 0
  }

  private mutating func beginReading(at now: CacheMoment) -> [Effect] {
    guard isObserved, reading == nil, !isCleared,
      observing.values.contains(where: { exists($0.policy) })
    else { return [] }
    return readAgain(isRead ? .again : .begun, at: now)
  }

  /// Observes anew, so that the first value is one after the last save.
  mutating func readAgain(_ cause: ReadingCause, at now: CacheMoment) -> [Effect] {
    guard isObserved else { return [] }
    let number = nextNumber()
    reading = number
    readingSince = now.time
    readingCause = cause
    readingFailedAt = nil
    hasValue = false
    isOverdue = false
    return [.read(number)]
  }
}
