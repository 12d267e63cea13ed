/// One repository at one tag, with those who observe through it.
struct CacheAttachment<Source: CacheDataSource>: Sendable {
  typealias Letters = Mailbox<CacheLetter>

  var seat: CacheSeat<Source>
  var mailboxes: [UInt64: Letters] = [:]
  /// Those who were not shown anything yet.
  private var unshown: Set<UInt64> = []
  private(set) var shown: CacheState<Source.Cache>?
  /// Which content and which errors were shown.
  private var shownVersion: (body: UInt64, errors: UInt64) = (0, 0)

  init(_ seat: CacheSeat<Source>) {
    self.seat = seat
  }

  /// Shows everybody a state, apart from those who know it.
  ///
  /// What was shown before is let go of, and those who wait are woken, when the lock is open again.
  mutating func show(
    _ machine: CacheMachine<Source.Cache>, at now: CacheMoment, tag: String,
    _ after: inout [() -> Void]
  ) {
    guard !mailboxes.isEmpty, machine.isPresentable(seat.policy) else { return }
    let state = machine.state(seat.policy, at: now, tag: tag)
    let isNew = !isShown(state, machine)
    guard isNew || !unshown.isEmpty else { return }
    let old = shown
    if isNew { remember(state, machine) }
    let letter = CacheLetter(state)
    var arrivals: [Promise<Void>] = []
    for (number, mailbox) in mailboxes where isNew || unshown.contains(number) {
      if let arrival = mailbox.add(letter) { arrivals.append(arrival) }
    }
    unshown = []
    after.append { [arrivals] in
      for arrival in arrivals { arrival.fulfil(()) }
      withExtendedLifetime(old) {}
    }
  }

  /// Adds one who observes, and shows that one the present state if there is any to show.
  mutating func add(
    _ mailbox: Letters, _ number: UInt64, _ machine: CacheMachine<Source.Cache>,
    at now: CacheMoment, tag: String, _ after: inout [() -> Void]
  ) {
    // What was shown to others, who have left since, is not known to this one.
    if mailboxes.isEmpty {
      let old = shown
      after.append { withExtendedLifetime(old) {} }
      shown = nil
    }
    mailboxes[number] = mailbox
    guard machine.isPresentable(seat.policy) else {
      unshown.insert(number)
      return
    }
    let state = machine.state(seat.policy, at: now, tag: tag)
    if let arrival = mailbox.add(CacheLetter(state)) { after.append { arrival.fulfil(()) } }
    if shown == nil { remember(state, machine) }
  }

  /// Lets one go who observed; answers false when there was none.
  mutating func remove(_ number: UInt64) -> Bool {
    unshown.remove(number)
    return mailboxes.removeValue(forKey: number) != nil
  }

  /// What is shown says that a fetch has just ended in one state only, so that is not remembered.
  private mutating func remember(
    _ state: CacheState<Source.Cache>, _ machine: CacheMachine<Source.Cache>
  ) {
    shown = state.settled
    shownVersion = (machine.bodyVersion, machine.errorVersion)
  }

  /// Contents and errors are compared by their versions, because an app's own code would compare them.
  private func isShown(
    _ state: CacheState<Source.Cache>, _ machine: CacheMachine<Source.Cache>
  ) -> Bool {
    let areErrorsShown = machine.errorVersion == shownVersion.errors
    func areSame(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
      (left == nil) == (right == nil) && (left == nil || areErrorsShown)
    }
    guard let shown, shown.fetchedAt == state.fetchedAt,
      shown.isSameBesides(state, areSame)
    else { return false }
    switch (shown.state, state.state) {
    case (.noCache, .noCache), (.cache(nil, _), .cache(nil, _)): return true
    case (.cache(_?, _), .cache(_?, _)): return machine.bodyVersion == shownVersion.body
    case (.noCache, .cache), (.cache, .noCache), (.cache, .cache): return false
    }
  }
}
