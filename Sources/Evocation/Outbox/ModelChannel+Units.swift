/// One write of a unit that is sent in one request.
package protocol UnitPart: Sendable {
  var item: OutboxMachine.Item { get }
  var request: any Sendable { get }
  /// Records that the server is asked from now on.
  func recordAsked()
  /// Reads the server's answer, and returns the closure that saves it.
  func read(_ answer: any Sendable) async throws -> @Sendable () async -> OutboxMachine.Ending
  /// Saves that the server has refused the write, and so the unit.
  func end(failedWith error: any Error) async -> OutboxMachine.Ending
}

/// How one write of a unit can be sent.
package enum UnitPreparation: Sendable {
  case ready(any UnitPart)
  /// It cannot be sent with others.
  case alone
  /// The server has changed its base, and the conflict has to be resolved first.
  case conflict(@Sendable () async -> OutboxMachine.Ending)
}

extension ModelChannel {
  /// Sends the rest of an entry's unit in one request, if the server executes all of it or nothing.
  ///
  /// - Returns: Nil if the entry has to be sent on its own.
  func sendUnit(_ sending: Sending) async throws -> Ending? {
    let item = sending.item
    guard let unit = sending.entry.unit,
      let remote = sending.remote.role((any UnitRepository<Model>).self),
      remote.unitSize > 1, let outbox
    else { return nil }
    let channels = outbox.channels.filter { $0.store == store }
    let rows = try await take(unit, from: item, most: remote.unitSize)
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
        return await resolve()
      }
    }
    return try await send(parts, remote, for: sending)
  }

  /// Records that the entries of a unit may reach the server from now on.
  ///
  /// - Returns: None if they cannot be sent in one request.
  private func take(_ unit: Int64, from item: Item, most: Int) async throws -> [OutboxRow] {
    try await repository.transact(isShort: true) { transaction in
      let rows = try transaction.entries.rows(ofUnit: unit, limit: most.addingClamped(1))
      // Of two writes on one instance, the second needs the saved answer to the first.
      guard rows.first?.position == item.position, rows.count > 1, rows.count <= most,
        Set(rows.map(\.instance)).count == rows.count
      else { return [] }
      for row in rows { try transaction.entries.take(row.position) }
      return rows
    }
  }

  /// Sends writes in one request, and saves what became of them.
  private func send(
    _ parts: [any UnitPart], _ remote: any UnitRepository<Model>, for sending: Sending
  ) async throws -> Ending {
    let requests = parts.map(\.request)
    for part in parts { part.recordAsked() }
    let answers = try await race.value { try await remote.send(requests) }
    guard answers.count == parts.count else {
      throw EvocationError.unanswered(.remote, model: model, method: "send")
    }
    var keeping: [(item: Item, save: @Sendable () async -> Ending)] = []
    var refusals: [(part: any UnitPart, error: any Error)] = []
    for (part, answer) in zip(parts, answers) {
      do {
        keeping.append((part.item, try await part.read(answer)))
      } catch {
        refusals.append((part, error))
      }
    }
    func isSaid(_ error: any Error) -> Bool { FailureKind(error) != .permanent }
    var ending = Ending.well
    // The write that was refused itself, and not one that was left undone because of it.
    if let (part, error) = refusals.first(where: { FailureScope($0.error) == .write }) {
      if FailureKind(error) == .conflict { outbox?.handle(.resolving(sending.item)) }
      ending = await part.end(failedWith: error)
    } else if let error = refusals.map(\.error).min(by: { isSaid($0) && !isSaid($1) }) {
      ending = await end(sending, failedWith: error)
    }
    ending.isSent = false
    // Each answer counts, for example that a model to be removed was gone. The first write is saved
    // last, because the others wait for it.
    for (item, save) in keeping.reversed() {
      let saved = await save()
      if item == sending.item {
        ending.isSent = saved.isSent
      } else {
        outbox?.handle(.ended(item, saved))
      }
    }
    return ending
  }

  package func prepare(_ item: Item) async throws -> UnitPreparation {
    guard let remote = proxy.wiring.remote?.role((any UnitRepository<Model>).self),
      let entry = try await present(item), !unsavedAnswers.withLock({ $0.keys.contains(entry.id) })
    else { return .alone }
    let sending = Sending(item: item, entry: entry, remote: remote)
    let (filled, known): (Entry, Versioned)
    do {
      (filled, known) = try await compare(sending)
    } catch let error as Outdated {
      return .conflict { [self] in
        await decide(sending, on: error.known, because: error.difference)
      }
    }
    let prepared = try await withWriteContext(of: filled, known.version) {
      try await remote.prepare(filled.kind, filled.model)
    }
    guard let prepared else { return .alone }
    return .ready(Part(channel: self, sending: sending, prepared: prepared))
  }

  private struct Part: UnitPart {
    let channel: ModelChannel
    let sending: Sending
    let prepared: PreparedWrite<Model>

    var item: Item { sending.item }
    var request: any Sendable { prepared.request }

    func recordAsked() { channel.recordAsked(of: sending.entry) }

    func read(_ answer: any Sendable) async throws -> @Sendable () async -> Ending {
      do {
        let said = Versioned(try await prepared.answer(answer))
        if said.model == nil, sending.entry.kind == .update { throw EntryIsMissing() }
        return { await channel.acknowledge(sending, answer: said) }
      } catch let error where FailureScope(error) == .carriedOut {
        return { await channel.acknowledge(sending, answer: Versioned(nil)) }
      }
    }

    func end(failedWith error: any Error) async -> Ending {
      if error is EntryIsMissing {
        return await channel.decide(sending, on: Versioned(nil), because: error)
      }
      return await channel.end(sending, failedWith: error)
    }
  }
}
