/// What is sent when, as a value that knows no task, clock or store.
///
/// It is told what happens, and answers what is to be done. The stores know which entries there are; it
/// knows what runs, how fast each service is asked, and what keeps entries from being sent. While a
/// store is looked through, it says of each entry whether that is sent now. Two entries of one instance
/// never run at once. Moments are times since some start.
struct OutboxMachine: Sendable {
  typealias Store = ObjectIdentifier

  struct StoreState: Sendable {
    /// The services that the entries of each queue go to.
    var services: [ByteText: String] = [:]
    var wish = Wish.none
    /// What is being looked for; nil where nothing is.
    var look: Look?
    var lease = Lease.none
    /// Whether the lease is given back as soon as nothing runs.
    var isYielding = false
    /// Whether the entries wait for the user to sign in again, and whether they are to do so no longer.
    var isHeld = false
    var isReleased = false
    /// When the next entry has waited long enough.
    var due: Duration?
    /// Until when the store is left alone after failures.
    var rest = Duration.zero
    var failures = 0
  }

  struct ServiceState: Sendable {
    var pace: ServicePace
    /// Why it wants another credential.
    var refusal: String?
    /// How often its credential was renewed.
    var renewals = 0
    /// Which renewal has excused it for refusing what was sent before; nil once it has taken something.
    var excuse: Int?
    /// After how many renewals it has taken something.
    var taken = 0
    /// Whether entries for it were passed over, which are looked for when it can be asked again.
    var isPassedOver = false
  }

  /// What becomes of an item.
  enum Running: Sendable {
    case sending(ServicePace.Request, service: String, renewals: Int)
    /// The app looks at its conflict, since a moment.
    case resolving(Duration)
    /// The attempt has ended, and what it came to is being kept.
    case ending
  }

  let configuration: Outbox.Configuration
  var stores: [Store: StoreState] = [:]
  var services: [String: ServiceState] = [:]
  var running: [Instance: (item: Item, state: Running)] = [:]
  /// Instances with entries that were passed over for what runs, which another process has discarded.
  var passedOver: Set<Instance> = []
  var sendingCount = 0
  private(set) var isOnline: Bool
  var isPausedByApp = false
  var flushes = 0
  /// What was on its way as a flush began, and is tried once more when that fails.
  private var triedAgain: Set<Item> = []
  /// How many entries the remote has taken.
  private(set) var sent = 0

  init(_ configuration: Outbox.Configuration, isOnline: Bool) {
    self.configuration = configuration
    self.isOnline = isOnline
  }

  var pause: Outbox.Pause? {
    if isPausedByApp { return .byApp }
    if let refusal = services.values.lazy.compactMap(\.refusal).first {
      return .authorization(refusal)
    }
    if stores.values.contains(where: \.isHeld) {
      return .authorization("the user has signed out")
    }
    return isOnline ? nil : .offline
  }

  var isSending: Bool { sendingCount > 0 }

  /// Whether anything may begin to be sent.
  var maySend: Bool { !isPausedByApp && isOnline && !isAtRest }

  /// Whether nothing is sent by itself.
  var isAtRest: Bool { !configuration.sendsAutomatically && flushes == 0 }

  /// Whether it is known that entries of the store may have changed, and nothing follows from it now.
  func knowsTouch(_ store: Store) -> Bool {
    guard let state = stores[store] else { return true }
    if case .mine = state.lease, state.wish > .none, sendingCount >= configuration.concurrency {
      return true
    }
    return state.wish > .none && (state.look != nil || !maySend)
  }

  /// Whether nothing can be sent now.
  func isSettled(at now: Duration) -> Bool {
    guard sendingCount == 0, !running.values.contains(where: \.state.isEnding),
      !stores.values.contains(where: { $0.look != nil })
    else { return false }
    guard maySend else { return true }
    // The app's answer to a conflict is as good as an attempt's, as long as it may come at once.
    let isAnswerNear = running.values.contains { running in
      if case .resolving(let since) = running.state {
        since.adding(Self.patience) > now
      } else {
        false
      }
    }
    let isReturning = stores.values.contains { $0.lease == .returning && $0.wish > .none }
    return !isAnswerNear && !isReturning
      && !stores.keys.contains { look(at: $0, now)?.forEntries == true }
  }

  /// Whether something is to be sent later that no pause keeps back.
  func hasWorkLater(at now: Duration) -> Bool { maySend && nextMoment(after: now) != nil }

  mutating func handle(_ event: Event, at now: Duration, chance: Double) -> [Effect] {
    let before = pause
    var effects: [Effect] = []
    apply(event, at: now, chance: chance, &effects)
    if pause != before { effects.append(.notify(pause.map { .paused($0) } ?? .resumed)) }
    return effects + advance(at: now)
  }

  /// What can begin now.
  private mutating func advance(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    noteRoom(at: now)
    for store in stores.keys {
      if let look = look(at: store, now) {
        stores[store]?.look = look
        if look.forEntries { stores[store]?.wish = .none }
        effects.append(.look(store, look))
      } else if givesLeaseBack(store, at: now) {
        stores[store]?.lease = .returning
        stores[store]?.isYielding = false
        effects.append(.release(store))
      }
    }
    if let moment = nextMoment(after: now) { effects.append(.wake(moment)) }
    return effects
  }
}

extension OutboxMachine {
  /// For how long at most a local store is left alone that has failed, such as one that was busy.
  static var longestRest: Duration { .seconds(5) }
  /// For how long a flush waits for the app's answer to a conflict: long enough for any that comes
  /// without asking the user, who may never answer.
  static var patience: Duration { .seconds(2) }
  /// How often a store whose lease another process has is looked at while its entries change: seldom,
  /// because each write of that process changes them, and often enough to take over where it pauses.
  static var lookAtLease: Duration { .seconds(1) }

  private mutating func apply(
    _ event: Event, at now: Duration, chance: Double, _ effects: inout [Effect]
  ) {
    switch event {
    case .opened(let store, let queue, let service):
      stores[store, default: StoreState()].services[ByteText(queue)] = service
      if services[service] == nil {
        services[service] = ServiceState(
          pace: ServicePace(configuration.retry, concurrency: configuration.concurrency))
      }
      wish(.afresh, store)
    case .closed(let store, let queue):
      stores[store]?.services[ByteText(queue)] = nil
      if stores[store]?.services.isEmpty == true { stores[store]?.isHeld = false }
    case .touched(let store):
      wish(.forNew, store)
      if case .others(let until, let found)? = stores[store]?.lease {
        stores[store]?.lease = .others(
          until: min(until, max(now, found.adding(Self.lookAtLease))), found: found)
      }
    case .looked(let store, let found): take(found, store, at: now)
    case .troubled(let store): leaveAlone(store, at: now)
    case .ended(let item, let health, let isSent):
      end(item, health, at: now, chance: chance)
      if running[item.instance]?.item == item { running[item.instance] = nil }
      if triedAgain.remove(item) != nil, case .failing = health { tryAtOnce(at: now) }
      let isPassedOver = passedOver.remove(item.instance) != nil
      // Of what ended without a word the store does not know that it can be sent again.
      if case .unknown = health {
        wish(.afresh, item.instance.store)
      } else {
        wish(isPassedOver ? .afresh : .forNew, item.instance.store)
      }
      if isSent { sent += 1 }
    case .resolving(let item):
      // It may have ended meanwhile.
      guard running[item.instance]?.item == item else { return }
      end(item, .well, at: now, chance: chance)
      running[item.instance]?.state = .resolving(now)
    case .connection(let isOnline):
      let wasOnline = self.isOnline
      self.isOnline = isOnline
      guard isOnline, !wasOnline else { return }
      // Each service is asked by one request first.
      for service in services.keys { services[service]?.pace.comeBack(at: now, chance: chance) }
      wishAll(.atOnce)
      effects.append(.validate)
    case .paused: isPausedByApp = true
    case .unauthorized(let item, let reason):
      // All that was sent with a credential that has been renewed since is sent again, and refused then.
      guard case .sending(_, let service, let renewals)? = running[item.instance]?.state,
        let state = services[service]
      else { return }
      // A credential that was good, and was renewed, needs no excuse.
      let isUnknown = renewals > state.taken || renewals == state.renewals
      guard isUnknown, renewals >= state.excuse ?? state.renewals else {
        services[service]?.excuse = state.excuse ?? state.renewals
        return
      }
      if state.refusal == nil { services[service]?.refusal = reason }
    case .authorized(let service):
      services[service]?.renewals += 1
      services[service]?.refusal = nil
      wishAll()
    case .held(let held):
      for store in held {
        stores[store]?.isHeld = true
        stores[store]?.isReleased = false
      }
    case .emptied:
      for case (let store, .mine) in stores.map({ ($0, $1.lease) }) {
        stores[store]?.isYielding = true
      }
    case .released(let store): stores[store]?.lease = .none
    case .resumed:
      isPausedByApp = false
      for service in services.keys { services[service]?.refusal = nil }
      // The stores say that they are held no longer once they have put back what they kept.
      for store in stores.keys { stores[store]?.isReleased = true }
      wishAll()
    case .flush(let began):
      flushes += began ? 1 : -1
      if flushes == 0 { triedAgain = [] }
      guard began else { return }
      triedAgain.formUnion(running.values.filter { !$0.state.isResolving }.map(\.item))
      tryAtOnce(at: now)
    case .timer: break
    }
  }

  private mutating func wish(_ wish: Wish, _ store: Store) {
    guard let present = stores[store]?.wish else { return }
    stores[store]?.wish = max(present, wish)
  }

  /// Tries again what failed, because a user asks for it.
  private mutating func tryAtOnce(at now: Duration) {
    for service in services.keys { services[service]?.pace.wanted(at: now) }
    wishAll(.atOnce)
  }

  private mutating func wishAll(_ wish: Wish = .afresh) {
    for store in stores.keys { self.wish(wish, store) }
  }

  /// Takes note of which services can be asked again, for which entries were passed over.
  private mutating func noteRoom(at now: Duration) {
    for (service, state) in services where state.isPassedOver && hasRoom(service, at: now) {
      services[service]?.isPassedOver = false
      for (store, state) in stores where state.services.values.contains(service) {
        wish(.afresh, store)
      }
    }
  }

  private mutating func leaveAlone(_ store: Store, at now: Duration) {
    guard let state = stores[store] else { return }
    let failures = state.failures.addingClamped(1)
    stores[store]?.failures = failures
    let pause = max(configuration.retry.longestPause(after: failures), .milliseconds(100))
    stores[store]?.rest = now.adding(min(pause, Self.longestRest))
    wish(.afresh, store)
  }

  private mutating func take(_ found: Found, _ store: Store, at now: Duration) {
    guard let look = stores[store]?.look else { return }
    stores[store]?.look = nil
    if case .failed = found { return leaveAlone(store, at: now) }
    stores[store]?.failures = 0
    // One that began before the sign-out does not know of it.
    if look.asksWhetherHeld || look.release, !found.isHeld { stores[store]?.isHeld = false }
    if look.release { stores[store]?.isReleased = false }
    switch found {
    case .looked(let lease, let due, let isAtEnd):
      if let lease { stores[store]?.lease = .mine(until: lease) }
      if look.forEntries {
        stores[store]?.due = due
        if !isAtEnd { wish(.forNew, store) }
      }
    case .denied(let wait):
      stores[store]?.lease = .others(until: now.adding(wait), found: now)
      wish(.afresh, store)
    case .held:
      stores[store]?.isHeld = true
    case .failed: break
    }
  }

  mutating func end(_ item: Item, _ health: Health, at now: Duration, chance: Double) {
    guard case .sending(let request, let service, let renewals)? = running[item.instance]?.state,
      running[item.instance]?.item.id == item.id
    else { return }
    running[item.instance]?.state = .ending
    sendingCount -= 1
    switch health {
    case .well:
      services[service]?.pace.succeed(request, at: now)
      services[service]?.excuse = nil
      let taken = services[service]?.taken ?? 0
      services[service]?.taken = max(taken, renewals)
    case .failing(let retryAfter):
      services[service]?.pace.fail(request, retryAfter: retryAfter, at: now, chance: chance)
    case .unknown: services[service]?.pace.end(request)
    }
  }
}

extension OutboxMachine {
  /// A service has asked to be left alone, as an earlier process was told.
  mutating func leaveAlone(_ service: String, until moment: Duration) {
    services[service]?.pace.leaveAlone(until: moment)
  }
}

extension OutboxMachine.Running {
  var isEnding: Bool { if case .ending = self { true } else { false } }
  var isResolving: Bool { if case .resolving = self { true } else { false } }
}
