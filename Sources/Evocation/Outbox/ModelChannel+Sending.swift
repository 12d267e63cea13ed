import Foundation

extension ModelChannel {
  typealias Entry = Outbox.Entry<Model>
  typealias Item = OutboxMachine.Item
  typealias Versioned = VersionedModel<Model>

  func send(_ item: Item) async -> OutboxMachine.Event {
    await SignOutCount.$atSending.withValue(environment.signOuts.number) {
      await sendNow(item)
    }
  }

  private func sendNow(_ item: Item) async -> OutboxMachine.Event {
    guard let remote = proxy.wiring.remote else { return .ended(item, .unknown, isSent: false) }
    let entry: Entry
    do {
      // Since it was taken it may have been discarded or edited.
      guard let present = try await present(item) else {
        return .ended(item, .unknown, isSent: false)
      }
      entry = present
    } catch {
      outbox?.handle(.troubled(store))
      return .ended(item, .unknown, isSent: false)
    }
    if let answer = carriedOut.withLock({ $0[entry.id] }) {
      return await acknowledge(item, entry, answer)
    }
    do {
      var condition = entry.version
      if compares(entry) {
        let theirs = try await found(entry.model, in: remote)
        if let end = await compared(item, entry, remote, theirs) { return end }
        condition = theirs?.version
      }
      let answer = try await attempt(entry, condition, remote)
      if answer.model == nil, entry.kind == .update {
        return await resolve(item, entry, EntryIsMissing(), theirs: Versioned(nil))
      }
      return await acknowledge(item, entry, answer)
    } catch {
      return await fail(item, entry, remote, error)
    }
  }

  /// The entry as it is now; nil where it is not there any more, and where it cannot be decoded, which parks
  /// it.
  private func present(_ item: Item) async throws -> Entry? {
    let record = try await repository.look(isShort: true) { try $0.record(at: item.position) }
    switch record {
    case .entry(let entry)?: return entry.id == item.id && !entry.isParked ? entry : nil
    case .unreadable(let entry)?:
      try await repository.transact(isShort: true) { try $0.park(entry) }
      return nil
    case nil: return nil
    }
  }

  /// Sends an entry once; no model where the remote answered none.
  private func attempt(
    _ entry: Entry, _ version: String?, _ remote: any Repository<Model>
  ) async throws -> Versioned {
    let base = WriteBase(
      model: entry.base, condition: .version(detection == .nothing ? nil : version))
    return try await race.value {
      try await IdempotencyKey.$current.withValue(entry.id) {
        try await WriteBase.$current.withValue(base) { try await Self.ask(remote, entry) }
      }
    }
  }

  /// What a question to the remote has to win against.
  private var race: Race {
    let limit = outbox?.configuration.timeout ?? .seconds(60)
    let late = EvocationError.timedOut(.remote, model: model, after: limit)
    return Race(time: environment.time, limit: limit, late: late, executor: nil)
  }

  private static func ask(
    _ remote: any Repository<Model>, _ entry: Entry
  ) async throws -> Versioned {
    switch entry.kind {
    case .store: return Versioned(try await remote.storeOne(entry.model))
    case .update: return Versioned(try await remote.updateOne(entry.model))
    case .storeOrUpdate:
      let response = try await remote.storeOrUpdate([entry.model])
      return Versioned(response.value.first, version: response.versions.first ?? nil)
    case .remove: return Versioned(try await remote.removeOne(entry.model))
    }
  }

  /// Keeps that the remote has carried an entry out, and takes what is sent next.
  private func acknowledge(
    _ item: Item, _ entry: Entry, _ answer: Versioned
  ) async -> OutboxMachine.Event {
    let dependencies = outbox?.dependencies(on: Model.self) ?? []
    let wasSignedOut = wasSignedOut
    do {
      let outcome = try await keep(item, entry) { [self] transaction in
        let outcome = try transaction.acknowledge(
          entry, answer: answer, isRepeated: item.isRepeated
        ) { former, new in
          for dependency in dependencies { try dependency.rekey(transaction, former, new) }
        }
        guard let outcome else {
          noteGone(entry, answer)
          return nil as EntryOutcome<Model>?
        }
        if outcome.isLast || outcome.formerly != nil, wasSignedOut() {
          try transaction.removeRow(of: outcome.model)
        }
        // Before the commit is seen, so that nothing fetched earlier is shown or saved after it.
        proxy.noteWritten([entry.model, outcome.model])
        return outcome
      }
      conflicts.withLock { $0[entry.id] = nil }
      carriedOut.withLock { $0[entry.id] = nil }
      guard let outcome else { return .ended(item, .well, isSent: false) }
      if outcome.isLate { await proxy.outdate() }
      if let former = outcome.formerly {
        let ids = (subject(former).modelID, subject(outcome.model).modelID)
        outbox?.tell(.renamed(subject(outcome.model, entry.id), from: ids.0, to: ids.1))
      }
      let reason = outcome.answeredAnother ? "The service answered a model with another id." : ""
      outbox?.tell(.sent(subject(outcome.model, entry.id, reason)))
      return .ended(item, .well, isSent: true)
    } catch {
      // The remote has it: this process sends it no more, and another does so with the same key.
      carriedOut.withLock { $0[entry.id] = .some(answer) }
      if Task.isCancelled { return .ended(item, .unknown, isSent: false) }
      guard FailureKind(error) == .permanent else {
        return await wait(item, entry, error, health: .well)
      }
      return await park(
        item, entry, .permanent,
        "The service has it, and local cannot keep what it answered: \(Self.text(error))")
    }
  }

  /// Notes for reads under way what the remote has of an entry that was discarded meanwhile.
  private func noteGone(_ entry: Entry, _ answer: Versioned) {
    proxy.log.note { written in
      _ =
        entry.kind == .remove
        ? written.note([entry.model]) { .gone($0) }
        : written.note([answer.model ?? entry.model]) { .answered($0) }
    }
  }

  /// Keeps in its turn what became of an entry, and begins to send what was taken in the same transaction.
  private func keep<Value: Sendable>(
    _ item: Item, _ entry: Entry,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    guard let outbox else { throw CancellationError() }
    let ids = ModelID.all(of: [entry.model]) ?? []
    return try await proxy.line.run(proxy.line.enter(on: ids, isWrite: false)) {
      let look = outbox.entryLook(self.store, leaving: item)
      let taken = Lock<[Item]>([])
      do {
        let value = try await self.repository.transact(isShort: true) { transaction in
          taken.withLock { $0 = [] }
          let value = try body(transaction)
          outbox.noteAnswered(item)
          var items: [Item] = []
          defer { taken.withLock { $0 = items } }
          try look.goOn(in: transaction.entries, taking: &items)
          return value
        }
        for item in taken.withLock({ $0 }) { outbox.send(item) }
        return value
      } catch {
        outbox.giveBack(taken.withLock { $0 }, leaving: item)
        throw error
      }
    }
  }

  private func fail(
    _ item: Item, _ entry: Entry, _ remote: any Repository<Model>, _ error: any Error
  ) async -> OutboxMachine.Event {
    if Task.isCancelled || outbox?.isOnline == false {
      // What fails for want of a connection was no attempt of the entry's.
      return .ended(item, .unknown, isSent: false)
    }
    switch (FailureScope(error), FailureKind(error)) {
    case (.carriedOut, _): return await acknowledge(item, entry, Versioned(nil))
    case (.service, .authorization):
      outbox?.handle(.unauthorized(item, Self.text(error)))
      return .ended(item, .unknown, isSent: false)
    case (.service, _): return await wait(item, entry, error, health: nil)
    case (.write, .conflict): return await meet(item, entry, remote, error)
    case (.write, let kind): return await park(item, entry, kind, Self.text(error))
    }
  }

  /// Has the entry wait by its own count of failures; the service waits by its own.
  private func wait(
    _ item: Item, _ entry: Entry, _ error: any Error, health: OutboxMachine.Health?
  ) async -> OutboxMachine.Event {
    let asked = (error as? any ClassifiedError)?.retryAfter
    let retry = outbox?.configuration.retry ?? Strategy.Retry(attempts: .max)
    let failures = entry.attempts.addingClamped(1)
    let own = retry.pause(ofEntryAfter: failures, chance: environment.chance())
    // Where the service has failed before, it is the service that is left alone, and not the entry.
    let mayBeToBlame = asked == nil && (health != nil || outbox?.isWell(service) ?? true)
    let pause = mayBeToBlame ? own : min(asked ?? .zero, ServicePace.longestRetryAfter)
    let reason = Self.text(error)
    let since = environment.date()
    let until = since.addingTimeInterval(pause.seconds)
    let patience = asked.map { since...since.addingTimeInterval(max($0, .zero).bounded.seconds) }
    let changed = await change(entry, patience) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      (entry.state, entry.waitsSince) = (.waiting(until: until, reason: reason), since)
    }
    if changed { outbox?.tell(.willRetry(subject(entry.model, entry.id, reason))) }
    return .ended(item, health ?? .failing(retryAfter: asked), isSent: false)
  }

  private func park(
    _ item: Item, _ entry: Entry, _ kind: FailureKind, _ reason: String
  ) async -> OutboxMachine.Event {
    conflicts.withLock { $0[entry.id] = nil }
    let changed = await change(entry) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      entry.state = .parked(kind, reason: reason)
    }
    if changed { outbox?.tell(.parked(subject(entry.model, entry.id, reason))) }
    return .ended(item, .well, isSent: false)
  }

  /// Changes an entry's state; a store that fails keeps it as it is, to be sent again.
  private func change(
    _ entry: Entry, _ patience: ClosedRange<Date>? = nil,
    _ body: @escaping @Sendable (inout Entry) -> Void
  ) async -> Bool {
    do {
      return try await repository.transact(isShort: true) { [service] transaction in
        if let patience { try transaction.entries.note(patience, with: service) }
        return try transaction.changeState(of: entry, body) != nil
      }
    } catch {
      outbox?.handle(.troubled(store))
      return false
    }
  }

  /// An error's sentence, of bounded length.
  static func text(_ error: any Error) -> String { String("\(error)".prefix(1_000)) }
}

/// The remote does not have what was to be changed.
private struct EntryIsMissing: Error, CustomStringConvertible {
  var description: String { "The remote does not have the model that was to be changed." }
}

/// The remote has another state than a write was made on, as a comparison has shown.
private struct EntryIsOutdated: Error, CustomStringConvertible {
  var description: String { "The remote has changed the model since the write was made on it." }
}

// Conflicts.
extension ModelChannel {
  /// How often a conflict may come again after it was resolved, before the entry is parked.
  private static var mostConflicts: Int { 5 }

  private var detection: Outbox.ConflictDetection {
    proxy.outboxLink.state.withLock { $0.detection }
  }

  /// Whether the remote is asked for the model before the entry is sent, since no version says whether it
  /// has changed.
  private func compares(_ entry: Entry) -> Bool {
    let changes = entry.kind == .remove || entry.base != nil && entry.kind != .store
    return switch detection {
    case .automatic: changes && entry.version == nil
    case .comparison: changes
    case .version, .nothing: false
    }
  }

  /// What follows from what the remote has before an entry is sent; nil where it is to be sent.
  private func compared(
    _ item: Item, _ entry: Entry, _ remote: any Repository<Model>, _ theirs: Versioned?
  ) async -> OutboxMachine.Event? {
    // One that cannot be asked for alone is sent as it is.
    guard let theirs else { return nil }
    switch (theirs.model, entry.base) {
    case (nil, _) where entry.kind == .remove: return nil
    case (nil, _): return await resolve(item, entry, EntryIsMissing(), theirs: theirs)
    case (let model?, let base?) where Rebasing.areSame(model, base): return nil
    // What local did not have is removed whatever it is.
    case (_?, nil) where entry.kind == .remove: return nil
    case (_?, _): return await resolve(item, entry, EntryIsOutdated(), theirs: theirs)
    }
  }

  /// Asks the remote for a model; nil where the id has no value of its own to ask by.
  private func found(
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
  private func meet(
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

  private func resolve(
    _ item: Item, _ entry: Entry, _ error: any Error, theirs: Versioned
  ) async -> OutboxMachine.Event {
    if let model = theirs.model, entry.kind != .remove, Rebasing.areSame(model, entry.model) {
      // An earlier attempt has arrived, and its answer has not.
      return await acknowledge(item, entry, theirs)
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
        proxy.log.note { written in
          _ =
            theirs.model.map { written.note([$0]) { .answered($0) } }
            ?? written.note([entry.model]) { .gone($0) }
        }
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
