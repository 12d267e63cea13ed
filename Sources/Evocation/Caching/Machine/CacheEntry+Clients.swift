extension CacheRegistry {
  /// Returns the entry of a tag.
  ///
  /// - Throws: ``CacheError/tagConflict(tag:source:other:)`` when a source of another type uses the
  ///   tag.
  func entry<Source: CacheDataSource>(
    _ tag: String, in store: StoreID?, for type: Source.Type, _ time: CacheTime
  ) throws(CacheError) -> CacheEntry<Source> {
    let found = entry(tag, in: store) { CacheEntry<Source>(tag, self, time) }
    guard let entry = found as? CacheEntry<Source> else {
      throw .tagConflict(tag: tag, source: "\(Source.self)", other: found.sourceName)
    }
    return entry
  }
}

extension CacheEntry {
  /// Adds a repository, with its observers.
  ///
  /// - Returns: The work to do after the repository's lock is released.
  func attach(
    _ repository: UInt64, _ client: Client, _ buffers: [UInt64: Buffer] = [:],
    at now: CacheMoment
  ) -> [Followup] {
    let (followups, needsLoading) = state.withLock { state in
      state.subscribers[repository] = CacheSubscribers(client)
      let followups = buffers.flatMap { number, buffer in
        observe(repository, number, buffer, nil, &state, at: now)
      }
      return (followups, state.machine.stored.needsLoading)
    }
    if !buffers.isEmpty, needsLoading {
      WriteScope.apart { _ = Task { [weak self] in await self?.load(client) } }
    }
    return buffers.isEmpty ? followups : followups + [{ self.followOthers() }]
  }

  /// Removes a repository, and ends the waiting of its callers.
  func detach(_ repository: UInt64) {
    var left: CacheSubscribers<Source>?
    change { state, now in
      left = state.subscribers.removeValue(forKey: repository)
      let count = left?.buffers.count ?? 0
      let waiters = state.waiters.filter { $0.value.repository == repository }
      var followups: [Followup] = waiters.values.map { waiter in
        { waiter.result.fulfil(.skipped(.cancelled)) }
      }
      for waiter in waiters.keys { state.waiters[waiter] = nil }
      followups += abandonPages(of: repository, &state, at: now)
      var effects = state.machine.handle(.left(Array(waiters.keys)), at: now)
      if count > 0 {
        effects += state.machine.handle(.unobserved(by: repository, count: count), at: now)
      }
      return followups + carryOut(effects, nil, &state, at: now)
    }
    followOthers()
    if let left, !left.buffers.isEmpty { touch(left.client) }
  }

  /// Takes other requirements of the same tag.
  ///
  /// - Returns: The work to do after the repository's lock is released.
  func replaceClient(
    _ repository: UInt64, _ client: Client, at now: CacheMoment
  ) -> [Followup] {
    state.withLock { state in
      let old = state.subscribers[repository]?.client
      state.subscribers[repository]?.client = client
      notePresence(in: &state, at: now)
      let effects = state.machine.handle(.policyChanged(repository, client.policy), at: now)
      return [{ withExtendedLifetime(old) {} }] + carryOut(effects, client, &state, at: now)
    }
  }

  /// Shows a repository's observer the present state, if it is known, and all later ones.
  func observe(
    _ repository: UInt64, _ number: UInt64, _ buffer: Buffer, readAtOnce read: ReadAtOnce? = nil
  ) {
    change { state, now in observe(repository, number, buffer, read, &state, at: now) }
    followOthers()
  }

  private func observe(
    _ repository: UInt64, _ number: UInt64, _ buffer: Buffer, _ read: ReadAtOnce?,
    _ state: inout State, at now: CacheMoment
  ) -> [Followup] {
    // If requirements were changed and changed back, this observer has already been added. The
    // subscribers are not kept in a variable, because changing them would then copy all buffers.
    guard let client = state.subscribers[repository]?.client,
      state.subscribers[repository]?.buffers[number] == nil
    else { return [] }
    if let read { _ = state.machine.handle(.readAtOnce(read.body, of: read.record), at: now) }
    var followups: [Followup] = []
    var present = state.machine.snapshot()
    notePresence(in: &state, at: now)
    let observed = Machine.Event.observed(by: repository, client.policy, count: 1)
    let effects = state.machine.handle(observed, at: now)
    present.isAwaited = effects.contains { if case .fetch = $0 { true } else { false } }
    state.subscribers[repository]?.add(buffer, number, present, at: now, tag: tag, &followups)
    return followups + carryOut(effects, client, &state, at: now)
  }

  /// Removes an observer.
  func unobserve(_ repository: UInt64, _ number: UInt64) {
    var left: Client?
    change { state, now in
      guard state.subscribers[repository]?.remove(number) == true else { return [] }
      left = state.subscribers[repository]?.client
      let effects = state.machine.handle(.unobserved(by: repository, count: 1), at: now)
      return carryOut(effects, nil, &state, at: now)
    }
    followOthers()
    if let left { touch(left) }
  }

  /// Returns the present state as a repository shows it; nil when it is unknown.
  func present(_ policy: CachePolicy) -> CacheState<Source.Cache>? {
    let now = time.now
    return state.withLock { state in
      let snapshot = state.machine.snapshot()
      return snapshot.isPresentable(policy) ? snapshot.state(policy, at: now, tag: tag) : nil
    }
  }

  /// Returns the present state as far as it is known.
  ///
  /// While a newer state is read, it is the one that was shown last. A cache that is not observed
  /// is not read, and the state says so. It is nil as long as the existence of a cache is unknown.
  func known(_ repository: UInt64, _ policy: CachePolicy) -> CacheState<Source.Cache>? {
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
  func load(_ client: Client) async {
    guard !isLoaded else { return }
    do {
      let record =
        try await client.isPaged ? recall(client) : held(client)
      handle(.loaded(record), for: client)
      touch(client)
    } catch {
      handle(.loadFailed(CacheFailure(error)), for: client)
    }
  }

  /// Has its repositories bind to the present store of their source.
  func replaceStore() {
    let clients = state.withLock { $0.subscribers.values.map(\.client) }
    for client in clients { client.rebind() }
  }

  /// Reads the cache without observing it; nil when it was already read, or that is not possible.
  func readAtOnce(_ client: Client) async -> ReadAtOnce? {
    let (isWanted, record) = state.withLock { state in
      let stored = state.machine.stored
      return (stored.exists(client.policy) && !state.machine.reading.isRead, stored.record)
    }
    guard isWanted, let body = try? await client.readAtOnce() else { return nil }
    return ReadAtOnce(body: body, record: record)
  }

  /// A value that was read without an observation, and the record from before the read.
  struct ReadAtOnce {
    let body: Machine.Body
    let record: FetchRecord?
  }
}
