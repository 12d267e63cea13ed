import Foundation

extension ModelChannel {
  typealias Entry = Outbox.Entry<Model>
  typealias Item = OutboxMachine.Item

  /// How often a conflict may come again after it was resolved, before the entry is parked.
  private static var mostConflicts: Int { 5 }

  func send(_ item: Item) async -> OutboxMachine.Event {
    await SignOutCount.$atSending.withValue(environment.signOuts.number) {
      await sendNow(item)
    }
  }

  private func sendNow(_ item: Item) async -> OutboxMachine.Event {
    guard let claimed = item.entry as? Entry, let remote = proxy.wiring.remote else {
      return .ended(item, .unknown, .stays, isSent: false)
    }
    let entry: Entry
    do {
      // Since it was claimed it may have been discarded or edited, and is looked for again then.
      guard let present = try await present(claimed) else {
        return .ended(item, .unknown, .later(item.position, .zero), isSent: false)
      }
      entry = present
    } catch {
      let pause = max(outbox?.configuration.retry.delay ?? .zero, .milliseconds(100))
      return .ended(item, .unknown, .later(item.position, pause), isSent: false)
    }
    if let answer = carriedOut.withLock({ $0[entry.id] }) {
      return await acknowledge(item, entry, answer)
    }
    do {
      let answer = try await attempt(entry, remote)
      if answer == nil, entry.kind == .update {
        return await resolve(item, entry, remote, EntryIsMissing(), theirs: nil)
      }
      return await acknowledge(item, entry, answer)
    } catch {
      return await fail(item, entry, remote, error)
    }
  }

  /// The entry as it is now; nil where it is not the one to be sent next on its instance.
  private func present(_ entry: Entry) async throws -> Entry? {
    try await repository.look(isShort: true) { transaction in
      let head = try transaction.records(of: transaction.key(of: entry.model)).first?.entry
      guard let head, head.id == entry.id, !head.isParked else { return nil }
      return head
    }
  }

  /// Sends an entry once; nil where the remote answered no model.
  private func attempt(_ entry: Entry, _ remote: any Repository<Model>) async throws -> Model? {
    try await race.value {
      try await IdempotencyKey.$current.withValue(entry.id) {
        try await WriteBase.$current.withValue(WriteBase(model: entry.base)) {
          try await Self.ask(remote, entry).models.first
        }
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
  ) async throws -> Answer<Model> {
    switch entry.kind {
    case .store: Answer(try await remote.storeOne(entry.model))
    case .update: Answer(try await remote.updateOne(entry.model))
    case .storeOrUpdate: Answer(try await remote.storeOrUpdate([entry.model]))
    case .remove: Answer(try await remote.removeOne(entry.model))
    }
  }

  /// Keeps that the remote has carried an entry out.
  private func acknowledge(
    _ item: Item, _ entry: Entry, _ answer: Model?
  ) async -> OutboxMachine.Event {
    // Before the commit, so that nothing fetched earlier is saved between the two.
    proxy.noteWritten([entry.model])
    let dependencies = outbox?.dependencies(on: Model.self) ?? []
    do {
      try await rekeyApart(entry, answer, dependencies)
      let outcome = try await commit(entry, answer, dependencies)
      conflicts.withLock { $0[entry.id] = nil }
      carriedOut.withLock { $0[entry.id] = nil }
      guard let outcome else { return .ended(item, .well, .stays, isSent: false) }
      proxy.noteWritten([outcome.model])
      if outcome.formerly != nil {
        outbox?.handle(.renamed(item.instance.reference))
        outbox?.tell(.renamed(subject(outcome.model, entry.id)))
      }
      let reason = outcome.answeredAnother ? "The service answered a model with another id." : ""
      outbox?.tell(.sent(subject(outcome.model, entry.id, reason)))
      return .ended(item, .well, next(outcome, after: item), isSent: true)
    } catch {
      // The remote has it: this process sends it no more, and another does so with the same key.
      carriedOut.withLock { $0[entry.id] = .some(answer) }
      return await wait(item, entry, error, health: .well)
    }
  }

  private func commit(
    _ entry: Entry, _ answer: Model?, _ dependencies: [OutboxDependency<Model>]
  ) async throws -> EntryOutcome<Model>? {
    let wasSignedOut = wasSignedOut
    return try await repository.transact(isShort: true) { [store] transaction in
      guard var outcome = try transaction.acknowledge(entry, answer: answer) else { return nil }
      if outcome.next == nil || outcome.formerly != nil, wasSignedOut() {
        try transaction.removeRow(of: outcome.model)
      }
      if let former = outcome.formerly {
        for dependency in dependencies where !dependency.isApart(store) {
          try dependency.rekey(transaction, former, outcome.model)
        }
      }
      if case .entry(var next)? = outcome.next, next.state == .pending, next.references.isEmpty {
        if !next.wasAttempted {
          next.wasAttempted = true
          try transaction.setState(of: next)
        }
        outcome.next = .entry(next)
      }
      return outcome
    }
  }

  /// Changes the references that lie in other stores, where the service gives the model its id.
  ///
  /// That is before the acknowledgement is kept, so that what fails here is done again: the second
  /// time changes nothing.
  private func rekeyApart(
    _ entry: Entry, _ answer: Model?, _ dependencies: [OutboxDependency<Model>]
  ) async throws {
    let apart = dependencies.filter { $0.isApart(store) }
    guard !apart.isEmpty, entry.createsModel, let answer else { return }
    let (former, new) = try await repository.look(isShort: true) { transaction in
      (try transaction.instance(of: entry.model), try transaction.instance(of: answer))
    }
    guard former != new else { return }
    for dependency in apart {
      try await dependency.rekeyApart(
        Outbox.Reference(queue: queue, key: former.text),
        Outbox.Reference(queue: queue, key: new.text), answer)
    }
  }

  /// What comes after an entry on its instance.
  private func next(_ outcome: EntryOutcome<Model>, after item: Item) -> OutboxMachine.Next {
    guard let record = outcome.next else { return .nothing }
    guard case .entry(let entry) = record, entry.wasAttempted, entry.state == .pending else {
      if case .entry(let entry) = record, entry.isParked { return .stays }
      return .later(record.position, .zero)
    }
    var instance = item.instance
    if let key = outcome.key {
      instance = .init(store: store, reference: Outbox.Reference(queue: queue, key: key))
    }
    return .item(
      Item(
        channel: item.channel, position: entry.position, id: entry.id, instance: instance,
        entry: entry))
  }

  private func fail(
    _ item: Item, _ entry: Entry, _ remote: any Repository<Model>, _ error: any Error
  ) async -> OutboxMachine.Event {
    if Task.isCancelled || outbox?.isOnline == false {
      // What fails for want of a connection was no attempt of the entry's.
      return .ended(item, .unknown, .later(item.position, .zero), isSent: false)
    }
    switch FailureKind(error) {
    case .transient: return await wait(item, entry, error, health: nil)
    case .authorization:
      outbox?.handle(.unauthorized(Self.text(error)))
      return .ended(item, .well, .later(item.position, .zero), isSent: false)
    case .conflict:
      if let current = (error as? any ConflictError)?.current as? Model {
        return await resolve(item, entry, remote, error, theirs: current)
      }
      guard let criteria = criteria(of: entry.model, in: remote) else {
        return await park(item, entry, .conflict, Self.text(error))
      }
      do {
        let theirs = try await race.value { try await remote.findOne(criteria).value }
        return await resolve(item, entry, remote, error, theirs: theirs)
      } catch {
        if Task.isCancelled {
          return .ended(item, .unknown, .later(item.position, .zero), isSent: false)
        }
        guard FailureKind(error) != .permanent else {
          return await park(item, entry, .conflict, Self.text(error))
        }
        return await wait(item, entry, error, health: nil)
      }
    case .permanent: return await park(item, entry, .permanent, Self.text(error))
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
    let until = environment.date().addingTimeInterval(pause.seconds)
    let changed = await change(entry) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      entry.state = .waiting(until: until, reason: reason)
    }
    if changed { outbox?.tell(.willRetry(subject(entry.model, entry.id, reason))) }
    return .ended(
      item, health ?? .failing(retryAfter: asked), .later(item.position, pause), isSent: false)
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
    return .ended(item, .well, .stays, isSent: false)
  }

  /// Changes an entry's state; a store that fails keeps it as it is, to be sent again.
  private func change(
    _ entry: Entry, _ body: @escaping @Sendable (inout Entry) -> Void
  ) async -> Bool {
    let changed = try? await repository.transact(isShort: true) { transaction in
      try transaction.changeState(of: entry, body) != nil
    }
    return changed ?? false
  }

  /// An error's sentence, of bounded length.
  static func text(_ error: any Error) -> String { String("\(error)".prefix(1_000)) }
}

/// The remote does not have what was to be changed.
private struct EntryIsMissing: Error, CustomStringConvertible {
  var description: String { "The remote does not have the model that was to be changed." }
}

// Conflicts.
extension ModelChannel {
  /// What the remote is asked by for a model; nil where the id has no value of its own.
  private func criteria(of model: Model, in remote: any Repository<Model>) -> Criteria? {
    func own(_ model: some Identifiable) -> Criteria.Scalar? { ModelID.ownScalar(of: model.id) }
    let scalars = ModelID.all(of: [model])?.first?.scalars ?? []
    let id = scalars.count == 1 ? scalars[0] : (model as? any Identifiable).flatMap { own($0) }
    let key = (remote as? any SharedService)?.identifierKey ?? "id"
    return id.map { Criteria(.comparison(key, .equal, .init($0))) }
  }

  private func resolve(
    _ item: Item, _ entry: Entry, _ remote: any Repository<Model>, _ error: any Error,
    theirs: Model?
  ) async -> OutboxMachine.Event {
    if let theirs, entry.kind != .remove, areSame(theirs, entry.model) {
      // An earlier attempt has arrived, and its answer has not.
      return await acknowledge(item, entry, theirs)
    }
    if theirs == nil, entry.kind == .remove { return await acknowledge(item, entry, nil) }
    let reason = Self.text(error)
    let resolver = proxy.outboxLink.state.withLock { $0.resolver }
    let count = conflicts.withLock { counts in
      counts[entry.id, default: 0] += 1
      return counts[entry.id, default: 0]
    }
    guard count <= Self.mostConflicts, let resolver else {
      return await park(item, entry, .conflict, reason)
    }
    outbox?.tell(.conflict(subject(entry.model, entry.id, reason)))
    // The resolver may be asking the user, and nothing else waits for it.
    outbox?.handle(.resolving(item))
    let conflict = Outbox.Conflict(
      kind: entry.kind, base: entry.base, mine: entry.model, theirs: theirs)
    do {
      return try await settle(item, entry, theirs, ask(resolver, conflict), reason)
    } catch {
      if Task.isCancelled {
        conflicts.withLock { $0[entry.id] = nil }
        return .ended(item, .unknown, .later(item.position, .zero), isSent: false)
      }
      return await park(item, entry, .conflict, "\(reason.asSentence) \(Self.text(error))")
    }
  }

  private func areSame(_ left: Model, _ right: Model) -> Bool {
    ModelAccess<Model>.make()?.areSame(left, right) ?? false
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
    _ item: Item, _ entry: Entry, _ theirs: Model?, _ resolution: Outbox.Resolution<Model>,
    _ reason: String
  ) async throws -> OutboxMachine.Event {
    switch resolution {
    case .park: return await park(item, entry, .conflict, reason)
    case .theirs:
      proxy.noteWritten([entry.model])
      let wasSignedOut = wasSignedOut
      let outcome = try await repository.transact(isShort: true) { transaction in
        let outcome = try transaction.giveUp(entry, for: theirs)
        if let outcome, outcome.next == nil, wasSignedOut() {
          try transaction.removeRow(of: outcome.model)
        }
        return outcome
      }
      guard let outcome else { return .ended(item, .well, .stays, isSent: false) }
      outbox?.tell(.discarded(subject(entry.model, entry.id, reason)))
      return .ended(item, .well, next(outcome, after: item), isSent: false)
    case .mine: return try await resend(item, entry, entry.model, theirs, isEdited: false)
    case .merged(let model):
      return try await resend(item, entry, model, theirs, isEdited: true)
    }
  }

  private func resend(
    _ item: Item, _ entry: Entry, _ model: Model, _ theirs: Model?, isEdited: Bool
  ) async throws -> OutboxMachine.Event {
    let references = proxy.outboxLink.state.withLock { $0.references }?(model) ?? entry.references
    let wasSignedOut = wasSignedOut
    let sent = try await repository.transact(isShort: true) { transaction in
      let sent = try transaction.rebase(
        entry, on: theirs, as: isEdited ? model : nil, references: references)
      if isEdited, sent != nil, wasSignedOut() { try transaction.removeRow(of: model) }
      return sent
    }
    guard let sent else { return .ended(item, .well, .stays, isSent: false) }
    conflicts.withLock { counts in
      if sent.id != entry.id { counts[sent.id] = counts.removeValue(forKey: entry.id) }
    }
    let next = Item(
      channel: item.channel, position: sent.position, id: sent.id, instance: item.instance,
      entry: sent)
    return .ended(item, .well, .item(next), isSent: false)
  }
}
