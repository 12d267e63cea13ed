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
    isCleared = false
    ledgerError = nil
    self.record = record
    stampedAt = now.time
    refreshError = nil
    return effects + readAgain(.ownSave, at: now)
  }

  /// The cache was cleared: it is as if it had never been fetched.
  ///
  /// Where the source still has what was in it, that is shown to nobody until the app puts something
  /// in again.
  mutating func cleared(isKept: Bool = false, at now: CacheMoment) -> [Effect] {
    var effects = supersede() + dropPages()
    if let fetch, fetch.phase == .showing {
      self.fetch = nil
      // What was saved is gone again, so it is no success to those who wait for it.
      effects.append(.answer(fetch.waiters, .skipped(.cancelled)))
    }
    effects += forgotten()
    isLoaded = true
    isCleared = isKept
    effects.append(publish())
    // A source without a fetch goes on with what is saved, whatever that is now.
    let goesOn = !isKept && observing.values.contains { !$0.policy.canFetch }
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
    isCleared = false
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

  /// The cache was declared stale; what is being fetched is older, and is fetched once more when it
  /// is there.
  mutating func invalidated(at now: CacheMoment) -> [Effect] {
    record?.isInvalidated = true
    let shown: [Effect] = record == nil ? [] : [publish()]
    guard fetch?.phase == .fetching else {
      return record == nil ? [] : shown + refreshAutomatically(at: now)
    }
    fetch?.isOutdated = true
    return shown
  }

  /// A fetch that began before the app wrote does not win over what it wrote.
  private mutating func supersede() -> [Effect] {
    guard let fetch, fetch.phase == .fetching else { return [] }
    self.fetch = nil
    return [.cancelFetch, .answer(fetch.waiters, .skipped(.cancelled))]
  }
}
