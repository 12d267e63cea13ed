/// One repository at one tag, with those who observe through it.
struct CacheAttachment<Source: CacheDataSource>: Sendable {
  typealias Letters = Mailbox<CacheLetter>

  var seat: CacheSeat<Source>
  var mailboxes: [UInt64: Letters] = [:]
  /// Those who were not shown anything yet.
  private var unshown: Set<UInt64> = []
  private var shown: CacheState<Source.Cache>?
  private var shownVersion: UInt64 = 0

  init(_ seat: CacheSeat<Source>) {
    self.seat = seat
  }

  /// Shows everybody a state, apart from those who know it.
  mutating func show(
    _ machine: CacheMachine<Source.Cache>, at now: CacheMoment, tag: String
  ) {
    guard !mailboxes.isEmpty, machine.isPresentable(seat.policy) else { return }
    let state = machine.state(seat.policy, at: now, tag: tag)
    let isNew = !isShown(state, machine.bodyVersion)
    if isNew { remember(state, machine.bodyVersion) }
    let letter = CacheLetter(state)
    for (number, mailbox) in mailboxes where isNew || unshown.contains(number) {
      mailbox.put(letter)
    }
    unshown = []
  }

  /// Adds one who observes, and shows that one the present state if there is any to show.
  mutating func add(
    _ mailbox: Letters, _ number: UInt64, _ machine: CacheMachine<Source.Cache>,
    at now: CacheMoment, tag: String
  ) {
    // What was shown to others, who have left since, is not known to this one.
    if mailboxes.isEmpty { shown = nil }
    mailboxes[number] = mailbox
    guard machine.isPresentable(seat.policy) else {
      unshown.insert(number)
      return
    }
    let state = machine.state(seat.policy, at: now, tag: tag)
    mailbox.put(CacheLetter(state))
    if shown == nil { remember(state, machine.bodyVersion) }
  }

  /// Lets one go who observed; answers false when there was none.
  mutating func remove(_ number: UInt64) -> Bool {
    unshown.remove(number)
    return mailboxes.removeValue(forKey: number) != nil
  }

  /// What is shown says that a fetch has just ended in one state only, so that is not remembered.
  private mutating func remember(_ state: CacheState<Source.Cache>, _ version: UInt64) {
    shown = state.settled
    shownVersion = version
  }

  private func isShown(_ state: CacheState<Source.Cache>, _ version: UInt64) -> Bool {
    guard let shown, shown.isSameBesides(state), shown.fetchedAt == state.fetchedAt else {
      return false
    }
    switch (shown.state, state.state) {
    case (.noCache, .noCache), (.cache(nil, _), .cache(nil, _)): return true
    case (.cache(let old?, _), .cache(let new?, _)):
      return version == shownVersion || Self.areEqual(old, new)
    case (.noCache, .cache), (.cache, .noCache), (.cache, .cache): return false
    }
  }

  /// Whether two contents are equal; false where the type does not say.
  private static func areEqual(_ left: Source.Cache, _ right: Source.Cache) -> Bool {
    func opened<Known: Equatable>(_ left: Known) -> Bool { (right as? Known) == left }
    guard let left = left as? any Equatable else { return false }
    return opened(left)
  }
}
