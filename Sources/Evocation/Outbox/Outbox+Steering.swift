public import Foundation

extension Outbox {
  /// Sends what can be sent now, and returns the numbers of entries sent, left and parked.
  ///
  /// It returns when nothing more can be sent, because all entries are sent, are parked or wait
  /// after a failure, or because sending has paused. With a deadline, it also waits for servers
  /// that are paused after a failure, and for another process that has the lease on the file, for
  /// example because it was killed. It returns by the deadline, and ``FlushResult/reason`` says why
  /// entries are left. Requests that are under way at the deadline go on. It also sends if
  /// ``Configuration/sendsAutomatically`` is false.
  ///
  /// If you cancel the task, it returns immediately, and still says what is left. If a local store
  /// cannot be read, ``FlushResult/left`` is at least one, and the reason says so.
  @discardableResult
  public func flush(deadline: Duration? = nil) async -> FlushResult {
    await flush(
      until: deadline.map { environment.time.now().adding($0) }, waits: deadline != nil)
  }

  /// Does the same until a time; it waits for paused servers only if `waits` is true.
  package func flush(until end: Duration?, waits: Bool) async -> FlushResult {
    openAll()
    let (before, sends) = state.withLock { ($0.machine.sent, $0.sends.values) }
    // What is under way is waited for.
    for task in sends { task.raise(to: Task.currentPriority) }
    handle(.flush(began: true))
    await sendWhatCanBe(until: end, waits: waits)
    let now = environment.time.now()
    let reason = state.withLock { $0.machine.reasonLeft(at: now) }
    handle(.flush(began: false))
    // In a task of its own, because this one may be canceled by now.
    let (count, failures) = await WriteScope.apart { Task { await self.count() } }.value
    let sent = state.withLock { $0.machine.sent } - before
    // Of a store that cannot be read, nobody knows how many are left. Zero would say that there is
    // nothing to do any more.
    let left = count.pending + failures.count
    let unread = failures.first.map { "A local store cannot be read, so there may be more: \($0)" }
    return FlushResult(
      sent: sent, left: left, parked: count.parked, reason: left > 0 ? unread ?? reason : nil)
  }

  /// Waits until nothing can be sent now, until a time, or until the task is canceled.
  ///
  /// If `waits` is true, it waits until nothing can be sent before that time.
  private func sendWhatCanBe(until end: Duration?, waits: Bool) async {
    let changes = changes.events(keeping: 1)
    let alarm = Alarm(environment.time)
    defer { alarm.stop() }
    while !Task.isCancelled {
      let now = environment.time.now()
      if let end, end <= now { return }
      let machine = state.withLock { $0.machine }
      var moment = end
      if machine.isSettled(at: now) {
        guard waits, let end, machine.hasWork(before: end, at: now) else { return }
        moment = machine.nextMoment(after: now).map { min($0, end) } ?? end
      }
      if let moment { alarm.ring(by: moment) { changes.buffer.put(()) } }
      _ = await changes.next()
    }
  }

  /// Stops sending.
  ///
  /// Requests under way go on, and your app can write. As soon as no request is under way, another
  /// process that shares the file may send.
  public func pause() { handle(.paused) }

  /// Sends again after ``pause()``, after a refused credential, or after a sign-out that kept
  /// entries.
  public func resume() { handle(.resumed) }

  /// Sends an entry again that is parked or waits.
  ///
  /// Of a unit, it sends all that is left. The entry keeps its id, which is its idempotency key. A
  /// server that repeats its answer to a key refuses the entry again. In that case, `resend(_:as:)`
  /// with the entry's own model sends it under another key.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func retry<Model: Sendable>(_ entry: Entry<Model>) async throws {
    let channel = try channel(of: Model.self)
    let changed = try await channel.repository.transact(isShort: true) { transaction in
      try transaction.changeState(of: entry) { ($0.state, $0.words) = (.pending, nil) }
    }
    guard changed != nil else { throw EvocationError.entryNotFound(id: entry.id) }
    openAll()
  }

  /// Sends a model in place of an entry's own, as another write with a new id.
  ///
  /// A removal stays a removal. The local store saves the model too, unless there are later entries
  /// on it. Of a unit, all that is left is sent again. If the entry is not parked and an attempt
  /// has begun, it may have arrived: it stays, and the outbox sends the model after it.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, ``EvocationError/differentModel(model:)`` for
  ///   a model with another id, and what the local repository throws.
  public func resend<Model: Sendable>(_ entry: Entry<Model>, as model: Model) async throws {
    let channel = try channel(of: Model.self)
    let note = channel.proxy.outboxLink.entryNote(at: environment.date())
    let edited = try await channel.repository.transact(isShort: true) { [deliveries] transaction in
      guard try transaction.instance(of: model) == transaction.instance(of: entry.model) else {
        throw EvocationError.differentModel(model: channel.model)
      }
      let model = try transaction.following(model, note.following)
      let edited = try transaction.edit(entry, as: model, note: note)
      if let unit = edited?.unit { try transaction.entries.setState(.pending, ofUnit: unit) }
      if let edited { deliveries.withLock { $0.recordRenewed(entry.id, as: edited.id) } }
      return edited
    }
    guard edited != nil else { throw EvocationError.entryNotFound(id: entry.id) }
    openAll()
  }

  /// Discards an entry and all later ones on the model.
  ///
  /// Of a unit, it discards all that is left. The local store gets back what the server has. An
  /// attempt that is under way is canceled. The next fetch shows whether it has reached the server.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func discard<Model: Sendable>(_ entry: Entry<Model>) async throws {
    let channel = try channel(of: Model.self)
    let channels = channels.filter { $0.store == channel.store }
    let discarded = try await channel.repository.transact(isShort: entry.unit == nil) {
      [deliveries] transaction in
      let instance = Reference(
        queue: transaction.queueName, key: try transaction.key(of: entry.model))
      let rows = try transaction.entries.rows(of: instance, from: .min)
      guard let row = rows.first(where: { $0.id == entry.id }) else {
        throw EvocationError.entryNotFound(id: entry.id)
      }
      // The last first, so that nothing refers to a model that is gone.
      let discarded = try transaction.entries.rows(discardedWith: row).reversed().flatMap { row in
        let queue = row.instance.queue
        guard let channel = channels.first(where: { $0.queue.hasSameBytes(as: queue) }) else {
          throw EvocationError.proxyNotFound(model: queue)
        }
        return try channel.discard(row, in: transaction)
      }
      deliveries.withLock { $0.recordDiscarded(discarded.map(\.id)) }
      return discarded
    }
    // After the commit, because an attempt that ended before it would begin again.
    let ids = Set(discarded.map(\.id))
    cancelSends { ids.contains($0.id) }
    for (_, subject) in discarded { if let subject { tell(.discarded(subject)) } }
    lookAgain()
  }

  /// Discards an entry that cannot be decoded.
  ///
  /// The model's row stays as it is.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func discard(_ entry: UnreadableEntry) async throws {
    for channel in channels where channel.queue == entry.queue {
      if try await channel.discard(unreadable: entry) { return lookAgain() }
    }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Sends an entry that cannot be decoded, with JSON that the present version of the app can
  /// decode.
  ///
  /// It is another write for the server, with a new id. The local store saves the model too, unless
  /// there are later entries on it.
  ///
  /// - Parameters:
  ///   - entry: The entry whose ``UnreadableEntry/json`` your app has fixed.
  ///   - json: The model, as an object with the id that the entry was queued for.
  /// - Throws: ``EvocationError/entryNotFound(id:)``; ``EvocationError/differentModel(model:)`` for
  ///   a model with another id, and for JSON that is not an object; a `DecodingError`; what the
  ///   local repository throws.
  public func resend(_ entry: UnreadableEntry, as json: Data) async throws {
    for channel in channels where channel.queue == entry.queue {
      if try await channel.resend(unreadable: entry, as: json) != nil { return openAll() }
    }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Blocks, keeps or discards the unsent changes for a sign-out.
  ///
  /// ``Evocation/signOut(_:)-method`` does this, and empties everything else of the user.
  ///
  /// - Throws: ``EvocationError/unsentWrites(_:)`` for ``UnsentWrites/block`` if there are entries;
  ///   what the local repositories throw.
  public func settle(_ unsent: UnsentWrites) async throws {
    if unsent == .block { try await checkIsEmpty() }
    if unsent == .keep { openAll() }
    try await settle(unsent, besides: [])
    if unsent == .discard { cancelSends { _ in true } }
    reportSettled(unsent, [])
  }

  /// Looks through all stores from the beginning, because their entries may have changed.
  func lookAgain() { for channel in stores { handle(.touched(channel.store)) } }

  /// Cancels requests under way, without waiting for a repository or a resolver that ignores it.
  package func cancelSends(_ isMeant: (OutboxMachine.Item) -> Bool) {
    let sends = state.withLock { $0.sends }.filter { isMeant($0.key) }
    for (_, task) in sends.sorted(by: { $0.key.position < $1.key.position }) { task.cancel() }
  }

  func channel<Model: Sendable>(of type: Model.Type) throws -> ModelChannel<Model> {
    let found = state.withLock { state in
      state.channels.first { $0.type == ObjectIdentifier(type) }?.channel
    }
    if let channel = found as? ModelChannel<Model> { return channel }
    let proxy: Proxy<Model>? = registry.proxy(for: type)
    guard proxy != nil else { throw EvocationError.proxyNotFound(model: "\(type)") }
    throw EvocationError.outboxUnavailable(model: "\(type)", action: .store)
  }
}

extension OutboxEntries {
  /// Returns an entry and those that cannot stay without it, by their positions.
  ///
  /// These are the entries behind it on its instance, and all of a unit.
  fileprivate func rows(discardedWith row: OutboxRow) throws -> [OutboxRow] {
    var (found, units, rest) = ([Int64: OutboxRow](), Set<Int64>(), [row])
    while let row = rest.popLast() {
      guard found.updateValue(row, forKey: row.position) == nil else { continue }
      rest += try rows(of: row.instance, from: row.position)
      if let unit = row.unit, units.insert(unit).inserted {
        rest += try rows(ofUnit: unit, limit: .max)
      }
    }
    return found.values.sorted { $0.position < $1.position }
  }
}
