extension CacheRegistry {
  /// The entry of a tag.
  ///
  /// - Throws: ``CacheError/tagConflict(tag:source:other:)`` when a source of another type uses it.
  func entry<Source: CacheDataSource>(
    _ tag: String, for type: Source.Type, _ time: CacheTime
  ) throws(CacheError) -> CacheEntry<Source> {
    let found = entry(tag) { CacheEntry<Source>(tag, self, time) }
    guard let entry = found as? CacheEntry<Source> else {
      throw .tagConflict(tag: tag, source: "\(Source.self)", other: found.sourceName)
    }
    return entry
  }
}

extension CacheEntry {
  /// Takes a place for a repository, with those who observe through it.
  ///
  /// - Returns: What is to be done when the repository's lock is open again.
  func attach(
    _ repository: UInt64, _ client: Client, _ buffers: [UInt64: Buffer] = [:]
  ) -> [Answer] {
    let now = time.now
    let (answers, needsLoading) = state.withLock { state in
      state.attachments[repository] = CacheSubscribers(client)
      let answers = buffers.flatMap { number, buffer in
        observe(repository, number, buffer, nil, &state, at: now)
      }
      return (answers, state.machine.stored.needsLoading)
    }
    if !buffers.isEmpty, needsLoading {
      WriteScope.apart { _ = Task { [weak self] in await self?.load(client) } }
    }
    return buffers.isEmpty ? answers : answers + [{ self.followOthers() }]
  }

  /// Gives a repository's place up, and answers whoever waits through it.
  func detach(_ repository: UInt64) {
    var left: CacheSubscribers<Source>?
    change { state, now in
      left = state.attachments.removeValue(forKey: repository)
      let count = left?.buffers.count ?? 0
      let waiters = state.waiters.filter { $0.value.repository == repository }
      var answers: [Answer] = waiters.values.map { waiter in
        { waiter.result.fulfil(.skipped(.cancelled)) }
      }
      for waiter in waiters.keys { state.waiters[waiter] = nil }
      answers += abandonPages(of: repository, &state)
      var effects = state.machine.handle(.left(Array(waiters.keys)), at: now)
      if count > 0 {
        effects += state.machine.handle(.unobserved(by: repository, count: count), at: now)
      }
      return answers + carryOut(effects, nil, &state, at: now)
    }
    followOthers()
    if let left, !left.buffers.isEmpty { touch(left.client) }
  }

  /// Takes other requirements of the same tag.
  ///
  /// - Returns: What is to be done when the repository's lock is open again.
  func replaceClient(_ repository: UInt64, _ client: Client) -> [Answer] {
    let now = time.now
    return state.withLock { state in
      let old = state.attachments[repository]?.client
      state.attachments[repository]?.client = client
      let effects = state.machine.handle(.reseated(repository, client.policy), at: now)
      return [{ withExtendedLifetime(old) {} }] + carryOut(effects, client, &state, at: now)
    }
  }

  /// Shows a repository's observer the present state, if it is known, and everything after it.
  func observe(
    _ repository: UInt64, _ number: UInt64, _ buffer: Buffer, readAtOnce read: ReadAtOnce? = nil
  ) {
    change { state, now in observe(repository, number, buffer, read, &state, at: now) }
    followOthers()
  }

  private func observe(
    _ repository: UInt64, _ number: UInt64, _ buffer: Buffer, _ read: ReadAtOnce?,
    _ state: inout State, at now: CacheMoment
  ) -> [Answer] {
    // Requirements that were changed and changed back have brought this one along already. The
    // attachment is not held, because to change what is held is to copy everybody's buffer.
    guard let client = state.attachments[repository]?.client,
      state.attachments[repository]?.buffers[number] == nil
    else { return [] }
    if let read { _ = state.machine.handle(.readAtOnce(read.body, of: read.record), at: now) }
    var answers: [Answer] = []
    state.attachments[repository]?.add(
      buffer, number, state.machine.snapshot(), at: now, tag: tag, &answers)
    let observed = Machine.Event.observed(by: repository, client.policy, count: 1)
    let effects = state.machine.handle(observed, at: now)
    return answers + carryOut(effects, client, &state, at: now)
  }

  /// Shows an observer nothing any more.
  func unobserve(_ repository: UInt64, _ number: UInt64) {
    var left: Client?
    change { state, now in
      guard state.attachments[repository]?.remove(number) == true else { return [] }
      left = state.attachments[repository]?.client
      let effects = state.machine.handle(.unobserved(by: repository, count: 1), at: now)
      return carryOut(effects, nil, &state, at: now)
    }
    followOthers()
    if let left { touch(left) }
  }

  /// The present state as a repository shows it; nil when it is not known.
  func present(_ policy: CachePolicy) -> CacheState<Source.Cache>? {
    let now = time.now
    return state.withLock { state in
      let snapshot = state.machine.snapshot()
      return snapshot.isPresentable(policy) ? snapshot.state(policy, at: now, tag: tag) : nil
    }
  }

  /// The present state as far as it is known: what was shown last while another is being read.
  ///
  /// What exists and is not observed is not read either, which the state says; nil before it is
  /// known whether there is a cache.
  func known(_ repository: UInt64, _ policy: CachePolicy) -> CacheState<Source.Cache>? {
    let now = time.now
    return state.withLock { state in
      let snapshot = state.machine.snapshot()
      if snapshot.isPresentable(policy) { return snapshot.state(policy, at: now, tag: tag) }
      if let attachment = state.attachments[repository], !attachment.buffers.isEmpty {
        return attachment.shown
      }
      return snapshot.stored.isLoaded ? snapshot.state(policy, at: now, tag: tag) : nil
    }
  }

  /// Whether what the ledger holds is known.
  var isLoaded: Bool { state.withLock { !$0.machine.stored.needsLoading } }

  /// Sees to it that what the ledger holds is known.
  func load(_ client: Client) async {
    guard !isLoaded else { return }
    do {
      await scope.check(time)
      let record =
        try await client.isPaged ? recall(client) : scope.ledger.record(for: tag)
      handle(.loaded(record), for: client)
      touch(client)
    } catch {
      handle(.loadFailed(CacheFailure(error)), for: client)
    }
  }

  /// What can be read of the cache without observing it; nil when it is known, or cannot.
  func readAtOnce(_ client: Client) async -> ReadAtOnce? {
    let (isWanted, record) = state.withLock { state in
      let stored = state.machine.stored
      return (stored.exists(client.policy) && !state.machine.reading.isRead, stored.record)
    }
    guard isWanted, let body = try? await client.readAtOnce() else { return nil }
    return ReadAtOnce(body: body, record: record)
  }

  /// What was read without observing, and the record as it was before.
  struct ReadAtOnce {
    let body: Machine.Body
    let record: FetchRecord?
  }
}
