public import Foundation

extension Outbox {
  /// Sends what can be sent now, and gives what it came to.
  ///
  /// It ends when nothing more can be sent, because all is sent, parked, waits after a failure, or
  /// sending has paused; with a deadline, it waits as long for services that are left alone, and has
  /// returned by then. What runs at the deadline goes on. It works too where
  /// ``Configuration/sendsAutomatically`` is off.
  @discardableResult
  public func flush(deadline: Duration? = nil) async -> FlushResult {
    openAll()
    let before = state.withLock { $0.machine.sent }
    handle(.flush(began: true))
    let end = deadline.map { environment.time.now().adding($0) }
    while true {
      await settled(until: end)
      let now = environment.time.now()
      guard let end, now < end, !Task.isCancelled,
        state.withLock({ $0.machine.hasWorkLater(at: now) })
      else { break }
      // Services are left alone for a while; their turn comes within the deadline, or it does not.
      let next = state.withLock { $0.machine.nextMoment(after: now) } ?? end
      guard next < end, (try? await environment.time.sleepUntil(next)) != nil else { break }
      handle(.timer)
    }
    handle(.flush(began: false))
    let status = try? await status()
    let sent = state.withLock { $0.machine.sent } - before
    return FlushResult(sent: sent, left: status?.pending ?? 0, parked: status?.parked ?? 0)
  }

  /// Waits until nothing can be sent now, or a time, or the task is cancelled.
  private func settled(until end: Duration?) async {
    let promise = Promise<Void>()
    let now = environment.time.now()
    let id = state.withLock { state -> UInt64? in
      if state.machine.isSettled(at: now) { return nil }
      state.lastWaiter += 1
      state.waiters.append((state.lastWaiter, promise))
      return state.lastWaiter
    }
    guard let id else { return }
    let timer = end.map { end in
      Task { [environment] in
        guard (try? await environment.time.sleepUntil(end)) != nil else { return }
        promise.fulfil()
      }
    }
    await withCancellationHandler {
      await promise.value
    } onCancel: {
      promise.fulfil()
    }
    timer?.cancel()
    state.withLock { state in state.waiters.removeAll { $0.id == id } }
  }

  /// Stops sending; what runs goes on, and writes are queued.
  ///
  /// As soon as nothing runs, another process that shares the file may send.
  public func pause() { handle(.paused) }

  /// Sends again, after ``pause()``, a refused authorization, or a sign-out that kept entries.
  public func resume() { handle(.resumed) }

  /// Sends an entry again that is parked or waits; of a unit all that is there still.
  ///
  /// The entry keeps its id, which is its idempotency key. A service that answers a key as it did before
  /// refuses it again; `resend(_:as:)` with the entry's own model sends it under another one.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func retry<Model: Sendable>(_ entry: Entry<Model>) async throws {
    let channel = try channel(of: Model.self)
    let changed = try await channel.repository.transact(isShort: true) { transaction in
      try transaction.changeState(of: entry) { $0.state = .pending }
    }
    guard changed != nil else { throw EvocationError.entryNotFound(id: entry.id) }
    openAll()
  }

  /// Sends a model in place of an entry's own, as a write of its own with a new id; a removal stays one.
  ///
  /// Local gets it too, unless there are later entries on the instance. Of a unit all that is there still is
  /// sent again. An entry that is not parked, and of which an attempt has begun, may have arrived: it stays,
  /// and the model is sent after it.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, ``EvocationError/differentModel(model:)`` for a
  ///   model with another id, and what the local repository throws.
  public func resend<Model: Sendable>(_ entry: Entry<Model>, as model: Model) async throws {
    let channel = try channel(of: Model.self)
    let note = channel.proxy.outboxLink.note(at: environment.date())
    let edited = try await channel.repository.transact(isShort: true) { transaction in
      guard try transaction.instance(of: model) == transaction.instance(of: entry.model) else {
        throw EvocationError.differentModel(model: channel.model)
      }
      let edited = try transaction.edit(entry, as: model, note)
      if let unit = edited?.unit { try transaction.entries.setState(.pending, ofUnit: unit) }
      return edited
    }
    guard let edited else { throw EvocationError.entryNotFound(id: entry.id) }
    fates.withLock { $0.noteRenewed(entry.id, as: edited.id) }
    openAll()
  }

  /// Discards an entry and everything after it on the instance; of a unit all that is there still.
  ///
  /// Local gets back what the remote has. An attempt that runs is cancelled; whether it has reached
  /// the remote is found out by the next fetch.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func discard<Model: Sendable>(_ entry: Entry<Model>) async throws {
    let channel = try channel(of: Model.self)
    let channels = channels.filter { $0.store == channel.store }
    let discarded = try await channel.repository.transact(isShort: entry.unit == nil) {
      transaction in
      let instance = Reference(
        queue: transaction.queueName, key: try transaction.key(of: entry.model))
      let rows = try transaction.entries.rows(of: instance, from: .min)
      guard let row = rows.first(where: { $0.id == entry.id }) else {
        throw EvocationError.entryNotFound(id: entry.id)
      }
      // The last first, so that nothing refers to what is gone.
      return try transaction.entries.rows(discardedWith: row).reversed().flatMap { row in
        let queue = row.instance.queue
        guard let channel = channels.first(where: { $0.queue.hasSameBytes(as: queue) }) else {
          throw EvocationError.proxyNotFound(model: queue)
        }
        return try channel.discard(row, in: transaction)
      }
    }
    // After the commit, since an attempt that ended before would be begun again.
    let ids = Set(discarded.map(\.id))
    cancelSends { ids.contains($0.id) }
    for (_, subject) in discarded { if let subject { tell(.discarded(subject)) } }
    lookAgain()
  }

  /// Discards an entry that cannot be decoded; the model's row stays as it is.
  ///
  /// - Throws: ``EvocationError/entryNotFound(id:)``, and what the local repository throws.
  public func discard(_ entry: UnreadableEntry) async throws {
    for channel in channels where channel.queue == entry.queue {
      if try await channel.discard(unreadable: entry) { return lookAgain() }
    }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Sends an entry that cannot be decoded, with JSON in place of its own that the present app can decode.
  ///
  /// It is another write for the service, with a new id. Local gets the model too, unless there are later
  /// entries on the instance.
  ///
  /// - Parameters:
  ///   - entry: The entry, of which ``UnreadableEntry/json`` is to be mended.
  ///   - json: The model, as an object with the id that the entry was queued for.
  /// - Throws: ``EvocationError/entryNotFound(id:)``; ``EvocationError/differentModel(model:)`` for a model
  ///   with another id, and for JSON that is no object; a `DecodingError`; what the local repository throws.
  public func resend(_ entry: UnreadableEntry, as json: Data) async throws {
    for channel in channels where channel.queue == entry.queue {
      guard let id = try await channel.resend(unreadable: entry, as: json) else { continue }
      fates.withLock { $0.noteRenewed(entry.id, as: id) }
      return openAll()
    }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Does with what is unsent what signing out asks for.
  ///
  /// Everything else of the user is emptied by ``Evocation/signOut(_:)-method``, with this.
  ///
  /// - Throws: ``EvocationError/unsentWrites(_:)`` for ``UnsentWrites/block`` while there are entries;
  ///   what the local repositories throw.
  public func settle(_ unsent: UnsentWrites) async throws {
    if unsent == .block { try await checkIsEmpty() }
    if unsent == .keep { openAll() }
    try await settle(unsent, besides: [])
    if unsent == .discard { cancelSends { _ in true } }
    noteSettled(unsent, [])
  }

  /// Looks through all stores from the beginning, which may have changed past them.
  func lookAgain() { for channel in stores { handle(.touched(channel.store)) } }

  /// Cancels what is being sent; a repository or a resolver that does not heed it is not waited for.
  func cancelSends(_ isMeant: (OutboxMachine.Item) -> Bool) {
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
  /// An entry, and what cannot stay without it, by their positions: those behind it on its instance, and of a
  /// unit the whole of it.
  fileprivate func rows(discardedWith row: OutboxRow) throws -> [OutboxRow] {
    var (found, rest) = ([Int64: OutboxRow](), [row])
    while let row = rest.popLast() {
      guard found.updateValue(row, forKey: row.position) == nil else { continue }
      rest += try rows(of: row.instance, from: row.position)
      if let unit = row.unit { rest += try rows(ofUnit: unit, limit: .max) }
    }
    return found.values.sorted { $0.position < $1.position }
  }
}
