// What follows from an attempt's end, what is sent next, what is looked for, and when.
extension OutboxMachine {
  mutating func end(
    _ item: Item, _ health: Health, _ next: Next, at now: Duration, chance: Double
  ) {
    resolving.remove(item)
    for channel in channels.indices
    where channels[channel].store == item.instance.store
      && channels[channel].queue == item.instance.reference.queue
    {
      // A model type may have been registered anew, so that two channels lead to one queue.
      if channels[channel].isClaiming { channels[channel].ended.insert(item.position) }
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
          && !resolving.contains { $0.instance == item.instance }
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
    (channels[channel].ended, channels[channel].freed) = ([], [])
    channels[channel].startsOver = false
    return effect
  }

  private mutating func nextClaim(_ channel: Channel, at now: Duration) -> Effect? {
    let state = channels[channel]
    guard !state.isClosed, !state.isClaiming, state.resting <= now else { return nil }
    if state.ready.count < configuration.concurrency, hasRoom(channel, at: now),
      let look = nextLook(channel)
    {
      return look
    }
    // What runs needs the lease, whether or not the service has room for more.
    guard needsRenewal(channel, at: now) else { return nil }
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

  /// Whether the lease is to be renewed, because something of the channel runs.
  private func needsRenewal(_ channel: Channel, at now: Duration) -> Bool {
    guard running.keys.contains(where: { $0.channel == channel }) else { return false }
    return renewal(of: channels[channel].store).map { $0 <= now } ?? true
  }

  private func renewal(of store: ObjectIdentifier) -> Duration? {
    leases[store].map { $0.subtracting(configuration.lease.multiplied(by: 0.5)) }
  }

  /// When something is to be done next that no event announces.
  func nextMoment(after now: Duration) -> Duration? {
    var moments: [Duration] = []
    for (channel, state) in channels.enumerated() where !state.isClosed {
      if let first = state.waiting.values.min() { moments.append(first) }
      if state.hasWork {
        moments.append(state.resting)
        if case .from(let moment)? = paces[state.service]?.room(at: now) { moments.append(moment) }
      }
      if running.keys.contains(where: { $0.channel == channel }),
        let renewal = renewal(of: state.store)
      {
        moments.append(renewal)
      }
    }
    return moments.filter { $0 > now }.min()
  }
}
