import Foundation

// What becomes of an edit where the service may have changed what it was made on.
extension ModelChannel {
  /// How often a conflict may come again after it was resolved, before the entry is parked.
  private static var mostConflicts: Int { 5 }

  var detection: Outbox.ConflictDetection {
    proxy.outboxLink.state.withLock { $0.detection }
  }

  /// Whether the remote is asked for the model before the entry is sent, since no version says whether it
  /// has changed.
  func compares(_ entry: Entry) -> Bool {
    // An update behind one that was given up may be of what is known to be gone.
    let isOfNothing = entry.kind == .update && entry.refreshed.map { $0 == nil } ?? false
    let changes = entry.kind == .remove || entry.base != nil && entry.kind != .store || isOfNothing
    return switch detection {
    case .automatic: changes && entry.version == nil
    case .comparison: changes
    case .version, .nothing: false
    }
  }

  /// What keeps an entry from being sent to a remote that has this; nil where nothing does.
  func difference(of entry: Entry, from theirs: Versioned) -> (any Error)? {
    switch (theirs.model, entry.base) {
    case (nil, _): entry.kind == .remove ? nil : EntryIsMissing()
    case (let model?, let base?): Rebasing.areSame(model, base) ? nil : EntryIsOutdated()
    // What local did not have is removed whatever it is.
    case (_?, nil): entry.kind == .remove ? nil : EntryIsOutdated()
    }
  }

  /// Whether the remote has what the entry was made on, as far as can be told.
  private func isUnchanged(_ entry: Entry, _ theirs: Versioned) -> Bool {
    if let known = entry.version, let version = theirs.version, known != version { return false }
    return theirs.model == nil ? entry.createsModel : difference(of: entry, from: theirs) == nil
  }

  /// Asks the remote for a model; nil where the id has no value of its own to ask by.
  func found(
    _ model: Model, in remote: any Repository<Model>
  ) async throws -> Versioned? {
    guard let criteria = criteria(of: model, in: remote) else { return nil }
    return Versioned(try await race.value { try await remote.findOne(criteria) })
  }

  /// What the remote is asked by for a model; nil where the id has no value of its own.
  private func criteria(of model: Model, in remote: any Repository<Model>) -> Criteria? {
    func own(_ model: some Identifiable) -> Criteria.Scalar? { ModelID.ownScalar(of: model.id) }
    let scalars = ModelID.all(of: [model])?.first?.scalars ?? []
    let id = scalars.count == 1 ? scalars[0] : (model as? any Identifiable).flatMap { own($0) }
    let key = (remote as? any SharedService)?.identifierKey ?? "id"
    return id.map { Criteria(.comparison(key, .equal, .init($0))) }
  }

  /// Finds out what the remote has that refused an entry for it.
  func meet(
    _ item: Item, _ entry: Entry, _ remote: any Repository<Model>, _ error: any Error
  ) async -> OutboxMachine.Event {
    let conflict = error as? any ConflictError
    if let current = conflict?.current as? Model {
      let theirs = Versioned(current, version: conflict?.currentVersion)
      return await resolve(item, entry, error, theirs: theirs)
    }
    do {
      guard let theirs = try await found(entry.model, in: remote) else {
        return await park(item, entry, .conflict, Self.text(error))
      }
      return await resolve(item, entry, error, theirs: theirs)
    } catch {
      if Task.isCancelled { return .ended(item, .unknown, isSent: false) }
      guard FailureScope(error) == .service else {
        return await park(item, entry, .conflict, Self.text(error))
      }
      return await wait(item, entry, error, health: nil)
    }
  }

  func resolve(
    _ item: Item, _ entry: Entry, _ error: any Error, theirs: Versioned
  ) async -> OutboxMachine.Event {
    if let model = theirs.model, entry.kind != .remove {
      let mine = entry.base.map { Rebasing.rebased(entry.model, from: $0, onto: model) }
      // All that the app has changed is there: an earlier attempt has arrived, and its answer has not.
      if Rebasing.areSame(model, mine ?? entry.model) {
        return await acknowledge(item, entry, theirs)
      }
    }
    if theirs.model == nil, entry.kind == .remove {
      return await acknowledge(item, entry, theirs)
    }
    let reason = Self.text(error)
    let resolver = proxy.outboxLink.state.withLock { $0.resolver }
    let count = conflicts.withLock { counts in
      counts[entry.id, default: 0] += 1
      return counts[entry.id, default: 0]
    }
    if item.isRepeated, count <= Self.mostConflicts, isUnchanged(entry, theirs) {
      // The service is busy with an earlier attempt still. Under another key it would be another write.
      return await wait(item, entry, error, health: .well)
    }
    guard count <= Self.mostConflicts, let resolver else {
      return await park(item, entry, .conflict, reason, seen: theirs)
    }
    outbox?.tell(.conflict(subject(entry.model, entry.id, reason)))
    // The resolver may be asking the user, and nothing else waits for it.
    outbox?.handle(.resolving(item))
    let conflict = Outbox.Conflict(
      kind: entry.kind, base: entry.base, mine: entry.model, theirs: theirs.model)
    do {
      return try await settle(item, entry, theirs, ask(resolver, conflict), reason)
    } catch {
      if Task.isCancelled {
        conflicts.withLock { $0[entry.id] = nil }
        return .ended(item, .unknown, isSent: false)
      }
      return await park(
        item, entry, .conflict, "\(reason.asSentence) \(Self.text(error))", seen: theirs)
    }
  }

  /// Parks an entry for a conflict, with what the remote has as what discarding it gives back.
  private func park(
    _ item: Item, _ entry: Entry, _ kind: FailureKind, _ reason: String, seen theirs: Versioned
  ) async -> OutboxMachine.Event {
    _ = try? await repository.transact(isShort: true) { transaction in
      guard case .entry(var found)? = try transaction.record(at: item.position),
        found.id == entry.id
      else { return }
      found.seen = theirs.model
      try transaction.replace(found)
      try transaction.setVersion(theirs.version, of: found.model)
    }
    return await park(item, entry, kind, reason)
  }

  /// Asks the app, which is waited for only until somebody discards the entry.
  private func ask(
    _ resolver:
      @escaping @Sendable (Outbox.Conflict<Model>) async throws ->
      Outbox.Resolution<Model>,
    _ conflict: Outbox.Conflict<Model>
  ) async throws -> Outbox.Resolution<Model> {
    let answer = Promise<Result<Outbox.Resolution<Model>, any Error>>()
    let task = Task {
      do {
        answer.fulfil(.success(try await resolver(conflict)))
      } catch {
        answer.fulfil(.failure(error))
      }
    }
    let result = await withCancellationHandler {
      await answer.value
    } onCancel: {
      answer.fulfil(.failure(Cancellation.error()))
      task.cancel()
    }
    return try result.get()
  }

  private func settle(
    _ item: Item, _ entry: Entry, _ theirs: Versioned, _ resolution: Outbox.Resolution<Model>,
    _ reason: String
  ) async throws -> OutboxMachine.Event {
    switch resolution {
    case .park: return await park(item, entry, .conflict, reason, seen: theirs)
    case .theirs:
      let wasSignedOut = wasSignedOut
      let outcome = try await keep(item, entry) { [self] transaction in
        guard let outcome = try transaction.giveUp(entry, for: theirs) else {
          return nil as EntryOutcome<Model>?
        }
        if outcome.isLast, wasSignedOut() { try transaction.removeRow(of: outcome.model) }
        // Before the commit is seen, so that nothing fetched earlier is saved after it.
        proxy.noteWritten([entry.model, outcome.model])
        return outcome
      }
      if outcome != nil { outbox?.tell(.discarded(subject(entry.model, entry.id, reason))) }
      return .ended(item, .well, isSent: false)
    case .mine: return try await resend(item, entry, as: nil, on: theirs)
    case .merged(let model): return try await resend(item, entry, as: model, on: theirs)
    }
  }

  /// Has an entry sent on top of what the remote has.
  private func resend(
    _ item: Item, _ entry: Entry, as model: Model?, on theirs: Versioned
  ) async throws -> OutboxMachine.Event {
    let references = proxy.outboxLink.state.withLock { $0.references }
    let wasSignedOut = wasSignedOut
    let sent = try await keep(item, entry) { [conflicts] transaction in
      let sent = try transaction.rebase(entry, on: theirs, as: model, references)
      if model != nil, let sent, wasSignedOut() { try transaction.removeRow(of: sent.model) }
      if let sent, sent.id != entry.id {
        conflicts.withLock { $0[sent.id] = $0.removeValue(forKey: entry.id) }
      }
      return sent
    }
    if let sent { outbox?.fates.withLock { $0.noteRenewed(entry.id, as: sent.id) } }
    return .ended(item, .well, isSent: false)
  }
}
