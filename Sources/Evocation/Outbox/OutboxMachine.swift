/// Decides what to send when, as a value that knows no task, clock or store.
///
/// It receives events, and returns effects. The stores know which entries there are. The machine
/// knows what is being sent, how fast each server takes requests, and what keeps entries from being
/// sent. During a look through a store, it decides for each entry whether to send it now. It never
/// sends two entries on one instance at the same time. Times are durations since a fixed start.
package struct OutboxMachine: Sendable {
  package typealias Store = ObjectIdentifier

  struct StoreState: Sendable {
    /// The servers that the entries of each queue are sent to.
    var services: [ByteText: String] = [:]
    var reason = LookReason.none
    /// The position from which to look again; nil for where the last look ended.
    var again: Int64?
    /// The look under way; nil for none.
    var look: Look?
    var lease = Lease.none
    /// Whether to return the lease as soon as no request is under way.
    var isYielding = false
    /// Whether the entries wait for the user to sign in, and whether that is to end.
    var isHeld = false
    var isReleased = false
    /// When the wait of the next entry ends.
    var due: Duration?
    /// The end of the store's pause after failures.
    var rest = Duration.zero
    var failures = 0
  }

  package struct ServiceState: Sendable {
    package var pace: ServicePace
    /// The reason why it wants another credential; nil if it does not.
    package var refusal: String?
    /// The number of times that its credential was renewed.
    var renewals = 0
    /// The renewal that excuses refusals of earlier requests; nil once it has accepted a request.
    var excuse: Int?
    /// The number of further renewals that excused refusals since it last accepted a request.
    var furtherExcuses = 0
    /// The number of renewals before the sending of the last request that it accepted.
    var taken = 0
    /// Whether entries for it were passed over, to be looked for when it has room again.
    var isPassedOver = false
    /// The number of entries taken since those of low urgency had their turn.
    var sinceTurn = 0
    /// Whether an entry of low urgency has its turn, before all others.
    var isTurn = false

    mutating func recordTaken(isUtility: Bool) {
      (sinceTurn, isTurn) =
        isUtility ? (0, false) : (sinceTurn.addingClamped(1), isTurn)
    }
  }

  /// The state of an item.
  enum Running: Sendable {
    case sending(ServicePace.Request, service: String, renewals: Int)
    /// The app's resolver has been deciding about its conflict since a time.
    case resolving(Duration)
    /// The attempt has ended, and its result is being saved.
    case ending
  }

  let configuration: Outbox.Configuration
  var stores: [Store: StoreState] = [:]
  package var services: [String: ServiceState] = [:]
  var running: [Instance: (item: Item, state: Running)] = [:]
  /// The first entries that were passed over for a running one on the same instance.
  ///
  /// They may be free once it has ended, without a change of the store: another process has discarded
  /// the running one, or it is the same entry, which waits no longer.
  var passedOver: [Instance: Int64] = [:]
  var sendingCount = 0
  private(set) var isOnline: Bool
  var isPausedByApp = false
  var flushes = 0
  /// The items that were under way when a flush began.
  ///
  /// If one fails, all are tried once more.
  private var triedAgain: Set<Item> = []
  /// The number of entries that the server has executed.
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

  /// Whether any entry may begin to be sent.
  var maySend: Bool { !isPausedByApp && isOnline && !isAtRest }

  /// Whether nothing is sent automatically.
  var isAtRest: Bool { !configuration.sendsAutomatically && flushes == 0 }

  /// Whether the machine knows that entries may have changed, and nothing follows from it now.
  func knowsTouch(_ store: Store) -> Bool {
    guard let state = stores[store] else { return true }
    if case .mine = state.lease, state.reason > .none, sendingCount >= configuration.concurrency {
      return true
    }
    return state.reason > .none && (state.look != nil || !maySend)
  }

  /// Whether nothing can be sent now.
  func isSettled(at now: Duration) -> Bool {
    guard sendingCount == 0, !running.values.contains(where: \.state.isEnding),
      !stores.values.contains(where: { $0.look != nil })
    else { return false }
    // The resolver's answer counts like that of an attempt, as long as it may come soon.
    let isAnswerNear = running.values.contains {
      if case .resolving(let since) = $0.state { since.adding(Self.patience) > now } else { false }
    }
    guard !isAnswerNear else { return false }
    guard maySend else { return true }
    let isReturning = stores.values.contains { $0.lease == .returning && $0.reason > .none }
    return !isReturning
      && !stores.keys.contains { look(at: $0, now)?.forEntries == true }
  }

  /// Whether something may be sent before a time that no pause holds back.
  ///
  /// A server is paused for a time, which ends before it or not. Another process may return its
  /// lease at any time.
  func hasWork(before end: Duration, at now: Duration) -> Bool {
    maySend && (nextLease(after: now) != nil || nextMoment(after: now).map { $0 < end } ?? false)
  }

  mutating func handle(_ event: Event, at now: Duration, chance: Double) -> [Effect] {
    let before = pause
    var effects: [Effect] = []
    apply(event, at: now, chance: chance, effects: &effects)
    if pause != before { effects.append(.notify(pause.map { .paused($0) } ?? .resumed)) }
    return effects + advance(at: now)
  }

  /// Returns the effects that can begin now.
  private mutating func advance(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    recordRoom(at: now)
    for store in stores.keys {
      if let look = look(at: store, now) {
        stores[store]?.look = look
        if look.forEntries {
          stores[store]?.reason = .none
          stores[store]?.again = nil
        }
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
  /// The longest pause of a local store after failures, for example because it was busy.
  static var longestRest: Duration { .seconds(5) }
  /// How long a flush waits for the app's resolver.
  ///
  /// It is long enough for an answer without the user, who may never answer.
  static var patience: Duration { .seconds(2) }
  /// How often to look at a store whose lease another process has, while its entries change.
  ///
  /// Seldom, because each write of that process changes them, and often enough to take over after
  /// it pauses.
  static var lookAtLease: Duration { .seconds(1) }

  private mutating func apply(
    _ event: Event, at now: Duration, chance: Double, effects: inout [Effect]
  ) {
    switch event {
    case .opened(let store, let queue, let service): open(store, queue, service: service)
    case .closed(let store, let queue):
      stores[store]?.services[ByteText(queue)] = nil
      if stores[store]?.services.isEmpty == true { stores[store]?.isHeld = false }
    case .touched(let store): touch(store, at: now)
    case .looked(let store, let found): take(found, store, at: now)
    case .troubled(let store): leaveAlone(store, at: now)
    case .ended(let item, let ending): finish(item, ending, at: now, chance: chance)
    case .resolving(let item):
      // It may have ended in the meantime.
      guard running[item.instance]?.item == item else { return }
      end(item, .well, at: now, chance: chance)
      running[item.instance]?.state = .resolving(now)
    case .connection(let isOnline):
      if connect(isOnline, at: now, chance: chance) { effects.append(.validate) }
    case .paused: isPausedByApp = true
    case .unauthorized(let item, let reason): refuse(item, reason: reason)
    case .authorized(let service):
      services[service]?.renewals += 1
      services[service]?.refusal = nil
      requestLooks()
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
    case .resumed: resume()
    case .flush(let began): flush(began, at: now)
    case .timer: break
    }
  }
}

/// What an event changes.
extension OutboxMachine {
  private mutating func open(_ store: Store, _ queue: String, service: String) {
    stores[store, default: StoreState()].services[ByteText(queue)] = service
    if services[service] == nil {
      services[service] = ServiceState(
        pace: ServicePace(configuration.retry, concurrency: configuration.concurrency))
    }
    requestLook(.afresh, store)
  }

  private mutating func touch(_ store: Store, at now: Duration) {
    requestLook(.forNew, store)
    if case .others(let until, let found)? = stores[store]?.lease {
      stores[store]?.lease = .others(
        until: min(until, max(now, found.adding(Self.lookAtLease))), found: found)
    }
  }

  private mutating func finish(_ item: Item, _ ending: Ending, at now: Duration, chance: Double) {
    end(item, ending.health, at: now, chance: chance)
    if running[item.instance]?.item == item { running[item.instance] = nil }
    if triedAgain.remove(item) != nil, case .failing = ending.health { tryAtOnce(at: now) }
    let store = item.instance.store
    if let passed = passedOver.removeValue(forKey: item.instance) {
      let again = stores[store]?.again ?? .max
      stores[store]?.again = min(passed, again)
    }
    // After an unknown end, the store does not know that the entry can be sent again.
    if case .unknown = ending.health {
      requestLook(.afresh, store)
    } else {
      requestLook(.forNew, store)
    }
    if ending.isSent { sent += 1 }
  }

  /// Takes whether there is a connection; true if it has come back.
  private mutating func connect(_ isOnline: Bool, at now: Duration, chance: Double) -> Bool {
    let wasOnline = self.isOnline
    self.isOnline = isOnline
    guard isOnline, !wasOnline else { return false }
    // One request to each server goes first.
    for service in services.keys { services[service]?.pace.comeBack(at: now, chance: chance) }
    requestLooks(.atOnce)
    return true
  }

  private mutating func resume() {
    isPausedByApp = false
    for service in services.keys { services[service]?.refusal = nil }
    // The stores report that they are no longer held once they have restored their rows.
    for store in stores.keys { stores[store]?.isReleased = true }
    requestLooks()
  }

  private mutating func flush(_ began: Bool, at now: Duration) {
    flushes += began ? 1 : -1
    if flushes == 0 { triedAgain = [] }
    guard began else { return }
    triedAgain.formUnion(running.values.filter { !$0.state.isResolving }.map(\.item))
    tryAtOnce(at: now)
  }

  private mutating func requestLook(_ reason: LookReason, _ store: Store) {
    guard let present = stores[store]?.reason else { return }
    stores[store]?.reason = max(present, reason)
  }

  /// Tries again what failed, because a user asks for it.
  private mutating func tryAtOnce(at now: Duration) {
    for service in services.keys { services[service]?.pace.wanted(at: now) }
    requestLooks(.atOnce)
  }

  private mutating func requestLooks(_ reason: LookReason = .afresh) {
    for store in stores.keys { self.requestLook(reason, store) }
  }

  /// Records which servers have room again for entries that were passed over.
  private mutating func recordRoom(at now: Duration) {
    for (service, state) in services where state.isPassedOver && hasRoom(service, at: now) {
      services[service]?.isPassedOver = false
      for (store, state) in stores where state.services.values.contains(service) {
        requestLook(.afresh, store)
      }
    }
  }

  private mutating func leaveAlone(_ store: Store, at now: Duration) {
    guard let state = stores[store] else { return }
    let failures = state.failures.addingClamped(1)
    stores[store]?.failures = failures
    let pause = max(configuration.retry.backoff.pause(after: failures), .milliseconds(100))
    stores[store]?.rest = now.adding(min(pause, Self.longestRest))
    requestLook(.afresh, store)
  }

  private mutating func take(_ found: Found, _ store: Store, at now: Duration) {
    guard let look = stores[store]?.look else { return }
    stores[store]?.look = nil
    switch found {
    case .failed: return leaveAlone(store, at: now)
    // A type may be registered again by now.
    case .unregistered: return requestLook(.afresh, store)
    case .looked, .denied, .held: break
    }
    stores[store]?.failures = 0
    // A look that began before the sign-out does not know of it.
    if look.asksWhetherHeld || look.release { stores[store]?.isHeld = false }
    if look.release { stores[store]?.isReleased = false }
    switch found {
    case .looked(let lease, let due, let isAtEnd):
      if let lease { stores[store]?.lease = .mine(until: lease) }
      if look.forEntries {
        stores[store]?.due = due
        if !isAtEnd { requestLook(.forNew, store) }
      }
    case .denied(let wait):
      stores[store]?.lease = .others(until: now.adding(wait), found: now)
      requestLook(.afresh, store)
    case .held:
      stores[store]?.isHeld = true
    case .failed, .unregistered: break
    }
  }

  /// Ends an attempt, if that was not recorded before its result was saved.
  mutating func end(_ item: Item, _ health: Health, at now: Duration, chance: Double) {
    if case .failing(let retryAfter) = health {
      // How long the entry waits was saved already.
      _ = recordFailed(item, retryAfter: retryAfter, at: now, chance: chance)
      return
    }
    guard case .sending(let request, let service, let renewals)? = leave(item) else { return }
    guard case .well = health else {
      services[service]?.pace.end(request)
      return
    }
    services[service]?.pace.succeed(request, at: now)
    services[service]?.excuse = nil
    services[service]?.furtherExcuses = 0
    let taken = services[service]?.taken ?? 0
    services[service]?.taken = max(taken, renewals)
  }

  /// Ends an attempt that is under way, and returns what it was; nil for none.
  mutating func leave(_ item: Item) -> Running? {
    guard let (present, state) = running[item.instance], present.id == item.id,
      case .sending = state
    else { return nil }
    running[item.instance]?.state = .ending
    sendingCount -= 1
    return state
  }
}

extension OutboxMachine.Running {
  var isEnding: Bool { if case .ending = self { true } else { false } }
  var isResolving: Bool { if case .resolving = self { true } else { false } }
}
