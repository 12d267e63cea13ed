import Foundation

extension ModelChannel {
  func claim(
    _ channel: OutboxMachine.Channel, after position: Int64, only: [Int64], limit: Int
  ) async -> OutboxMachine.Claim {
    guard let outbox else { return .failed }
    let configuration = outbox.configuration
    let mayRevive = !hasRevived.withLock { $0 }
    let stores = outbox.stores
    let look = ClaimLook<Model>(
      channel: channel, store: store, queue: queue, holder: outbox.holder,
      now: environment.date(),
      longestWait: max(configuration.retry.maximumDelay, .seconds(86_400)),
      lease: configuration.lease, revives: mayRevive,
      isForeign: { [store] in stores[ByteText($0.queue)].map { $0 != store } ?? false })
    do {
      let claim = try await repository.transact(isShort: false) { transaction in
        try look.claim(after: position, only: only, limit: limit, in: transaction)
      }
      guard case .found(var found) = claim else { return claim }
      if mayRevive { hasRevived.withLock { $0 = true } }
      if !found.blocked.isEmpty { try await release(&found, look, outbox) }
      return .found(found)
    } catch {
      return .failed
    }
  }

  /// Claims what seemed to wait for another store and does not, and parks what waits for itself.
  private func release(
    _ found: inout OutboxMachine.Found, _ look: ClaimLook<Model>, _ outbox: Outbox
  ) async throws {
    var (look, free) = (look, [Int64]())
    for (position, reference) in found.blocked {
      if look.isForeign(reference), try await !outbox.hasEntries(of: reference) {
        look.cleared.insert(reference)
        free.append(position)
      } else if let own = try await self.reference(at: position),
        try await outbox.isInCircle(own)
      {
        try await park(position)
        found.blocked[position] = nil
      }
    }
    guard !free.isEmpty else { return }
    let rest = try await repository.transact(isShort: false) { [look, free] transaction in
      try look.claim(after: .max, only: free.sorted(), limit: free.count, in: transaction)
    }
    for position in free { found.blocked[position] = nil }
    guard case .found(let more) = rest else { return }
    found.ready += more.ready
    found.blocked.merge(more.blocked) { $1 }
    found.waiting.merge(more.waiting) { $1 }
  }

  /// The instance of the entry at a position.
  private func reference(at position: Int64) async throws -> Outbox.Reference? {
    try await repository.look(isShort: true) { [queue] transaction in
      let found = try transaction.records(
        after: position.subtractingClamped(1), onlyHeads: false, limit: 1)
      guard let entry = found.first?.entry, entry.position == position else { return nil }
      return Outbox.Reference(queue: queue, key: try transaction.key(of: entry.model))
    }
  }

  /// Parks an entry that waits for itself.
  private func park(_ position: Int64) async throws {
    let reason =
      "It waits for entries that wait for it; discard one of them, or edit its reference."
    let parked = try await repository.transact(isShort: true) { transaction in
      let found = try transaction.records(
        after: position.subtractingClamped(1), onlyHeads: false, limit: 1)
      guard let entry = found.first?.entry, entry.position == position else {
        return nil as Outbox.Entry<Model>?
      }
      return try transaction.changeState(of: entry) {
        $0.state = .parked(.permanent, reason: reason)
      }
    }
    if let parked { outbox?.tell(.parked(subject(parked.model, parked.id, reason))) }
  }
}

/// One look for entries to send, in a transaction.
struct ClaimLook<Model: Sendable> {
  let channel: OutboxMachine.Channel
  let store: ObjectIdentifier
  let queue: String
  let holder: String
  let now: Date
  let longestWait: Duration
  let lease: Duration
  let revives: Bool
  /// Whether a reference leads to another store, whose entries this transaction does not see.
  let isForeign: @Sendable (Outbox.Reference) -> Bool
  /// References to other stores that were looked after.
  var cleared: Set<Outbox.Reference> = []

  func claim(
    after position: Int64, only: [Int64], limit: Int,
    in transaction: any OutboxTransaction<Model>
  ) throws -> OutboxMachine.Claim {
    // The lease is renewed all the same while an attempt of an entry runs that is gone by now.
    if limit > 0, try transaction.isEmpty {
      let end = OutboxMachine.Scan(last: position, isAtEnd: true)
      return .found(OutboxMachine.Found(scan: only.isEmpty ? end : nil))
    }
    if try transaction.isHeld { return .held }
    let rest: Duration
    switch try takeLease(transaction) {
    case .mine(let mine): rest = mine
    case .others(let wait): return .denied(wait)
    }
    if revives { try transaction.reviveUnreadable() }
    var found = OutboxMachine.Found(lease: rest)
    guard limit > 0 else { return .found(found) }
    if only.isEmpty {
      let records = try transaction.records(after: position, onlyHeads: true, limit: limit)
      for record in records { try take(record, isDue: false, &found, transaction) }
      found.scan = OutboxMachine.Scan(
        last: records.last?.position ?? position, isAtEnd: records.count < limit)
    } else {
      for position in only {
        let records = try transaction.records(
          after: position.subtractingClamped(1), onlyHeads: true, limit: 1)
        guard let record = records.first, record.position == position else { continue }
        try take(record, isDue: true, &found, transaction)
      }
    }
    return .found(found)
  }

  /// Whose the lease is, and for how long.
  private enum Lease {
    case mine(Duration)
    case others(Duration)
  }

  /// Takes or renews the lease, where no other process has it.
  private func takeLease(_ transaction: any OutboxTransaction<Model>) throws -> Lease {
    if let present = try transaction.lease {
      let rest = Duration(from: now, to: present.until) ?? .zero
      if present.holder == holder {
        // Dates are rounded: what was just taken may seem to last a little longer than it does.
        if rest > lease.multiplied(by: 0.6), rest <= lease.adding(.seconds(1)) {
          return .mine(min(rest, lease))
        }
      } else if rest > .zero, rest <= lease.adding(.seconds(1)) {
        // One that lasts longer than any was written by a clock that was set back since.
        return .others(rest)
      }
    }
    let until = now.addingTimeInterval(lease.seconds)
    try transaction.setLease(OutboxLease(holder: holder, until: until))
    return .mine(lease)
  }

  private func take(
    _ record: OutboxRecord<Model>, isDue: Bool, _ found: inout OutboxMachine.Found,
    _ transaction: any OutboxTransaction<Model>
  ) throws {
    guard case .entry(var entry) = record else {
      if case .unreadable(let entry) = record { try transaction.park(entry) }
      return
    }
    if case .waiting(let until, _) = entry.state, !isDue {
      let wait = min(Duration(from: now, to: until) ?? .zero, longestWait)
      if wait > .zero {
        found.waiting[entry.position] = wait
        return
      }
    }
    let key = try transaction.key(of: entry.model)
    let own = Outbox.Reference(queue: queue, key: key)
    for reference in entry.references where reference != own && !cleared.contains(reference) {
      if try isForeign(reference) || transaction.hasRecords(of: reference) {
        found.blocked[entry.position] = reference
        return
      }
    }
    if !entry.wasAttempted || entry.state != .pending {
      entry.wasAttempted = true
      entry.state = .pending
      try transaction.setState(of: entry)
    }
    found.ready.append(
      OutboxMachine.Item(
        channel: channel, position: entry.position, id: entry.id,
        instance: OutboxMachine.Instance(store: store, reference: own), entry: entry))
  }
}
