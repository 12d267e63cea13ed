/// One repository at one tag, with those who observe through it.
struct CacheAttachment<Source: CacheDataSource>: Sendable {
  typealias Letters = Mailbox<CacheLetter>

  var seat: CacheSeat<Source>
  var mailboxes: [UInt64: Letters] = [:]
  private var shown: CacheState<Source.Cache>?
  private var shownVersion: UInt64 = 0

  init(_ seat: CacheSeat<Source>) {
    self.seat = seat
  }

  /// Shows everybody a state, unless it is the one that they know.
  mutating func show(
    _ machine: CacheMachine<Source.Cache>, at now: CacheMoment, tag: String
  ) {
    guard !mailboxes.isEmpty, machine.isPresentable(seat.policy) else { return }
    let state = machine.state(seat.policy, at: now, tag: tag)
    guard !isShown(state, machine.bodyVersion) else { return }
    remember(state, machine.bodyVersion)
    let letter = CacheLetter(state)
    for mailbox in mailboxes.values { mailbox.put(letter) }
  }

  /// Adds one who observes, and shows that one the present state if there is any to show.
  mutating func add(
    _ mailbox: Letters, _ number: UInt64, _ machine: CacheMachine<Source.Cache>,
    at now: CacheMoment, tag: String
  ) {
    mailboxes[number] = mailbox
    guard machine.isPresentable(seat.policy) else { return }
    let state = machine.state(seat.policy, at: now, tag: tag)
    mailbox.put(CacheLetter(state))
    if shown == nil { remember(state, machine.bodyVersion) }
  }

  /// What is shown says that a fetch has just ended in one state only, so that is not remembered.
  private mutating func remember(_ state: CacheState<Source.Cache>, _ version: UInt64) {
    shown = state
    shown?.justFinishedFirstFetch = false
    shown?.justFinishedSuccessfulFirstFetch = false
    shown?.justFinishedSuccessfulRefresh = false
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
    default: return false
    }
  }

  /// Whether two contents are equal; false where the type does not say.
  private static func areEqual(_ left: Source.Cache, _ right: Source.Cache) -> Bool {
    func opened<Known: Equatable>(_ left: Known) -> Bool { (right as? Known) == left }
    guard let left = left as? any Equatable else { return false }
    return opened(left)
  }
}
