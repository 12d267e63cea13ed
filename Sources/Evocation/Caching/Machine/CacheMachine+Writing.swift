extension CacheMachine {
  mutating func writing(_ isWriting: Bool) -> [Effect] {
    self.isWriting = isWriting
    return []
  }

  mutating func updated(
    _ record: FetchRecord, version: UInt64?, at now: CacheMoment
  ) -> [Effect] {
    let effects = supersede() + dropPages()
    isWriting = false
    stored = .fetched(CacheStored.Fetched(record, at: now.time))
    refresh.forgetFailure()
    return effects + showOwnSave(version, at: now)
  }

  /// It is as if the cache had never been fetched.
  ///
  /// Where the source still has what was in it, that is shown to nobody until the app puts something
  /// in again.
  mutating func cleared(isKept: Bool, at now: CacheMoment) -> [Effect] {
    var effects = supersede() + dropPages()
    if let fetch = refresh.fetch, refresh.isShowing {
      refresh = .idle(nil)
      // What was saved is gone again, so it is no success to those who wait for it.
      effects.append(.answer(fetch.waiters, .skipped(.cancelled)))
    }
    effects += forget(isKept ? .cleared : .missing)
    effects.append(publish())
    // A source without a fetch goes on with what is saved, whatever that is now.
    let goesOn = !isKept && observers.values.contains { !$0.policy.canFetch }
    return effects + (goesOn ? readAgain(.again, at: now) : [])
  }

  mutating func restarted() -> [Effect] {
    let dropped = dropPages() + forget(.unknown)
    defer { refresh = .idle(nil) }
    guard let fetch = refresh.fetch else { return dropped }
    return dropped + [.cancelFetch, .answer(fetch.waiters, .skipped(.cancelled))]
  }

  /// What is being fetched is older, and is fetched once more when it is there.
  mutating func invalidated(at now: CacheMoment) -> [Effect] {
    let isFetching = refresh.fetch?.isFetching ?? false
    if isFetching { refresh.change { $0.phase = .fetching(isOutdated: true) } }
    guard stored.record != nil else { return [] }
    stored.change { $0.isInvalidated = true }
    return [publish()] + (isFetching ? [] : refreshAutomatically(at: now))
  }

  /// Nothing is known any more but what is stored now.
  private mutating func forget(_ stored: CacheStored) -> [Effect] {
    self.stored = stored
    isWriting = false
    refresh.forgetFailure()
    return stopReading()
  }

  /// A fetch that began before the app wrote does not win over what it wrote.
  private mutating func supersede() -> [Effect] {
    guard let fetch = refresh.fetch, fetch.isFetching else { return [] }
    refresh = .idle(nil)
    return [.cancelFetch, .answer(fetch.waiters, .skipped(.cancelled))]
  }
}
