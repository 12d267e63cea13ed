extension CacheScope {
  /// The cell of a tag.
  ///
  /// - Throws: ``CacheError/tagConflict(tag:source:other:)`` when a source of another type uses it.
  func cell<Source: CacheDataSource>(
    _ tag: String, for type: Source.Type, _ time: CacheTime
  ) throws(CacheError) -> CacheCell<Source> {
    let found = cell(tag) { CacheCell<Source>(tag, self, time) }
    guard let cell = found as? CacheCell<Source> else {
      throw .tagConflict(tag: tag, source: "\(Source.self)", other: found.sourceName)
    }
    return cell
  }
}

extension CacheCell {
  /// Takes a place for a repository, with those who observe through it.
  ///
  /// - Returns: What is to be done when the repository's lock is open again.
  func attach(
    _ repository: UInt64, _ seat: Seat, _ mailboxes: [UInt64: Letters] = [:]
  ) -> [Answer] {
    let now = time.now
    let (answers, needsLoading) = state.withLock { state in
      state.attachments[repository] = CacheAttachment(seat)
      let answers = mailboxes.flatMap { number, mailbox in
        observe(repository, number, mailbox, nil, &state, at: now)
      }
      return (answers, state.machine.stored.needsLoading)
    }
    if !mailboxes.isEmpty, needsLoading {
      WriteScope.apart { _ = Task { [weak self] in await self?.load(seat) } }
    }
    return mailboxes.isEmpty ? answers : answers + [{ self.followOthers() }]
  }

  /// Gives a repository's place up, and answers whoever waits through it.
  func detach(_ repository: UInt64) {
    var left: CacheAttachment<Source>?
    change { state, now in
      left = state.attachments.removeValue(forKey: repository)
      let count = left?.mailboxes.count ?? 0
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
    if let left, !left.mailboxes.isEmpty { touch(left.seat) }
  }

  /// Takes other requirements of the same tag.
  ///
  /// - Returns: What is to be done when the repository's lock is open again.
  func reseat(_ repository: UInt64, _ seat: Seat) -> [Answer] {
    let now = time.now
    return state.withLock { state in
      let old = state.attachments[repository]?.seat
      state.attachments[repository]?.seat = seat
      let effects = state.machine.handle(.reseated(repository, seat.policy), at: now)
      return [{ withExtendedLifetime(old) {} }] + carryOut(effects, seat, &state, at: now)
    }
  }

  /// Shows a repository's observer the present state, if it is known, and everything after it.
  func observe(
    _ repository: UInt64, _ number: UInt64, _ mailbox: Letters, readAtOnce read: ReadAtOnce? = nil
  ) {
    change { state, now in observe(repository, number, mailbox, read, &state, at: now) }
    followOthers()
  }

  private func observe(
    _ repository: UInt64, _ number: UInt64, _ mailbox: Letters, _ read: ReadAtOnce?,
    _ state: inout State, at now: CacheMoment
  ) -> [Answer] {
    // Requirements that were changed and changed back have brought this one along already. The
    // attachment is not held, because to change what is held is to copy everybody's mailbox.
    guard let seat = state.attachments[repository]?.seat,
      state.attachments[repository]?.mailboxes[number] == nil
    else { return [] }
    if let read { _ = state.machine.handle(.readAtOnce(read.body, of: read.record), at: now) }
    var answers: [Answer] = []
    state.attachments[repository]?.add(
      mailbox, number, state.machine.snapshot(), at: now, tag: tag, &answers)
    let observed = Machine.Event.observed(by: repository, seat.policy, count: 1)
    let effects = state.machine.handle(observed, at: now)
    return answers + carryOut(effects, seat, &state, at: now)
  }

  /// Shows an observer nothing any more.
  func unobserve(_ repository: UInt64, _ number: UInt64) {
    var left: Seat?
    change { state, now in
      guard state.attachments[repository]?.remove(number) == true else { return [] }
      left = state.attachments[repository]?.seat
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
      if let attachment = state.attachments[repository], !attachment.mailboxes.isEmpty {
        return attachment.shown
      }
      return snapshot.stored.isLoaded ? snapshot.state(policy, at: now, tag: tag) : nil
    }
  }

  /// Whether what the ledger holds is known.
  var isLoaded: Bool { state.withLock { !$0.machine.stored.needsLoading } }

  /// Sees to it that what the ledger holds is known.
  func load(_ seat: Seat) async {
    guard !isLoaded else { return }
    do {
      await scope.check(time)
      let record =
        try await seat.isPaged ? recall(seat) : scope.ledger.record(for: tag)
      handle(.loaded(record), for: seat)
      touch(seat)
    } catch {
      handle(.loadFailed(CacheFailure(error)), for: seat)
    }
  }

  /// What can be read of the cache without observing it; nil when it is known, or cannot.
  func readAtOnce(_ seat: Seat) async -> ReadAtOnce? {
    let (isWanted, record) = state.withLock { state in
      let stored = state.machine.stored
      return (stored.exists(seat.policy) && !state.machine.reading.isRead, stored.record)
    }
    guard isWanted, let body = try? await seat.readAtOnce() else { return nil }
    return ReadAtOnce(body: body, record: record)
  }

  /// What was read without observing, and the record as it was before.
  struct ReadAtOnce {
    let body: Machine.Body
    let record: FetchRecord?
  }
}
