extension CacheCell {
  /// Takes a place for a repository, with those who observe through it.
  func attach(_ repository: UInt64, _ seat: Seat, _ mailboxes: [UInt64: Letters] = [:]) {
    state.withLock { state in state.attachments[repository] = CacheAttachment(seat) }
    for (number, mailbox) in mailboxes { observe(repository, number, mailbox) }
    let isLoaded = state.withLock { $0.machine.isLoaded }
    guard !mailboxes.isEmpty, !isLoaded else { return }
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
  }

  /// Shows a repository's observer the present state, if it is known, and everything after it.
  func observe(
    _ repository: UInt64, _ number: UInt64, _ mailbox: Letters, readAtOnce body: Machine.Body? = nil
  ) {
    let answers = state.withLock { state -> [Answer] in
      guard let seat = state.attachments[repository]?.seat else {
        return [Answer]()
      }
      let now = time.now
      if let body { state.machine.readAtOnce(body) }
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
      guard state.attachments[repository]?.mailboxes.removeValue(forKey: number) != nil else {
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
  var isLoaded: Bool { state.withLock { $0.machine.isLoaded } }

  /// Sees to it that what the ledger holds is known.
  func load(_ seat: Seat) async {
    guard !isLoaded else { return }
    do {
      let record = try await recall(seat)
      handle(seat) { $0.loaded(record, nil, at: $1) }
      touch(seat)
    } catch {
      handle(seat) { $0.loaded(nil, error, at: $1) }
    }
  }

  /// What can be read of the cache without observing it; nil when it is known, or cannot.
  func readAtOnce(_ seat: Seat) async -> Machine.Body? {
    let isWanted = state.withLock { state in
      state.machine.exists(seat.policy) && !state.machine.isRead
    }
    return isWanted ? try? await seat.readAtOnce() : nil
  }
}
