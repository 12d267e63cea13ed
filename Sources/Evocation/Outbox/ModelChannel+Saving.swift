// What became of an entry is saved in the local store.
extension ModelChannel {
  /// Saves that the server has executed an entry, and takes what to send next.
  func acknowledge(_ sending: Sending, answer: Versioned) async -> Ending {
    let entry = sending.entry
    do {
      let outcome = try await save(answer, of: sending)
      conflicts.withLock { $0[entry.id] = nil }
      unsavedAnswers.withLock { $0[entry.id] = nil }
      guard let outcome else { return .well }
      // What was fetched is outdated, because the server may have newer models.
      if outcome.isLate { try? await proxy.ledger.invalidate(prefix: proxy.tagPrefix) }
      report(outcome, of: entry)
      return .sent
    } catch {
      // The server has it. This process does not send it again; another one does, with the same
      // key.
      unsavedAnswers.withLock { $0[entry.id] = .some(answer) }
      if Task.isCancelled { return .unknown }
      guard FailureKind(error) == .permanent else {
        return await wait(sending, because: error, isServiceWell: true)
      }
      let reason =
        "The server has it; saving its answer in the local store failed: \(Self.text(error))"
      return await park(sending, because: Outbox.Failure(reason: reason))
    }
  }

  /// Saves the server's answer in the local store; nil if the entry is gone.
  private func save(_ answer: Versioned, of sending: Sending) async throws -> EntryOutcome<Model>? {
    let (entry, isRepeated) = (sending.entry, sending.item.isRepeated)
    let dependencies = outbox?.dependencies(on: Model.self) ?? []
    let references = proxy.outboxLink.state.withLock { $0.references }
    let wasSignedOut = wasSignedOut
    return try await save(sending) { [self] transaction in
      let outcome = try transaction.acknowledge(
        entry, answer: answer, isRepeated: isRepeated, references: references
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
      // Before readers see the commit, so that nothing fetched earlier is returned or saved after
      // it.
      proxy.recordWritten([entry.model, outcome.model])
      let withdrawn = outcome.withdrawn.map(\.id)
      let delivered = [entry.id] + outcome.fulfilled.map(\.id)
      outbox?.deliveries.withLock { deliveries in
        for id in delivered { deliveries.recordDelivered(id) }
        deliveries.recordDiscarded(withdrawn)
      }
      return outcome
    }
  }

  /// Reports to observers of the outbox what became of an entry that the server has executed.
  private func report(_ outcome: EntryOutcome<Model>, of entry: Entry) {
    if let former = outcome.formerly {
      let ids = (subject(former).modelID, subject(outcome.model).modelID)
      outbox?.tell(.renamed(subject(outcome.model, entry.id), from: ids.0, to: ids.1))
    }
    for entry in outcome.withdrawn {
      let reason = "Your app kept the model under its other id."
      outbox?.tell(.discarded(subject(outcome.model, entry.id, reason: reason)))
    }
    for entry in outcome.fulfilled { outbox?.tell(.sent(subject(entry))) }
    let reason =
      outcome.answeredAnother ? "The server answered with a model that has another id." : ""
    outbox?.tell(.sent(subject(outcome.model, entry.id, reason: reason)))
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
  func save<Value: Sendable>(
    _ sending: Sending,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    guard let outbox else { throw CancellationError() }
    let (item, ids) = (sending.item, ModelID.all(of: [sending.entry.model]) ?? [])
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

  /// Whether the user has signed out since the entry that this task sends was taken.
  ///
  /// It is called inside a transaction, which either precedes the one that empties the store, or
  /// sees it.
  var wasSignedOut: @Sendable () -> Bool {
    { [session = Session.atSending] in session?.isOver ?? false }
  }
}
