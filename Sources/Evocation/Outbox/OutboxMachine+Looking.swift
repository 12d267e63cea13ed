// Questions during a look through a store.
extension OutboxMachine {
  /// Decides whether an entry that was found is sent, and reserves it.
  ///
  /// `left` is the item whose end is being saved in the same transaction.
  mutating func reserve(
    _ row: OutboxRow, of store: Store, leaving left: Item?, as offer: Offer = .first,
    at now: Duration, chance: Double
  ) -> Verdict {
    guard maySend, sendingCount < configuration.concurrency else { return .full }
    let instance = Instance(store: store, reference: row.instance)
    guard running[instance] == nil || running[instance]?.item == left else {
      passedOver[instance] = min(row.position, passedOver[instance] ?? .max)
      return .passed
    }
    guard let service = stores[store]?.services[ByteText(row.instance.queue)] else {
      return .passed
    }
    guard hasRoom(service, at: now) else {
      guard stores[store]?.services.values.contains(where: { hasRoom($0, at: now) }) == true else {
        return .full
      }
      services[service]?.isPassedOver = true
      return .passed
    }
    if let verdict = postponed(row, service, of: store, as: offer) { return verdict }
    guard let request = services[service]?.pace.begin(at: now, chance: chance) else {
      return .passed
    }
    let item = Item(
      instance: instance, position: row.position, id: row.id, isRepeated: row.wasAttempted)
    let renewals = services[service]?.renewals ?? 0
    running[instance] = (item, .sending(request, service: service, renewals: renewals))
    sendingCount += 1
    services[service]?.recordTaken(isUtility: row.isUtility)
    return .taken(item)
  }

  /// How many other entries are sent to a server before one of low urgency has its turn.
  static var mostBeforeTurn: Int { 7 }

  /// Begins the turn of entries of low urgency with each server of a store that can be asked, after
  /// enough others; whether there is one.
  ///
  /// Without it, they would wait as long as others keep coming. A server without such entries has
  /// its next turn after as many others.
  mutating func beginTurn(in store: Store, at now: Duration) -> Bool {
    guard maySend, sendingCount < configuration.concurrency else { return false }
    var hasTurn = false
    for (service, state) in services
    where stores[store]?.services.values.contains(service) == true {
      let isTurn = state.sinceTurn >= Self.mostBeforeTurn && hasRoom(service, at: now)
      services[service]?.isTurn = isTurn
      if isTurn { services[service]?.sinceTurn = 0 }
      hasTurn = hasTurn || isTurn
    }
    return hasTurn
  }

  /// Returns the verdict on an entry that others go before; nil if it is sent.
  private func postponed(
    _ row: OutboxRow, _ service: String, of store: Store, as offer: Offer
  ) -> Verdict? {
    switch offer {
    case .last: return nil
    case .first: return goesLater(row, service) ? .later : nil
    case .turn:
      guard services[service]?.isTurn == true else {
        let others = stores[store]?.services.values
        return others?.contains { services[$0]?.isTurn == true } == true ? .later : .full
      }
      // A server that fails often does not take the turn away, unless this entry may be why it fails.
      return row.wasAttempted && goesLater(row, service) ? .later : nil
    }
  }

  /// Whether an entry is sent only once all others to the same server were offered.
  ///
  /// An entry that was attempted before may be why the server fails. So it is no probe of the server
  /// while there is another entry, and only one at a time takes a place from those that were never
  /// attempted. After several failures, any entry may be like those that failed.
  private func goesLater(_ row: OutboxRow, _ service: String) -> Bool {
    guard let pace = services[service]?.pace else { return false }
    guard row.wasAttempted else { return pace.failsOften }
    return pace.isProbing
      || running.values.contains { running in
        if case .sending(_, service, _) = running.state { running.item.isRepeated } else { false }
      }
  }

  /// Records that an attempt failed in a way that may pass, before its result is saved.
  ///
  /// - Returns: Whether the entry may be the cause, and waits on its own.
  mutating func recordFailed(
    _ item: Item, retryAfter: Duration?, at now: Duration, chance: Double
  ) -> Bool {
    guard case .sending(let request, let service, _)? = leave(item) else { return false }
    return services[service]?.pace.fail(
      request, retryAfter: retryAfter, at: now, chance: chance) ?? false
  }

  /// Records that an attempt has ended well, while its result is being saved; others may take its
  /// place.
  mutating func recordAnswered(_ item: Item, at now: Duration) {
    end(item, .well, at: now, chance: 0)
  }

  /// Takes back reservations, after the store failed to save them and the end of the item `left`.
  mutating func giveBack(_ items: [Item], leaving left: Item?) {
    for item in items {
      end(item, .unknown, at: .zero, chance: 0)
      running[item.instance] = nil
    }
    if let left, running[left.instance]?.item != left { running[left.instance] = (left, .ending) }
  }

  func hasRoom(_ service: String, at now: Duration) -> Bool {
    guard let state = services[service], state.refusal == nil else { return false }
    if case .now = state.pace.room(at: now) { return true }
    return false
  }
}

// What keeps entries from being sent.
extension OutboxMachine {
  /// How many further renewals in a row excuse what was sent before them.
  ///
  /// Without a limit, a service that refuses each new credential would be asked without end.
  static var mostFurtherExcuses: Int { 2 }

  /// Sends nothing to a service that refused an item's credential, unless that was renewed since.
  mutating func refuse(_ item: Item, reason: String) {
    // What was sent with a credential that was renewed since is sent again, and may be refused
    // then.
    guard case .sending(_, let service, let renewals)? = running[item.instance]?.state,
      let state = services[service]
    else { return }
    // A renewed credential that was accepted before needs no excuse.
    let isUnknown = renewals > state.taken || renewals == state.renewals
    guard isUnknown, renewals >= state.excuse ?? state.renewals else {
      services[service]?.excuse = state.excuse ?? state.renewals
      return
    }
    // The credential was renewed again while it was under way, and the newest may be untried.
    if renewals < state.renewals, state.furtherExcuses < Self.mostFurtherExcuses {
      services[service]?.excuse = state.renewals
      services[service]?.furtherExcuses += 1
      return
    }
    if state.refusal == nil { services[service]?.refusal = reason }
  }

  /// Returns when to ask again for a lease that another process has; nil if none has one.
  func nextLease(after now: Duration) -> Duration? {
    stores.values.compactMap { state -> Duration? in
      guard case .others(let until, _) = state.lease, state.reason > .none else { return nil }
      return until > now ? until : nil
    }.min()
  }

  /// Returns why entries are left that are not parked, in a sentence.
  func reasonLeft(at now: Duration) -> String {
    func rest(_ moment: Duration) -> String { moment.subtracting(now).brief }
    switch pause {
    case .byApp?: return "Your app has paused sending; call resume()."
    case .offline?: return "There is no connection; Evocation sends as soon as there is one."
    case .authorization(let reason)?:
      return "Sending has paused until the user signs in: \(reason)"
    case nil: break
    }
    if isSending { return "A request is still under way." }
    if let moment = nextLease(after: now) {
      return "Another process has the lease on the local store, or was killed while it had it; "
        + "Evocation asks for the lease again in \(rest(moment))."
    }
    let opening = services.values.compactMap { state -> Duration? in
      if case .from(let moment) = state.pace.room(at: now) { moment } else { nil }
    }.min()
    if let opening {
      return "A server failed, and Evocation tries it again in \(rest(opening))."
    }
    if let due = stores.values.compactMap(\.due).filter({ $0 > now }).min() {
      return "A write failed, and Evocation sends it again in \(rest(due))."
    }
    if running.values.contains(where: \.state.isResolving) {
      return "Your app's resolver has not decided about a conflict yet."
    }
    return "They wait for parked entries, or for entries of a model type that is not registered."
  }
}

// The times at which to look through a store.
extension OutboxMachine {
  /// Returns how to look through a store now; nil for not at all.
  func look(at store: Store, _ now: Duration) -> Look? {
    guard let state = stores[store], state.look == nil, state.rest <= now,
      state.lease != .returning, !state.services.isEmpty
    else { return nil }
    if case .others(let until, _) = state.lease, until > now, !state.isReleased { return nil }
    let isDue = state.due.map { $0 <= now } ?? false
    let asksWhetherHeld = state.isHeld && state.reason > .none && !isAtRest
    if state.isReleased || asksWhetherHeld && !isPausedByApp
      || maySend && !state.isHeld
        && (state.reason > .none || isDue) && sendingCount < configuration.concurrency
        && (state.services.values.contains { hasRoom($0, at: now) })
    {
      return Look(
        forEntries: true, from: state.reason >= .afresh || state.isHeld ? .min : state.again,
        atOnce: state.reason == .atOnce, asksWhetherHeld: state.isHeld, release: state.isReleased)
    }
    let needsRenewal = renewal(of: store).map { $0 <= now } ?? false
    return needsRenewal
      ? Look(
        forEntries: false, from: nil, atOnce: false, asksWhetherHeld: false, release: false)
      : nil
  }

  /// Returns when to renew the lease for requests under way, which go on in a pause too.
  ///
  /// Nil if no request is under way, and if no process may send.
  private func renewal(of store: Store) -> Duration? {
    guard isBusy(store), let state = stores[store], !state.isHeld else { return nil }
    switch state.lease {
    case .mine(let until): return until.subtracting(configuration.lease.multiplied(by: 0.5))
    case .none, .others: return .zero
    case .returning: return nil
    }
  }

  private func isBusy(_ store: Store) -> Bool {
    running.contains { $0.key.store == store && !$0.value.state.isResolving }
  }

  /// Whether to return a lease, so that another process need not wait for its end.
  func givesLeaseBack(_ store: Store, at now: Duration) -> Bool {
    guard let state = stores[store], case .mine(let until) = state.lease, until > now else {
      return false
    }
    return (isPausedByApp || state.isHeld || state.isYielding) && state.look == nil
      && !isBusy(store) && !state.services.isEmpty
  }

  /// Returns the next time at which something has to be done that no event reports.
  func nextMoment(after now: Duration) -> Duration? {
    var moments: [Duration] = []
    for (store, state) in stores where !state.services.isEmpty {
      if maySend, !state.isHeld, let due = state.due { moments.append(due) }
      if maySend, state.reason > .none || state.due.map({ $0 <= now }) ?? false {
        moments.append(state.rest)
        if case .others(let until, _) = state.lease { moments.append(until) }
        for service in state.services.values {
          if case .from(let moment)? = services[service]?.pace.room(at: now) {
            moments.append(moment)
          }
        }
      }
      if state.isReleased || state.isHeld && state.reason > .none { moments.append(state.rest) }
      if let renewal = renewal(of: store) { moments.append(renewal) }
    }
    if maySend {
      for state in services.values where state.isPassedOver {
        if case .from(let moment) = state.pace.room(at: now) { moments.append(moment) }
      }
    }
    if flushes > 0 {
      for case .resolving(let since) in running.values.map(\.state) {
        moments.append(since.adding(Self.patience))
      }
    }
    return moments.filter { $0 > now }.min()
  }
}
