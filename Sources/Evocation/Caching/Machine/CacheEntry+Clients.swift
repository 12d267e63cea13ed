extension CacheRegistry {
  /// Returns the entry of a tag.
  ///
  /// - Throws: ``CacheError/tagConflict(tag:source:other:)`` when a source of another type uses the
  ///   tag.
  func entry<Content: Sendable>(
    _ tag: String, for source: any CacheSource<Content>, time: CacheTime
  ) throws(CacheError) -> CacheEntry<Content> {
    let found = entry(tag, in: source.stored?.store) {
      CacheEntry<Content>(tag, of: source.type, in: self, time: time)
    }
    guard let entry = found as? CacheEntry<Content>, entry.sourceType == source.type else {
      throw .tagConflict(tag: tag, source: "\(source.type)", other: found.sourceName)
    }
    return entry
  }
}

extension CacheEntry {
  /// Adds a repository, with its observers.
  ///
  /// - Returns: The work to do after the repository's lock is released.
  func attach(
    _ repository: UInt64, _ source: Source, observers buffers: [UInt64: Buffer] = [:],
    at now: CacheMoment
  ) -> [Followup] {
    let (followups, needsLoading) = state.withLock { state in
      state.subscribers[repository] = CacheSubscribers(source)
      if let registration = source.stored?.registration {
        state.registrations.insert(ObjectIdentifier(registration))
      }
      state.countPolling(of: source, since: nil)
      let followups = buffers.flatMap { number, buffer in
        observe(repository, number, buffer: buffer, read: nil, in: &state, at: now)
      }
      return (followups, state.machine.stored.needsLoading)
    }
    if !buffers.isEmpty, needsLoading {
      WriteScope.apart { _ = Task { [weak self] in await self?.load(source) } }
    }
    return buffers.isEmpty ? followups : followups + [{ self.followOthers() }]
  }

  /// Removes a repository, and ends the waiting of its callers.
  func detach(_ repository: UInt64) {
    var left: CacheSubscribers<Content>?
    change { state, now in
      left = state.subscribers.removeValue(forKey: repository)
      state.countPolling(of: nil, since: left?.source)
      let count = left?.buffers.count ?? 0
      let waiters = state.waiters.filter { $0.value.repository == repository }
      let followups: [Followup] = waiters.values.map { waiter in
        { waiter.end.fulfil(.skipped(.isCancelled)) }
      }
      for waiter in waiters.keys { state.waiters[waiter] = nil }
      var effects = state.machine.handle(.left(Array(waiters.keys)), at: now)
      if count > 0 {
        effects += state.machine.handle(.unobserved(by: repository, count: count), at: now)
      }
      return followups + carryOut(effects, nil, in: &state, at: now)
    }
    followOthers()
    if let left, !left.buffers.isEmpty { touch(left.source) }
  }

  /// Takes other requirements of the same tag.
  ///
  /// - Returns: The work to do after the repository's lock is released.
  func replaceSource(
    _ repository: UInt64, _ source: Source, at now: CacheMoment
  ) -> [Followup] {
    state.withLock { state in
      let old = state.subscribers[repository]?.source
      if let old {
        state.subscribers[repository]?.source = source
        state.countPolling(of: source, since: old)
      }
      updatePresence(in: &state, at: now)
      let effects = state.machine.handle(.policyChanged(repository, source.policy), at: now)
      return [{ withExtendedLifetime(old) {} }] + carryOut(effects, source, in: &state, at: now)
    }
  }

  /// Shows a repository's observer the present state, if it is known, and all later ones.
  ///
  /// The content may have been read for it before, by ``readAtOnce(_:)``.
  func observe(
    _ repository: UInt64, _ number: UInt64, buffer: Buffer, after read: Machine.Event? = nil
  ) {
    change { state, now in
      observe(repository, number, buffer: buffer, read: read, in: &state, at: now)
    }
    followOthers()
  }

  private func observe(
    _ repository: UInt64, _ number: UInt64, buffer: Buffer, read: Machine.Event?,
    in state: inout State, at now: CacheMoment
  ) -> [Followup] {
    // If requirements were changed and changed back, this observer has already been added. The
    // subscribers are not kept in a variable, because changing them would then copy all buffers.
    guard let source = state.subscribers[repository]?.source,
      state.subscribers[repository]?.buffers[number] == nil
    else { return [] }
    if let read { _ = state.machine.handle(read, at: now) }
    var followups: [Followup] = []
    updatePresence(in: &state, at: now)
    var present = state.machine.snapshot()
    let observed = Machine.Event.observed(by: repository, source.policy, count: 1)
    let effects = state.machine.handle(observed, at: now)
    present.isAwaited = effects.contains(where: \.isFetch)
    state.subscribers[repository]?.add(
      buffer, number, seeing: present, at: now, tag: tag, after: &followups)
    return followups + carryOut(effects, source, in: &state, at: now)
  }

  /// Removes an observer.
  func unobserve(_ repository: UInt64, _ number: UInt64) {
    var left: Source?
    change { state, now in
      guard state.subscribers[repository]?.remove(number) == true else { return [] }
      left = state.subscribers[repository]?.source
      let effects = state.machine.handle(.unobserved(by: repository, count: 1), at: now)
      return carryOut(effects, nil, in: &state, at: now)
    }
    followOthers()
    if let left { touch(left) }
  }

  /// Returns the present state as far as it is known.
  ///
  /// While a newer state is read, it is the one that was shown last. A cache that is not observed
  /// is not read, and the state says so. It is nil as long as the existence of a cache is unknown.
  func known(_ repository: UInt64, _ policy: CachePolicy) -> CacheState<Content>? {
    let now = time.now
    return state.withLock { state in
      let snapshot = state.machine.snapshot()
      if snapshot.isPresentable(policy) { return snapshot.state(policy, at: now, tag: tag) }
      if let subscribers = state.subscribers[repository], !subscribers.buffers.isEmpty {
        return subscribers.shown
      }
      return snapshot.stored.isLoaded ? snapshot.state(policy, at: now, tag: tag) : nil
    }
  }

  /// Whether the ledger's record has been read.
  var isLoaded: Bool { state.withLock { !$0.machine.stored.needsLoading } }

  /// Reads the ledger's record, unless that was done.
  func load(_ source: Source) async {
    guard !isLoaded else { return }
    do {
      let record = try await recall(source)
      handle(.loaded(record), for: source)
      touch(source)
    } catch {
      handle(.loadFailed(CacheFailure(error)), for: source)
    }
  }

  /// Reads the cache without observing it; nil when it was already read, or that is not possible.
  func readAtOnce(_ source: Source) async -> Machine.Event? {
    let (isWanted, record) = state.withLock { state in
      let stored = state.machine.stored
      return (stored.exists(source.policy) && !state.machine.reading.isRead, stored.record)
    }
    guard isWanted, let body = try? await source.readAtOnce() else { return nil }
    return .readAtOnce(body, of: record)
  }
}

extension CacheEntry {
  /// Passes to the machine whether the app is inactive or offline for every repository that polls,
  /// and whether changes arrive automatically.
  func updatePresence(in state: inout State, at now: CacheMoment) {
    let stored = state.machine.stored
    state.machine.live.set(Self.liveSince(state), stored, at: now)
    guard !state.polled.values.isEmpty else { return }
    let isAway = state.polled.values.allSatisfy { $0?.isAway ?? false }
    _ = state.machine.handle(.away(isAway), at: now)
  }
}

extension CacheEntry.State {
  /// Counts the presence of a repository's source that polls, in place of an earlier one.
  fileprivate mutating func countPolling(
    of new: CacheEntry.Source?, since old: CacheEntry.Source?
  ) {
    if let old, old.policy.refreshEvery != nil { polled.remove(old.presence) }
    if let new, new.policy.refreshEvery != nil { polled.add(new.presence) }
  }
}
