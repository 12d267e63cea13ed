extension CacheMachine {
  mutating func writing(_ isWriting: Bool) -> [Effect] {
    self.isWriting = isWriting
    return []
  }

  mutating func updated(_ save: CacheSave, at now: CacheMoment) -> [Effect] {
    let effects = supersede() + dropPages()
    isWriting = false
    stored =
      save.isDatedByApp
      ? CacheStored(save.record, at: now) : .fetched(CacheStored.Fetched(save.record, at: now.time))
    trace = nil
    refresh.forgetFailure()
    // Once it is shown, observers get what is stale already fetched again.
    if save.isDatedByApp, isObserved { wantIfStale(at: now) }
    return effects + showOwnSave(save.version, at: now)
  }

  private mutating func wantIfStale(at now: CacheMoment) {
    let isWanted = observers.policies.contains {
      $0.canFetch && $0.isAutomatic && freshness($0, at: now) != .fresh
    }
    if isWanted, refresh.run == nil { refresh = .wanted(nil) }
  }

  /// Makes the cache one that was never fetched.
  ///
  /// If the source still has the data, states do not show them until the app updates the cache.
  mutating func cleared(
    isKept: Bool, refreshes: Bool = false, at now: CacheMoment
  ) -> [Effect] {
    var effects = supersede() + dropPages()
    if let run = refresh.run, refresh.isShowing {
      refresh = .idle(nil)
      // The saved data are gone again, so callers that wait for them get no success.
      effects.append(.answer(run.waiters, .skipped(.isCancelled)))
    }
    effects += forget(isKept ? .cleared : .missing)
    effects.append(publish())
    // A source that fetches nothing continues with the data that it has.
    let goesOn = !isKept && observers.policies.contains { !$0.canFetch }
    effects += goesOn ? readAgain(.again, at: now) : []
    return effects + (refreshes ? refreshAutomatically(at: now) : [])
  }

  mutating func restarted() -> [Effect] {
    let dropped = dropPages() + forget(.unknown)
    defer { refresh = .idle(nil) }
    guard let run = refresh.run else { return dropped }
    return dropped + [.cancel(.replacing), .answer(run.waiters, .skipped(.isCancelled))]
  }

  /// Declares the cache stale; a fetch that runs is older, and is repeated.
  mutating func invalidated(_ record: FetchRecord?, at now: CacheMoment) -> [Effect] {
    let isFetching = refresh.run?.isFetching ?? false
    if isFetching { refresh.change { $0.phase = .fetching(isOutdated: true) } }
    guard stored.record != nil else { return [] }
    stored.change {
      $0.isInvalidated = true
      // So that the fetch which follows is known to have seen this invalidation, and all before it.
      $0.invalidations = record?.invalidations ?? $0.invalidations
    }
    return [publish()] + (isFetching ? [] : refreshAutomatically(at: now))
  }

  /// Replaces the stored state, and forgets the last failure and the values that were read.
  private mutating func forget(_ stored: CacheStored) -> [Effect] {
    self.stored = stored
    trace = nil
    isWriting = false
    refresh.forgetFailure()
    return stopReading()
  }

  /// Ends a fetch that began before the app wrote, because it is older.
  private mutating func supersede() -> [Effect] {
    guard let run = refresh.run, run.isFetching else { return [] }
    refresh = .idle(nil)
    return [.cancel(.replacing), .answer(run.waiters, .skipped(.isCancelled))]
  }
}
