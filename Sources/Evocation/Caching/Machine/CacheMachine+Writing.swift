extension CacheMachine {
  /// The app's write failed: what is there is shown.
  mutating func writingFailed() -> [Effect] {
    isWriting = false
    return [publish()]
  }

  /// The app put something into the cache, and it is saved and stamped.
  mutating func updated(_ record: FetchRecord, at now: CacheMoment) -> [Effect] {
    let effects = supersede() + dropPages()
    isWriting = false
    isLoaded = true
    ledgerError = nil
    self.record = record
    stampedAt = now.time
    refreshError = nil
    return effects + readAgain(.ownSave, at: now)
  }

  /// The cache was cleared: it is as if it had never been fetched.
  mutating func cleared(at now: CacheMoment) -> [Effect] {
    var effects = supersede() + dropPages()
    if let fetch, fetch.phase == .showing {
      self.fetch = nil
      effects.append(.answer(fetch.waiters, .successful))
    }
    effects += forgotten()
    isLoaded = true
    effects.append(publish())
    // A source without a fetch goes on with what is saved, whatever that is now.
    let goesOn = observing.values.contains { !$0.policy.canFetch }
    return effects + (goesOn ? readAgain(.again, at: now) : [])
  }

  /// The cache was put into a state from outside: all is as in a new process, but who observes.
  mutating func restarted() -> [Effect] {
    var effects = dropPages() + forgotten()
    isLoaded = false
    isForced = false
    finish = nil
    readingFailures = 0
    if let fetch { effects += [.cancelFetch, .answer(fetch.waiters, .skipped(.cancelled))] }
    fetch = nil
    return effects
  }

  private mutating func forgotten() -> [Effect] {
    let effects: [Effect] = reading == nil ? [] : [.stopReading]
    isWriting = false
    ledgerError = nil
    record = nil
    stampedAt = nil
    reading = nil
    body = .unread
    isLate = false
    readError = nil
    readingFailedAt = nil
    refreshError = nil
    return effects
  }

  /// The cache was declared stale; what is being fetched is fetched anew, because it is older.
  mutating func invalidated(at now: CacheMoment) -> [Effect] {
    record?.isInvalidated = true
    guard fetch?.phase == .fetching else {
      return record == nil ? [] : [publish()] + refreshAutomatically(at: now)
    }
    return [.cancelFetch] + beginAnew() + [publish()]
  }

  /// A fetch that began before the app wrote does not win over what it wrote.
  private mutating func supersede() -> [Effect] {
    guard let fetch, fetch.phase == .fetching else { return [] }
    self.fetch = nil
    return [.cancelFetch, .answer(fetch.waiters, .skipped(.cancelled))]
  }
}
