extension CacheMachine {
  /// What the ledger holds is known.
  mutating func loaded(
    _ record: FetchRecord?, _ error: (any Error)?, at now: CacheMoment
  ) -> [Effect] {
    guard !isLoaded else { return [] }
    isLoaded = true
    self.record = record
    readError = error
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

  /// Somebody observes no longer.
  mutating func unobserved(by repository: UInt64, count: Int) -> [Effect] {
    guard let seat = observing[repository] else { return [] }
    observing[repository] = seat.count > count ? (seat.policy, seat.count - count) : nil
    guard !isObserved else { return [] }
    var effects: [Effect] = reading == nil ? [] : [.stopReading]
    reading = nil
    body = .unread
    isLate = false
    readError = nil
    if fetch?.phase == .showing { effects += succeed() }
    return effects + showPages() + giveUp()
  }

  /// The observation of what is saved gave a value.
  mutating func read(_ number: UInt64, _ body: Body, at now: CacheMoment) -> [Effect] {
    guard number == reading else { return [] }
    let isOwnSave = isReadingOwnSave
    isReadingOwnSave = false
    show(body)
    let answers = showPages()
    switch fetch?.phase {
    // What is being saved is shown together with its success.
    case .saving: return answers
    case .showing: return succeed() + answers
    case .fetching, nil:
      if pages.isSaving { return answers }
      return [publish()] + answers + (isOwnSave ? [] : refreshAutomatically(at: now))
    }
  }

  /// What is saved was read beside the observation, before that gave anything.
  mutating func readAtOnce(_ body: Body) {
    if isLoaded, !isRead { show(body) }
  }

  /// The observation of what is saved failed.
  mutating func readingFailed(
    _ number: UInt64, _ error: any Error, at now: CacheMoment
  ) -> [Effect] {
    guard number == reading else { return [] }
    readError = error
    readingFailures += 1
    readingSince = now.time
    return settle(at: now)
  }

  /// The observation of what is saved ended by itself: what was read last is what there is.
  mutating func readingEnded(_ number: UInt64, at now: CacheMoment) -> [Effect] {
    guard number == reading, !isRead else { return [] }
    show(.empty)
    return settle(at: now)
  }

  /// Time has passed: a window may have ended, or a first value be overdue.
  mutating func timePassed(at now: CacheMoment) -> [Effect] {
    guard isLoaded, isObserved else { return [] }
    if isWaitingForFirstValue, now.time - readingSince >= Self.patience {
      isLate = true
      return settle(at: now)
    }
    if readError != nil, now.time - readingSince >= pauseBeforeReading {
      return readAgain(isOwnSave: false, at: now)
    }
    return [publish()] + refreshAutomatically(at: now)
  }

  /// How long the state waits for its content before it is shown without.
  static var patience: Duration { .seconds(1) }

  /// How long it takes until what failed is observed again: a second, and longer each time.
  var pauseBeforeReading: Duration { .seconds(1 << min(max(0, readingFailures - 1), 6)) }

  /// Whether the first value of an observation is still to come.
  var isWaitingForFirstValue: Bool { reading != nil && !isRead && !isLate && readError == nil }

  /// There is no more to wait for before the state is shown.
  private mutating func settle(at now: CacheMoment) -> [Effect] {
    let answers = showPages()
    if fetch?.phase == .showing { return succeed() + answers }
    return [publish()] + answers + refreshAutomatically(at: now)
  }

  private mutating func show(_ body: Body) {
    self.body = body
    bodyVersion += 1
    isLate = false
    readError = nil
    readingFailures = 0
  }

  private mutating func beginReading(at now: CacheMoment) -> [Effect] {
    guard isObserved, reading == nil, observing.values.contains(where: { exists($0.policy) })
    else { return [] }
    return readAgain(isOwnSave: false, at: now)
  }

  /// Observes anew, so that the first value is one after the last save.
  mutating func readAgain(isOwnSave: Bool, at now: CacheMoment) -> [Effect] {
    guard isObserved else { return [] }
    let number = nextNumber()
    reading = number
    readingSince = now.time
    isReadingOwnSave = isOwnSave
    return [.read(number)]
  }
}
