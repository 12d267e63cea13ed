import Foundation

// Conflicts: entries whose base the server may have changed.
extension ModelChannel {
  /// How many conflicts of an entry are resolved.
  ///
  /// The next one parks it.
  private static var mostConflicts: Int { 5 }

  var detection: Outbox.ConflictDetection {
    proxy.outboxLink.state.withLock { $0.detection }
  }

  /// Whether to ask the server for the model before sending, because no version shows a change.
  func compares(_ entry: Entry) -> Bool {
    // An update of what the local store did not have, or behind an entry that was given up because
    // the model was gone. A fetch has shown since what the server has, which the update was not made
    // on.
    let isOfNothing = entry.kind == .update && entry.base == nil && entry.refreshed != nil
    let changes = entry.kind == .remove || entry.base != nil && entry.kind != .store || isOfNothing
    return switch detection {
    case .automatic: changes && entry.version == nil
    case .nothing: false
    }
  }

  /// Returns the error that keeps an entry from being sent if the server has this; nil for none.
  func difference(of entry: Entry, from theirs: Versioned) -> (any Error)? {
    switch (theirs.model, entry.base) {
    case (nil, _): entry.kind == .remove ? nil : EntryIsMissing()
    case (let model?, let base?): Rebasing.areSame(model, base) ? nil : EntryIsOutdated()
    // A model that the local store did not have is removed in any state.
    case (_?, nil): entry.kind == .remove ? nil : EntryIsOutdated()
    }
  }

  /// Whether the server has the base of the entry, as far as can be seen.
  private func isUnchanged(_ entry: Entry, _ theirs: Versioned) -> Bool {
    if let known = entry.version, let version = theirs.version, known != version { return false }
    return theirs.model == nil ? entry.createsModel : difference(of: entry, from: theirs) == nil
  }

  /// Asks the server for an entry's model; nil if the id is not a single value to ask by.
  ///
  /// - Throws: An error if the answer is another model, which says nothing about this one; what the
  ///   repository throws.
  func found(
    _ entry: Entry, in remote: any Repository<Model>
  ) async throws -> Versioned? {
    guard let criteria = criteria(of: entry.model, in: remote) else { return nil }
    recordAsked(of: entry)
    let answer = Versioned(try await race.value { try await remote.findOne(criteria) })
    if let found = answer.model, !isSame(found, entry.model) {
      throw AnotherIsFound(model: self.model)
    }
    return answer
  }

  /// Whether two models are one instance.
  private func isSame(_ one: Model, _ other: Model) -> Bool {
    let ids = ModelID.all(of: [one, other])?.map(\.key)
    return ids.map { $0[0] == $0[1] } ?? true
  }

  /// Returns the criteria that ask for one model; nil if its id is not a single value.
  private func criteria(of model: Model, in remote: any Repository<Model>) -> Criteria? {
    func own(_ model: some Identifiable) -> Criteria.Scalar? { ModelID.ownScalar(of: model.id) }
    let scalars = ModelID.all(of: [model])?.first?.scalars ?? []
    let id = scalars.count == 1 ? scalars[0] : (model as? any Identifiable).flatMap { own($0) }
    let key = (remote as? any SharedService)?.identifierKey ?? "id"
    return id.map { Criteria(.comparison(key, .equal, .init($0))) }
  }

  /// Finds out what the server has, after it refused an entry for that.
  ///
  /// A refusal may name another model that is in the way, for example one with the same title. It
  /// does not say what the server has of this one, so the server is asked.
  func meet(
    _ item: Item, _ entry: Entry, remote: any Repository<Model>, error: any Error
  ) async -> OutboxMachine.Event {
    let conflict = error as? any ConflictError
    if let current = conflict?.current as? Model, isSame(current, entry.model) {
      let theirs = Versioned(current, version: conflict?.currentVersion)
      return await resolve(item, entry, error: error, theirs: theirs)
    }
    do {
      guard let theirs = try await found(entry, in: remote) else {
        return await park(item, entry, kind: .conflict, reason: Self.text(error))
      }
      return await resolve(item, entry, error: error, theirs: theirs)
    } catch let failure {
      if Task.isCancelled { return .ended(item, .unknown, isSent: false) }
      guard FailureScope(failure) == .service else {
        // The refusal of the write matters more than why the model cannot be asked for.
        return await park(item, entry, kind: .conflict, reason: Self.text(error))
      }
      return await wait(item, entry, error: failure, health: nil)
    }
  }

  func resolve(
    _ item: Item, _ entry: Entry, error: any Error, theirs: Versioned
  ) async -> OutboxMachine.Event {
    if let model = theirs.model, entry.kind != .remove {
      let mine = entry.base.map { Rebasing.rebased(entry.model, from: $0, onto: model) }
      // The server has all that the app changed: an earlier attempt arrived, and its answer was
      // lost.
      if Rebasing.areSame(model, mine ?? entry.model) {
        return await acknowledge(item, entry, answer: theirs)
      }
    }
    if theirs.model == nil, entry.kind == .remove {
      return await acknowledge(item, entry, answer: theirs)
    }
    let reason = Self.text(error)
    let resolver = proxy.outboxLink.state.withLock { $0.resolver }
    let count = countConflict(of: entry)
    if item.isRepeated, count <= Self.mostConflicts, isUnchanged(entry, theirs) {
      // The server is still busy with an earlier attempt. A new key would make this another write.
      return await wait(item, entry, error: error, health: .well)
    }
    guard count <= Self.mostConflicts, let resolver else {
      return await park(item, entry, kind: .conflict, reason: reason, seen: theirs)
    }
    outbox?.tell(.conflict(subject(entry.model, entry.id, reason: reason)))
    // The resolver may be asking the user, and other entries go on.
    outbox?.handle(.resolving(item))
    let conflict = Outbox.Conflict(
      kind: entry.kind, base: entry.base, mine: entry.model, theirs: theirs.model)
    do {
      return try await settle(
        item, entry, theirs: theirs, resolution: ask(resolver, conflict), reason: reason)
    } catch {
      if Task.isCancelled {
        conflicts.withLock { $0[entry.id] = nil }
        return .ended(item, .unknown, isSent: false)
      }
      return await park(
        item, entry, kind: .conflict, reason: "\(reason.asSentence) \(Self.text(error))",
        seen: theirs)
    }
  }

  /// Counts a conflict of an entry, and returns how many it has had in a row.
  private func countConflict(of entry: Entry) -> Int {
    conflicts.withLock { counts in
      counts[entry.id, default: 0] += 1
      return counts[entry.id, default: 0]
    }
  }

  /// Parks an entry for a conflict, and records the server's model for `discard` to restore.
  private func park(
    _ item: Item, _ entry: Entry, kind: FailureKind, reason: String, seen theirs: Versioned
  ) async -> OutboxMachine.Event {
    _ = try? await repository.transact(isShort: true) { [self] transaction in
      guard case .entry(var found)? = try transaction.record(at: item.position),
        found.id == entry.id
      else { return }
      found.seen = theirs.model
      try transaction.replace(found)
      try transaction.setVersion(theirs.version, of: found.model)
      recordSeen(theirs, of: entry)
    }
    return await park(item, entry, kind: kind, reason: reason)
  }

  /// Records that the server is asked about an entry now, whose answer is no older than earlier reads.
  func recordAsked(of entry: Entry) {
    AskedMarks.current?.set(proxy.log.mark(), for: entry.id)
  }

  /// Has reads that began before the server was asked leave its answer as it is.
  private func recordSeen(_ theirs: Versioned, of entry: Entry) {
    let mark = AskedMarks.current?.mark(for: entry.id) as? WriteLog<Model>.Mark
    if let model = theirs.model {
      mark?.recordSaved([model])
    } else {
      mark?.recordSaved([], removed: [entry.model])
    }
  }

  /// Asks the app's resolver, and waits until it answers or the entry is discarded.
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
    _ item: Item, _ entry: Entry, theirs: Versioned, resolution: Outbox.Resolution<Model>,
    reason: String
  ) async throws -> OutboxMachine.Event {
    switch resolution {
    case .park: return await park(item, entry, kind: .conflict, reason: reason, seen: theirs)
    case .theirs:
      let references = proxy.outboxLink.state.withLock { $0.references }
      let wasSignedOut = wasSignedOut
      let outcome = try await keep(item, entry) { [self] transaction in
        guard let outcome = try transaction.giveUp(entry, for: theirs, references: references)
        else {
          return nil as EntryOutcome<Model>?
        }
        if outcome.isLast, wasSignedOut() { try transaction.removeRow(of: outcome.model) }
        // Noted before readers see the commit, so that nothing fetched earlier is saved after it.
        proxy.recordWritten([entry.model, outcome.model])
        outbox?.deliveries.withLock { $0.recordDiscarded([entry.id]) }
        return outcome
      }
      if outcome != nil { outbox?.tell(.discarded(subject(entry.model, entry.id, reason: reason))) }
      return .ended(item, .well, isSent: false)
    case .mine: return try await resend(item, entry, as: nil, on: theirs)
    case .merged(let model): return try await resend(item, entry, as: model, on: theirs)
    }
  }

  /// Has an entry sent again on top of what the server has.
  private func resend(
    _ item: Item, _ entry: Entry, as model: Model?, on theirs: Versioned
  ) async throws -> OutboxMachine.Event {
    let link = proxy.outboxLink.state.withLock { $0 }
    let wasSignedOut = wasSignedOut
    _ = try await keep(item, entry) { [self] transaction in
      recordSeen(theirs, of: entry)
      let model = try model.map { try transaction.following($0, link.following) }
      let sent = try transaction.resend(entry, as: model, on: theirs, references: link.references)
      if model != nil, let sent, wasSignedOut() { try transaction.removeRow(of: sent.model) }
      if let sent, sent.id != entry.id {
        conflicts.withLock { $0[sent.id] = $0.removeValue(forKey: entry.id) }
        outbox?.deliveries.withLock { $0.recordRenewed(entry.id, as: sent.id) }
      }
      return sent
    }
    return .ended(item, .well, isSent: false)
  }
}
