import Foundation

extension ModelChannel {
  typealias Entry = Outbox.Entry<Model>
  package typealias Item = OutboxMachine.Item
  typealias Versioned = VersionedModel<Model>

  package func send(_ item: Item) async -> OutboxMachine.Event {
    let asked = AskedMarks()
    defer { asked.end() }
    return await Session.$atSending.withValue(environment.sessions.current) {
      await AskedMarks.$current.withValue(asked) { await sendNow(item) }
    }
  }

  private func sendNow(_ item: Item) async -> OutboxMachine.Event {
    guard let remote = proxy.wiring.remote else { return .ended(item, .unknown, isSent: false) }
    let entry: Entry
    do {
      // It may have been discarded or edited since it was taken.
      guard let present = try await present(item) else {
        return .ended(item, .unknown, isSent: false)
      }
      entry = present
    } catch {
      outbox?.handle(.troubled(store))
      return .ended(item, .unknown, isSent: false)
    }
    if let answer = unsavedAnswers.withLock({ $0[entry.id] }) {
      return await acknowledge(item, entry, answer: answer)
    }
    do {
      if let event = try await sendUnit(item, entry, remote: remote) { return event }
      var condition = entry.version
      if compares(entry) {
        let theirs = try await found(entry, in: remote)
        // A model that the server cannot be asked for alone is sent without a comparison.
        if let theirs, let error = difference(of: entry, from: theirs) {
          return await resolve(item, entry, error: error, theirs: theirs)
        }
        condition = theirs?.version
      }
      let answer = try await attempt(entry, condition, remote: remote)
      if answer.model == nil, entry.kind == .update {
        return await resolve(item, entry, error: EntryIsMissing(), theirs: Versioned(nil))
      }
      return await acknowledge(item, entry, answer: answer)
    } catch {
      return await fail(item, entry, remote: remote, error: error)
    }
  }

  /// Returns the entry as it is now; nil if it is gone or parked.
  ///
  /// An entry that cannot be decoded is parked, and the result is nil.
  func present(_ item: Item) async throws -> Entry? {
    let record = try await repository.look(isShort: true) { try $0.record(at: item.position) }
    switch record {
    case .entry(let entry)?: return entry.id == item.id && !entry.isParked ? entry : nil
    case .unreadable(let entry)?:
      try await repository.transact(isShort: true) { try $0.park(entry) }
      return nil
    case nil: return nil
    }
  }

  /// Sends an entry once; no model if the server returned none.
  private func attempt(
    _ entry: Entry, _ version: String?, remote: any Repository<Model>
  ) async throws -> Versioned {
    recordAsked(of: entry)
    return try await race.value { [self] in
      try await withWriteContext(of: entry, version) { try await Self.ask(remote, entry) }
    }
  }

  /// Runs `body` with the idempotency key of a write, and with its base.
  func withWriteContext<Value: Sendable>(
    of entry: Entry, _ version: String?, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let base = WriteBase(
      model: entry.base, condition: .version(detection == .nothing ? nil : version))
    return try await IdempotencyKey.$current.withValue(entry.id) {
      try await WriteBase.$current.withValue(base) { try await body() }
    }
  }

  /// The timeout of a request to the server.
  var race: Race {
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

  /// Saves that the server has executed an entry, and takes what to send next.
  func acknowledge(
    _ item: Item, _ entry: Entry, answer: Versioned
  ) async -> OutboxMachine.Event {
    do {
      let outcome = try await keep(answer, of: entry, for: item)
      conflicts.withLock { $0[entry.id] = nil }
      unsavedAnswers.withLock { $0[entry.id] = nil }
      guard let outcome else { return .ended(item, .well, isSent: false) }
      if outcome.isLate { await proxy.outdate() }
      if let former = outcome.formerly {
        let ids = (subject(former).modelID, subject(outcome.model).modelID)
        outbox?.tell(.renamed(subject(outcome.model, entry.id), from: ids.0, to: ids.1))
      }
      for entry in outcome.withdrawn {
        let reason = "Your app kept the model under its other id."
        outbox?.tell(.discarded(subject(outcome.model, entry.id, reason: reason)))
      }
      let reason =
        outcome.answeredAnother ? "The server answered with a model that has another id." : ""
      outbox?.tell(.sent(subject(outcome.model, entry.id, reason: reason)))
      return .ended(item, .well, isSent: true)
    } catch {
      // The server has it. This process does not send it again; another one does, with the same
      // key.
      unsavedAnswers.withLock { $0[entry.id] = .some(answer) }
      if Task.isCancelled { return .ended(item, .unknown, isSent: false) }
      guard FailureKind(error) == .permanent else {
        return await wait(item, entry, error: error, health: .well)
      }
      return await park(
        item, entry, kind: .permanent,
        reason:
          "The server has it; saving its answer in the local store failed: \(Self.text(error))")
    }
  }

  /// Takes the server's answer into the local store; nil where the entry is gone.
  private func keep(
    _ answer: Versioned, of entry: Entry, for item: Item
  ) async throws -> EntryOutcome<Model>? {
    let dependencies = outbox?.dependencies(on: Model.self) ?? []
    let references = proxy.outboxLink.state.withLock { $0.references }
    let wasSignedOut = wasSignedOut
    return try await keep(item, entry) { [self] transaction in
      let outcome = try transaction.acknowledge(
        entry, answer: answer, isRepeated: item.isRepeated, references: references
      ) { former, new in
        for dependency in dependencies { try dependency.rekey(transaction, former, new) }
      }
      guard let outcome else {
        recordGone(entry, answer)
        return nil
      }
      if outcome.isLast || outcome.formerly != nil, wasSignedOut() {
        try transaction.removeRow(of: outcome.model)
      }
      // Noted before readers see the commit, so that nothing fetched earlier is returned or saved
      // after it.
      proxy.recordWritten([entry.model, outcome.model])
      let withdrawn = outcome.withdrawn.map(\.id)
      outbox?.deliveries.withLock { deliveries in
        deliveries.recordDelivered(entry.id)
        deliveries.recordDiscarded(withdrawn)
      }
      return outcome
    }
  }

  /// Records for reads under way what the server has of an entry that was discarded in the meantime.
  private func recordGone(_ entry: Entry, _ answer: Versioned) {
    proxy.log.record { written in
      _ =
        entry.kind == .remove
        ? written.record([entry.model]) { .gone($0) }
        : written.record([answer.model ?? entry.model]) { .answered($0) }
    }
  }

  /// Saves in its turn what became of an entry, and sends what was taken in the same transaction.
  func keep<Value: Sendable>(
    _ item: Item, _ entry: Entry,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    guard let outbox else { throw CancellationError() }
    let ids = ModelID.all(of: [entry.model]) ?? []
    return try await proxy.line.run(proxy.line.enter(on: ids)) {
      let look = outbox.entryLook(self.store, leaving: item)
      let taken = Lock<[Item]>([])
      do {
        let value = try await self.repository.transact(isShort: true) { transaction in
          taken.withLock { $0 = [] }
          let value = try body(transaction)
          outbox.recordAnswered(item)
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

  func fail(
    _ item: Item, _ entry: Entry, remote: any Repository<Model>, error: any Error
  ) async -> OutboxMachine.Event {
    if Task.isCancelled || outbox?.isOnline == false {
      // A failure for lack of a connection does not count as an attempt.
      return .ended(item, .unknown, isSent: false)
    }
    switch (FailureScope(error), FailureKind(error)) {
    case (.carriedOut, _): return await acknowledge(item, entry, answer: Versioned(nil))
    case (.service, .authorization):
      outbox?.handle(.unauthorized(item, Self.text(error)))
      return .ended(item, .unknown, isSent: false)
    case (.service, _): return await wait(item, entry, error: error, health: nil)
    case (.write, .conflict): return await meet(item, entry, remote: remote, error: error)
    case (.write, let kind): return await park(item, entry, kind: kind, reason: Self.text(error))
    }
  }

  /// Has the entry wait by its own count of failures.
  ///
  /// The server is paused by its own count.
  func wait(
    _ item: Item, _ entry: Entry, error: any Error, health: OutboxMachine.Health?
  ) async -> OutboxMachine.Event {
    let asked = (error as? any ClassifiedError)?.retryAfter
    let retry = outbox?.configuration.retry ?? Strategy.Retry(attempts: .max)
    let failures = entry.attempts.addingClamped(1)
    let own = retry.backoff.pause(after: failures, chance: environment.chance())
    // If the server has failed before, the pause is for the server, and not for the entry.
    let mayBeToBlame =
      health == nil ? outbox?.recordFailed(item, retryAfter: asked) ?? true : asked == nil
    let pause = mayBeToBlame ? own : min(asked ?? .zero, ServicePace.longestRetryAfter)
    let reason = Self.text(error)
    let since = environment.date()
    let until = since.addingTimeInterval(pause.seconds)
    let patience = asked.map { since...since.addingTimeInterval(max($0, .zero).bounded.seconds) }
    let changed = await change(entry, patience) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      (entry.state, entry.waitsSince) = (.waiting(until: until, reason: reason), since)
    }
    if changed { outbox?.tell(.willRetry(subject(entry.model, entry.id, reason: reason))) }
    return .ended(item, health ?? .failing(retryAfter: asked), isSent: false)
  }

  func park(
    _ item: Item, _ entry: Entry, kind: FailureKind, reason: String
  ) async -> OutboxMachine.Event {
    conflicts.withLock { $0[entry.id] = nil }
    let changed = await change(entry) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      entry.state = .parked(kind, reason: reason)
    }
    if changed { outbox?.tell(.parked(subject(entry.model, entry.id, reason: reason))) }
    return .ended(item, .well, isSent: false)
  }

  /// Changes an entry's state.
  ///
  /// If the store fails, the entry stays as it is, to be sent again.
  private func change(
    _ entry: Entry, _ patience: ClosedRange<Date>? = nil,
    _ body: @escaping @Sendable (inout Entry) -> Void
  ) async -> Bool {
    do {
      return try await repository.transact(isShort: true) { [service] transaction in
        if let patience { try transaction.entries.record(patience, with: service) }
        return try transaction.changeState(of: entry, body) != nil
      }
    } catch {
      outbox?.handle(.troubled(store))
      return false
    }
  }

  /// Returns an error's sentence, of bounded length.
  static func text(_ error: any Error) -> String { String("\(error)".prefix(1_000)) }
}

/// The server does not have the model that the write changes.
struct EntryIsMissing: ClassifiedError, CustomStringConvertible {
  var failureKind: FailureKind { .conflict }
  var description: String { "The server does not have the model that your app changed." }
}

/// The server was asked for one model, and answered with another.
struct AnotherIsFound: ClassifiedError, CustomStringConvertible {
  let model: String

  var failureKind: FailureKind { .permanent }
  var description: String {
    "Asking the server for one \(model) failed: it answered with a model that has another id; "
      + "check findOne(_:) of the remote repository."
  }
}

/// A comparison has shown that the server has another state than the base of the write.
struct EntryIsOutdated: Error, CustomStringConvertible {
  var description: String { "The model has changed on the server since your app wrote it." }
}
