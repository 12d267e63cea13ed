/// What is sent when, as a value that knows no task, clock or store.
///
/// It is told what happens, and answers what is to be done. Entries are looked for, by claims, as
/// many as can be sent soon; an entry that was claimed is sent, and ends. Two entries of one instance
/// never run at once. Moments are times since some start.
struct OutboxMachine: Sendable {
  /// A queue of one model type.
  typealias Channel = Int

  /// An instance of a store.
  struct Instance: Sendable, Hashable {
    let store: ObjectIdentifier
    let reference: Outbox.Reference
  }

  /// An entry that was claimed, and is to be sent; two of one position are the same.
  struct Item: Sendable, Hashable {
    let channel: Channel
    let position: Int64
    /// The entry's id, because a store may give the position of a deleted entry to a new one.
    let id: String
    let instance: Instance
    /// The entry itself, of whichever model.
    let entry: any Sendable

    static func == (left: Item, right: Item) -> Bool {
      left.channel == right.channel && left.position == right.position
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(channel)
      hasher.combine(position)
    }
  }

  /// What the end of an attempt says of the service.
  enum Health: Sendable {
    case well
    case failing(retryAfter: Duration?)
    case unknown
  }

  /// What comes next on an item's instance.
  enum Next: Sendable {
    /// No entries are left.
    case nothing
    /// This entry may be sent at once; it was claimed.
    case item(Item)
    /// The entry at a position is to be sent after a time.
    case later(Int64, Duration)
    /// The first entry is not sent by itself, or was not claimed.
    case stays
  }

  enum Event: Sendable {
    case closed(Channel)
    /// Entries of the store may have changed.
    case touched(ObjectIdentifier)
    /// Entries of the channel may be sent that were passed over.
    case rescan(Channel)
    case claimed(Channel, Claim)
    /// An attempt has ended, and what it came to is kept.
    case ended(Item, Health, Next, isSent: Bool)
    /// The remote refused an item's attempt, and the app is asked about it.
    case resolving(Item)
    case connection(isOnline: Bool)
    case paused
    case unauthorized(String)
    /// Entries of these stores wait for the user to sign in again, as the stores say.
    case held(Set<ObjectIdentifier>)
    /// Nothing is left to be sent, so that other processes need not wait for this one's leases.
    case emptied
    /// The lease on the store was given back.
    case released(ObjectIdentifier)
    case resumed
    /// Entries of any channel may have gone that others waited for.
    case resumedScan
    /// An instance is known by another reference now, which those that wait for it look up anew.
    case renamed(Outbox.Reference)
    case flush(began: Bool)
    case timer
  }

  enum Effect: Sendable {
    /// Looks for entries behind a position, or at these positions alone.
    case claim(Channel, after: Int64, only: [Int64], limit: Int)
    case send(Item)
    /// Gives the lease on a store back.
    case release(Channel, ObjectIdentifier)
    /// Calls again at this time, or before.
    case wake(Duration)
    case notify(Outbox.Event)
    /// Connectivity has returned.
    case validate
  }

  struct ChannelState: Sendable {
    let service: String
    let store: ObjectIdentifier
    let queue: String
    var isClosed = false
    var cursor = Int64.min
    /// Whether entries are to be looked for from the beginning, or from where the last look ended.
    var wantsScan = true
    /// Whether a look ended before the last entry, and is to go on there.
    var isMidScan = false
    var isClaiming = false
    /// Whether the claim asks only whether the store's entries still wait for a sign-in.
    var asksWhetherHeld = false
    /// What has ended since the claim began, and may be found by it all the same: ids by positions.
    var ended: [Int64: String] = [:]
    /// Positions of what is on its way that were found to be given to new entries.
    var regiven: Set<Int64> = []
    /// What was waited for until the claim began, and may be found by it to be waited for.
    var freed: Set<Outbox.Reference> = []
    /// Whether the next look begins anew, wherever the claim ends that is on its way.
    var startsOver = false
    var ready: [Item] = []
    var revisits: Set<Int64> = []
    var waiting: [Int64: Duration] = [:]
    var blocked: [Int64: Outbox.Reference] = [:]
    /// Until when another process has the lease, or the store is left alone after a failure.
    var resting = Duration.zero
    /// When another process was found to have the lease; nil where it may not have it any more.
    var denied: Duration?
    var failures = 0

    /// Whether there may be something to claim.
    var hasWork: Bool { !ready.isEmpty || wantsScan || isMidScan || !revisits.isEmpty }

    /// Looks for entries from the beginning, which finds again what waits for others.
    mutating func startOver() {
      (cursor, wantsScan, isMidScan, startsOver) = (.min, true, false, true)
      blocked = [:]
    }
  }

  let configuration: Outbox.Configuration
  var channels: [ChannelState] = []
  var running: [Item: ServicePace.Request] = [:]
  /// Items whose conflicts the app looks at, and since when; they are none of the service's requests.
  var resolving: [Item: Duration] = [:]
  var paces: [String: ServicePace] = [:]
  var leases: [ObjectIdentifier: Duration] = [:]
  /// Stores whose leases are being given back, or are to be as soon as nothing of them runs.
  var releasing: Set<ObjectIdentifier> = []
  var yielding: Set<ObjectIdentifier> = []
  var isOnline: Bool
  var isPausedByApp = false
  var refusal: String?
  /// Stores that say themselves that their entries wait for the user to sign in again.
  var held: Set<ObjectIdentifier> = []
  var flushes = 0
  /// How many entries the remote has taken.
  var sent = 0
  /// Where the round through the channels goes on.
  var turn = 0

  init(_ configuration: Outbox.Configuration, isOnline: Bool) {
    self.configuration = configuration
    self.isOnline = isOnline
  }

  var pause: Outbox.Pause? {
    if isPausedByApp { return .byApp }
    if let refusal { return .authorization(refusal) }
    if !held.isEmpty { return .authorization("the user has signed out") }
    return isOnline ? nil : .offline
  }

  var isSending: Bool { !running.isEmpty }

  /// Whether it is known that entries of the store may have changed, and nothing follows from it now.
  func knowsTouch(_ store: ObjectIdentifier) -> Bool {
    channels.allSatisfy { channel in
      channel.store != store || channel.isClosed
        || channel.wantsScan && (channel.isClaiming || pause != nil || isAtRest)
    }
  }

  /// Whether nothing is sent by itself.
  var isAtRest: Bool { !configuration.sendsAutomatically && flushes == 0 }

  /// Whether nothing can be sent now.
  func isSettled(at now: Duration) -> Bool {
    guard running.isEmpty, !channels.contains(where: \.isClaiming) else { return false }
    guard pause == nil else { return true }
    // The app's answer to a conflict is as good as an attempt's, as long as it may come at once.
    if resolving.values.contains(where: { $0.adding(Self.patience) > now }) { return false }
    return channels.indices.allSatisfy { channel in
      let state = channels[channel]
      return state.isClosed || !state.hasWork || state.resting > now
        || !isReachable(channel, at: now)
    }
  }

  /// Whether something is to be sent later that no pause keeps back.
  func hasWorkLater(at now: Duration) -> Bool {
    pause == nil && nextMoment(after: now) != nil
  }

  /// Adds a channel.
  mutating func reserve(_ service: String, _ store: ObjectIdentifier, _ queue: String) {
    channels.append(ChannelState(service: service, store: store, queue: queue))
    if paces[service] == nil {
      paces[service] = ServicePace(
        configuration.retry, concurrency: configuration.concurrency)
    }
  }

  private func isReachable(_ channel: Channel, at now: Duration) -> Bool {
    guard let pace = paces[channels[channel].service] else { return true }
    if case .from = pace.room(at: now) { return false }
    return true
  }

  mutating func handle(_ event: Event, at now: Duration, chance: Double) -> [Effect] {
    let before = pause
    var effects: [Effect] = []
    apply(event, at: now, chance: chance, &effects)
    if pause != before {
      effects.append(.notify(pause.map { .paused($0) } ?? .resumed))
    }
    return effects + advance(at: now, chance: chance)
  }

  /// What can begin now.
  private mutating func advance(at now: Duration, chance: Double) -> [Effect] {
    var effects: [Effect] = []
    if maySend {
      for channel in channels.indices { revisit(channel, at: now) }
      while let item = next(at: now),
        let request = paces[service(of: item)]?.begin(at: now, chance: chance)
      {
        running[item] = request
        effects.append(.send(item))
      }
    }
    for channel in channels.indices {
      if let claim = claim(channel, at: now) { effects.append(claim) }
    }
    effects += releases(at: now)
    if let moment = nextMoment(after: now) { effects.append(.wake(moment)) }
    return effects
  }

  /// Whether anything may begin to be sent.
  var maySend: Bool { pause == nil && !isAtRest }
}

extension OutboxMachine {
  /// How many entries are claimed at once, for as many as are sent at once.
  static var claimsForEach: Int { 4 }
  /// For how long at most a local store is left alone that has failed, such as one that was busy.
  static var longestRest: Duration { .seconds(5) }
  /// How many blocked entries are looked at again whenever something changes.
  static var fewBlocked: Int { 1_000 }
  /// For how long a flush waits for the app's answer to a conflict: long enough for any that comes
  /// without asking the user, who may never answer.
  static var patience: Duration { .seconds(2) }
  /// How often a store whose lease another process has is looked at while its entries change: seldom,
  /// because each write of that process changes them, and often enough to take over where it pauses.
  static var lookAtLease: Duration { .seconds(1) }

  func service(of item: Item) -> String { channels[item.channel].service }

  private mutating func apply(
    _ event: Event, at now: Duration, chance: Double, _ effects: inout [Effect]
  ) {
    switch event {
    case .closed(let channel):
      channels[channel].isClosed = true
      channels[channel].ready = []
      held.formIntersection(channels.filter { !$0.isClosed }.map(\.store))
    case .touched(let store):
      for channel in channels.indices where channels[channel].store == store {
        channels[channel].wantsScan = true
        guard let denied = channels[channel].denied else { continue }
        channels[channel].resting = min(
          channels[channel].resting, max(now, denied.adding(Self.lookAtLease)))
      }
    case .rescan(let channel): channels[channel].startOver()
    case .claimed(let channel, let claim): take(claim, channel, at: now)
    case .ended(let item, let health, let next, let isSent):
      end(item, health, next, at: now, chance: chance)
      if isSent { sent += 1 }
    case .resolving(let item):
      // It may have ended meanwhile.
      guard let request = running.removeValue(forKey: item) else { return }
      paces[service(of: item)]?.succeed(request, at: now)
      resolving[item] = now
    case .connection(let isOnline):
      guard isOnline != self.isOnline else { return }
      self.isOnline = isOnline
      guard isOnline else { return }
      comeBack(at: now, chance: chance)
      effects.append(.validate)
    case .paused: isPausedByApp = true
    case .unauthorized(let reason): refusal = refusal ?? reason
    case .held(let stores):
      held.formUnion(channels.filter { !$0.isClosed }.map(\.store).filter(stores.contains))
    case .emptied: yielding.formUnion(leases.keys)
    case .released(let store): releasing.remove(store)
    case .resumed:
      (isPausedByApp, refusal, held) = (false, nil, [])
      for channel in channels.indices { channels[channel].startOver() }
    case .resumedScan: for channel in channels.indices { channels[channel].startOver() }
    case .renamed(let reference): unblock(reference)
    case .flush(let began):
      flushes += began ? 1 : -1
      if began { want(at: now) }
    case .timer: break
    }
  }

  /// Tries again what failed, because a user asks for it.
  private mutating func want(at now: Duration) {
    for service in paces.keys { paces[service]?.wanted(at: now) }
    revisitWaiting()
  }

  /// Tries again what failed, each service by one request first.
  private mutating func comeBack(at now: Duration, chance: Double) {
    for service in paces.keys { paces[service]?.comeBack(at: now, chance: chance) }
    revisitWaiting()
  }

  private mutating func revisitWaiting() {
    for channel in channels.indices {
      channels[channel].revisits.formUnion(channels[channel].waiting.keys)
      channels[channel].waiting = [:]
      channels[channel].wantsScan = true
    }
  }

  private mutating func take(_ claim: Claim, _ channel: Channel, at now: Duration) {
    channels[channel].isClaiming = false
    channels[channel].denied = nil
    if channels[channel].asksWhetherHeld { noteAnswer(claim, of: channels[channel].store) }
    switch claim {
    case .found(let found):
      channels[channel].failures = 0
      if found.lease > .zero { leases[channels[channel].store] = now.adding(found.lease) }
      let fresh = found.ready.filter { !isKnown($0) }
      if !channels[channel].isClosed { channels[channel].ready += fresh }
      channels[channel].regiven.formUnion(found.ready.filter(isRegiven).map(\.position))
      for (position, wait) in found.waiting {
        // A date that was set back since does not make it wait longer than it was told at first.
        let known = channels[channel].waiting[position] ?? .seconds(Int64.max)
        channels[channel].waiting[position] = min(known, now.adding(wait))
      }
      for (position, reference) in found.blocked {
        if channels[channel].freed.contains(reference) {
          channels[channel].revisits.insert(position)
        } else {
          channels[channel].blocked[position] = reference
        }
      }
      if let scan = found.scan, !channels[channel].startsOver { note(scan, channel) }
    case .denied(let wait):
      channels[channel].resting = now.adding(wait)
      channels[channel].denied = now
      channels[channel].startOver()
    case .held: held.insert(channels[channel].store)
    case .failed:
      channels[channel].failures = channels[channel].failures.addingClamped(1)
      let pause = configuration.retry.longestPause(after: channels[channel].failures)
      channels[channel].resting = now.adding(
        min(max(pause, .milliseconds(100)), Self.longestRest))
      channels[channel].startOver()
    }
  }

  /// Goes on behind a scan, or from the beginning, because stores give positions of deleted entries
  /// again; and where that would pass many that wait for others, behind these, which are there.
  private mutating func note(_ scan: Scan, _ channel: Channel) {
    let isLong = channels[channel].blocked.count >= Self.fewBlocked
    let lastBlocked = isLong ? channels[channel].blocked.keys.max() : nil
    channels[channel].cursor = scan.isAtEnd ? lastBlocked ?? .min : scan.last
    channels[channel].isMidScan = !scan.isAtEnd
  }

  private func isKnown(_ item: Item) -> Bool {
    let channel = channels[item.channel]
    return channel.ended[item.position] == item.id || channel.ready.contains(item)
      || onItsWay(item) != nil
  }

  /// Whether an item's position is that of another, deleted entry which is still on its way.
  private func isRegiven(_ item: Item) -> Bool {
    onItsWay(item).map { $0.id != item.id } ?? false
  }

  /// What is on its way of an item's position.
  private func onItsWay(_ item: Item) -> Item? {
    running.index(forKey: item).map { running[$0].key }
      ?? resolving.index(forKey: item).map { resolving[$0].key }
  }
}
