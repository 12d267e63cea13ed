// What follows from an attempt's end, what is sent next, what is looked for, and when.
extension OutboxMachine {
  mutating func end(
    _ item: Item, _ health: Health, _ next: Next, at now: Duration, chance: Double
  ) {
    resolving[item] = nil
    for channel in channels.indices
    where channels[channel].store == item.instance.store
      && channels[channel].queue.hasSameBytes(as: item.instance.reference.queue)
    {
      // A model type may have been registered anew, so that two channels lead to one queue.
      if channels[channel].isClaiming { channels[channel].ended[item.position] = item.id }
      if channels[channel].regiven.remove(item.position) != nil {
        channels[channel].revisits.insert(item.position)
      }
      let count = channels[channel].ready.count
      channels[channel].ready.removeAll { $0.instance == item.instance }
      if channels[channel].ready.count < count { channels[channel].wantsScan = true }
    }
    let service = service(of: item)
    if let request = running.removeValue(forKey: item) {
      switch health {
      case .well: paces[service]?.succeed(request, at: now)
      case .failing(let retryAfter):
        paces[service]?.fail(request, retryAfter: retryAfter, at: now, chance: chance)
      case .unknown: paces[service]?.end(request)
      }
    }
    switch next {
    case .nothing: unblock(item.instance.reference)
    case .item(let next): add(next)
    case .later(let position, let wait):
      channels[item.channel].waiting[position] = now.adding(wait)
    case .stays: break
    }
  }

  /// Has an item sent next; where its channel was closed, the one that took its place looks for it.
  private mutating func add(_ item: Item) {
    let closed = channels[item.channel]
    guard closed.isClosed else { return channels[item.channel].ready.insert(item, at: 0) }
    for channel in channels.indices
    where channels[channel].store == closed.store && channels[channel].queue == closed.queue {
      channels[channel].startOver()
    }
  }

  /// Looks again at what waits for an instance that has no entries any more.
  mutating func unblock(_ reference: Outbox.Reference) {
    for channel in channels.indices {
      if channels[channel].isClaiming { channels[channel].freed.insert(reference) }
      let freed = channels[channel].blocked.filter { $0.value == reference }.keys
      for position in freed { channels[channel].blocked[position] = nil }
      channels[channel].revisits.formUnion(freed)
    }
  }

  mutating func revisit(_ channel: Channel, at now: Duration) {
    let due = channels[channel].waiting.filter { $0.value <= now }.keys
    for position in due { channels[channel].waiting[position] = nil }
    channels[channel].revisits.formUnion(due)
    guard channels[channel].revisits.count > Self.fewBlocked else { return }
    // So many are found sooner by a scan.
    channels[channel].revisits = []
    channels[channel].startOver()
  }

  /// The next item to be sent, channel by channel in turn.
  mutating func next(at now: Duration) -> Item? {
    guard running.count < configuration.concurrency else { return nil }
    for step in 0..<channels.count {
      let channel = (turn + step) % channels.count
      guard hasRoom(channel, at: now), hasLease(channel, at: now) else { continue }
      let index = channels[channel].ready.firstIndex { item in
        !running.keys.contains { $0.instance == item.instance }
          && !resolving.keys.contains { $0.instance == item.instance }
      }
      guard let index else { continue }
      turn = channel + 1
      return channels[channel].ready.remove(at: index)
    }
    return nil
  }

  private func hasRoom(_ channel: Channel, at now: Duration) -> Bool {
    guard let pace = paces[channels[channel].service] else { return true }
    if case .now = pace.room(at: now) { return true }
    return false
  }

  /// Whether entries that were claimed are still this process's to send; else they are claimed anew.
  private mutating func hasLease(_ channel: Channel, at now: Duration) -> Bool {
    if channels[channel].ready.isEmpty { return false }
    if let lease = leases[channels[channel].store], lease > now { return true }
    channels[channel].ready = []
    channels[channel].startOver()
    return false
  }

  mutating func claim(_ channel: Channel, at now: Duration) -> Effect? {
    let effect = nextClaim(channel, at: now)
    guard effect != nil else { return nil }
    channels[channel].isClaiming = true
    (channels[channel].ended, channels[channel].freed) = ([:], [])
    channels[channel].startsOver = false
    channels[channel].asksWhetherHeld = held.contains(channels[channel].store)
    return effect
  }

  private mutating func nextClaim(_ channel: Channel, at now: Duration) -> Effect? {
    let state = channels[channel]
    guard !state.isClosed, !state.isClaiming, state.resting <= now,
      !releasing.contains(state.store)
    else { return nil }
    if maySend, state.ready.count < configuration.concurrency, hasRoom(channel, at: now),
      let look = nextLook(channel)
    {
      return look
    }
    if asks(channel) {
      channels[channel].wantsScan = false
    } else if !needsRenewal(channel, at: now) {
      return nil
    }
    return .claim(channel, after: .max, only: [], limit: 0)
  }

  /// The next look for entries; nil where there are none to be looked for.
  private mutating func nextLook(_ channel: Channel) -> Effect? {
    let state = channels[channel]
    let limit = configuration.concurrency * Self.claimsForEach
    if !state.revisits.isEmpty {
      let some = Array(state.revisits.sorted().prefix(limit))
      channels[channel].revisits.subtract(some)
      return .claim(channel, after: state.cursor, only: some, limit: limit)
    }
    guard state.isMidScan || state.wantsScan else { return nil }
    if !state.isMidScan {
      let isIdle = state.ready.isEmpty && !running.keys.contains { $0.channel == channel }
      if isIdle, state.blocked.count < Self.fewBlocked { channels[channel].cursor = .min }
      channels[channel].wantsScan = false
    }
    return .claim(channel, after: channels[channel].cursor, only: [], limit: limit)
  }

  /// When something is to be done next that no event announces.
  func nextMoment(after now: Duration) -> Duration? {
    var moments: [Duration] = []
    for (channel, state) in channels.enumerated() where !state.isClosed {
      if maySend, let first = state.waiting.values.min() { moments.append(first) }
      if maySend && state.hasWork || asks(channel) { moments.append(state.resting) }
      if maySend, state.hasWork,
        case .from(let moment)? = paces[state.service]?.room(at: now)
      {
        moments.append(moment)
      }
      if let renewal = renewal(of: channel) { moments.append(renewal) }
    }
    if flushes > 0 { moments += resolving.values.map { $0.adding(Self.patience) } }
    return moments.filter { $0 > now }.min()
  }
}

extension OutboxMachine {
  /// What a look for entries came to.
  struct Found: Sendable {
    /// What may be sent, the oldest first.
    var ready: [Item] = []
    /// What is to be sent later.
    var waiting: [Int64: Duration] = [:]
    /// What waits for the entries of another instance.
    var blocked: [Int64: Outbox.Reference] = [:]
    /// How far a scan has come; nil where there was none.
    var scan: Scan?
    /// How long the lease on the store still lasts; zero where none was taken, for want of entries.
    var lease: Duration = .zero
  }

  /// How far a scan has come.
  struct Scan: Sendable {
    /// The position of the last entry that was looked at.
    var last: Int64
    /// Whether there are no more entries.
    var isAtEnd: Bool
  }

  enum Claim: Sendable {
    case found(Found)
    /// Another process sends for as long as this.
    case denied(Duration)
    /// The entries wait for the user to sign in again.
    case held
    /// The store failed.
    case failed
  }
}
