/// One write of a unit that is sent in one request.
package protocol UnitPart: Sendable {
  var request: any Sendable { get }
  /// Records that the server is asked from now on.
  func recordAsked()
  /// Reads the server's answer, and returns the closure that saves it.
  func read(_ answer: any Sendable) async throws -> @Sendable () async -> OutboxMachine.Event
  /// Records that the server has refused the write, and so the unit.
  func fail(_ error: any Error) async -> OutboxMachine.Event
}

/// How one write of a unit can be sent.
package enum UnitPreparation: Sendable {
  case ready(any UnitPart)
  /// It cannot be sent with others.
  case alone
  /// The server has changed its base, and the conflict has to be resolved first.
  case conflict(@Sendable () async -> OutboxMachine.Event)
}

extension ModelChannel {
  /// Sends the rest of an entry's unit in one request, if the server executes all of it or nothing.
  ///
  /// - Returns: Nil if the entry has to be sent on its own.
  func sendUnit(
    _ item: Item, _ entry: Entry, remote: any Repository<Model>
  ) async throws -> OutboxMachine.Event? {
    guard let unit = entry.unit, let remote = remote as? any UnitRepository<Model>,
      remote.unitSize > 1, let outbox
    else { return nil }
    let (most, channels) = (remote.unitSize, outbox.channels.filter { $0.store == store })
    let rows = try await repository.transact(isShort: true) { transaction in
      let rows = try transaction.entries.rows(ofUnit: unit, limit: most.addingClamped(1))
      // Of two writes on one instance, the second needs the saved answer to the first.
      guard rows.first?.position == item.position, rows.count > 1, rows.count <= most,
        Set(rows.map(\.instance)).count == rows.count
      else { return [OutboxRow]() }
      // From now on they may reach the server.
      for row in rows { try transaction.entries.take(row.position) }
      return rows
    }
    if rows.isEmpty { return nil }
    var parts: [any UnitPart] = []
    for row in rows {
      let queue = row.instance.queue
      guard let channel = channels.first(where: { $0.queue.hasSameBytes(as: queue) }),
        channel.service == service
      else { return nil }
      let own = Item(
        instance: OutboxMachine.Instance(store: store, reference: row.instance),
        position: row.position, id: row.id, isRepeated: row.wasAttempted)
      switch try await channel.prepare(row.position == item.position ? item : own) {
      case .ready(let part): parts.append(part)
      case .alone: return nil
      case .conflict(let resolve):
        outbox.handle(.resolving(item))
        guard case .ended(_, let health, let isSent) = await resolve() else { return nil }
        return .ended(item, health, isSent: isSent)
      }
    }
    return try await send(parts, remote, item: item, entry: entry)
  }

  /// Sends writes in one request, and saves what became of them.
  private func send(
    _ parts: [any UnitPart], _ remote: any UnitRepository<Model>, item: Item,
    entry: Entry
  ) async throws -> OutboxMachine.Event {
    let requests = parts.map(\.request)
    for part in parts { part.recordAsked() }
    let answers = try await race.value { try await remote.send(requests) }
    guard answers.count == parts.count else {
      throw EvocationError.unanswered(.remote, model: model, method: "send")
    }
    var keeping: [@Sendable () async -> OutboxMachine.Event] = []
    var refusals: [(part: any UnitPart, error: any Error)] = []
    for (part, answer) in zip(parts, answers) {
      do { keeping.append(try await part.read(answer)) } catch { refusals.append((part, error)) }
    }
    func isSaid(_ error: any Error) -> Bool { FailureKind(error) != .permanent }
    var end = OutboxMachine.Event.ended(item, .well, isSent: false)
    // The write that was refused itself, and not one that was left undone because of it.
    if let (part, error) = refusals.first(where: { FailureScope($0.error) == .write }) {
      if FailureKind(error) == .conflict { outbox?.handle(.resolving(item)) }
      end = await part.fail(error)
    } else if let error = refusals.map(\.error).min(by: { isSaid($0) && !isSaid($1) }) {
      end = await fail(item, entry, remote: remote, error: error)
    }
    // Each answer counts, for example that a model to be removed was gone. The first write is saved
    // last, because the others wait for it.
    var isSent = false
    for keep in keeping.reversed() {
      let event = await keep()
      guard case .ended(item, _, let isDone) = event else {
        outbox?.handle(event)
        continue
      }
      isSent = isDone
    }
    guard case .ended(_, let health, _) = end else { return end }
    return .ended(item, health, isSent: isSent)
  }

  package func prepare(_ item: Item) async throws -> UnitPreparation {
    guard let remote = proxy.wiring.remote as? any UnitRepository<Model>,
      let entry = try await present(item), !unsavedAnswers.withLock({ $0.keys.contains(entry.id) })
    else { return .alone }
    var condition = entry.version
    if compares(entry) {
      let theirs = try await found(entry, in: remote)
      if let theirs, let error = difference(of: entry, from: theirs) {
        return .conflict { [self] in await resolve(item, entry, error: error, theirs: theirs) }
      }
      condition = theirs?.version
    }
    let prepared = try await withWriteContext(of: entry, condition) {
      try remote.prepare(entry.kind, entry.model)
    }
    guard let prepared else { return .alone }
    return .ready(Part(channel: self, item: item, entry: entry, remote: remote, prepared: prepared))
  }

  private struct Part: UnitPart {
    let channel: ModelChannel
    let item: Item
    let entry: Entry
    let remote: any Repository<Model>
    let prepared: PreparedWrite<Model>

    var request: any Sendable { prepared.request }

    func recordAsked() { channel.recordAsked(of: entry) }

    func read(_ answer: any Sendable) async throws -> @Sendable () async -> OutboxMachine.Event {
      do {
        let said = Versioned(try await prepared.answer(answer))
        if said.model == nil, entry.kind == .update { throw EntryIsMissing() }
        return { await channel.acknowledge(item, entry, answer: said) }
      } catch let error where FailureScope(error) == .carriedOut {
        return { await channel.acknowledge(item, entry, answer: Versioned(nil)) }
      }
    }

    func fail(_ error: any Error) async -> OutboxMachine.Event {
      if error is EntryIsMissing {
        return await channel.resolve(item, entry, error: error, theirs: Versioned(nil))
      }
      return await channel.fail(item, entry, remote: remote, error: error)
    }
  }
}
