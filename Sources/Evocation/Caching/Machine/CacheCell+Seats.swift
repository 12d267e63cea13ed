extension CacheCell {
  /// Takes a place for a repository, with those who observe through it.
  func attach(_ repository: UInt64, _ seat: Seat, _ mailboxes: [UInt64: Letters] = [:]) {
    state.withLock { state in state.attachments[repository] = CacheAttachment(seat) }
    for (number, mailbox) in mailboxes { observe(repository, number, mailbox) }
    let needsLoading = state.withLock { $0.machine.needsLoading }
    guard !mailboxes.isEmpty, needsLoading else { return }
    Task { [weak self] in await self?.load(seat) }
  }

  /// Gives a repository's place up, and answers whoever waits through it.
  func detach(_ repository: UInt64) {
    var abandoned: [Answer] = []
    var left: Seat?
    let answers = state.withLock { state in
      let attachment = state.attachments.removeValue(forKey: repository)
      let count = attachment?.mailboxes.count ?? 0
      left = count > 0 ? attachment?.seat : nil
      let waiters = state.waiters.filter { $0.value.repository == repository }
      abandoned = waiters.values.map { waiter in { waiter.result.fulfil(.skipped(.cancelled)) } }
      for waiter in waiters.keys { state.waiters[waiter] = nil }
      abandoned += abandonPages(of: repository, &state)
      var effects = state.machine.left(Array(waiters.keys))
      if count > 0 { effects += state.machine.unobserved(by: repository, count: count) }
      return carryOut(effects, nil, &state, at: time.now)
    }
    for answer in abandoned { answer() }
    for answer in answers { answer() }
    if let left { touch(left) }
  }

  /// Takes other requirements of the same tag.
  func reseat(_ repository: UInt64, _ seat: Seat) {
    state.withLock { $0.attachments[repository]?.seat = seat }
    handle(seat) { $0.reseated(repository, seat.policy, at: $1) }
  }

  /// Shows a repository's observer the present state, if it is known, and everything after it.
  func observe(
    _ repository: UInt64, _ number: UInt64, _ mailbox: Letters, readAtOnce read: ReadAtOnce? = nil
  ) {
    let answers = state.withLock { state -> [Answer] in
      // Requirements that were changed and changed back have brought this one along already. The
      // attachment is not held, because to change what is held is to copy everybody's mailbox.
      guard let seat = state.attachments[repository]?.seat,
        state.attachments[repository]?.mailboxes[number] == nil
      else { return [] }
      let now = time.now
      if let read { state.machine.readAtOnce(read.body, of: read.record) }
      state.attachments[repository]?.add(mailbox, number, state.machine, at: now, tag: tag)
      let effects = state.machine.observed(by: repository, seat.policy, count: 1, at: now)
      return carryOut(effects, seat, &state, at: now)
    }
    for answer in answers { answer() }
  }

  /// Shows an observer nothing any more.
  func unobserve(_ repository: UInt64, _ number: UInt64) {
    var left: Seat?
    let answers = state.withLock { state in
      guard state.attachments[repository]?.remove(number) == true else {
        return [Answer]()
      }
      left = state.attachments[repository]?.seat
      let effects = state.machine.unobserved(by: repository, count: 1)
      return carryOut(effects, nil, &state, at: time.now)
    }
    for answer in answers { answer() }
    if let left { touch(left) }
  }

  /// The present state as a repository shows it; nil when it is not known.
  func present(_ policy: CachePolicy) -> CacheState<Source.Cache>? {
    state.withLock { state in
      guard state.machine.isPresentable(policy) else { return nil }
      return state.machine.state(policy, at: time.now, tag: tag)
    }
  }

  /// Whether what the ledger holds is known.
  var isLoaded: Bool { state.withLock { !$0.machine.needsLoading } }

  /// Sees to it that what the ledger holds is known.
  func load(_ seat: Seat) async {
    guard !isLoaded else { return }
    do {
      let record = try await cut(scope.ledger.record(for: tag), seat)
      handle(seat) { $0.loaded(record, nil, at: $1) }
      touch(seat)
    } catch {
      handle(seat) { $0.loaded(nil, error, at: $1) }
    }
  }

  /// What can be read of the cache without observing it; nil when it is known, or cannot.
  func readAtOnce(_ seat: Seat) async -> ReadAtOnce? {
    let (isWanted, record) = state.withLock { state in
      (state.machine.exists(seat.policy) && !state.machine.isRead, state.machine.record)
    }
    guard isWanted, let cache = try? await seat.source.readCache(seat.requirements) else {
      return nil
    }
    return ReadAtOnce(body: seat.body(cache), record: record)
  }

  /// What was read without observing, and the record as it was before.
  struct ReadAtOnce {
    let body: Machine.Body
    let record: FetchRecord?
  }
}
