// Conflicts: entries whose base the server may have changed.
extension ModelChannel {
  typealias Resolver =
    @Sendable (Outbox.Conflict<Model>) async throws -> Outbox.Resolution<Model>

  /// How many conflicts of an entry are resolved.
  ///
  /// The next one parks it.
  private static var mostConflicts: Int { 5 }

  /// Decides what becomes of an entry that the server has refused for what it has.
  ///
  /// A refusal may name another model that is in the way, for example one with the same title. It
  /// does not say what the server has of this one, so the server is asked.
  ///
  /// 1. The refusal or the server says what the server has: decide on that.
  /// 2. It has what the entry was made on, so the refusal is about something else, such as a property that
  ///    has to be unique: park, in the server's words.
  /// 3. The server cannot be asked now: wait.
  /// 4. The server does not say it: park, because of the refusal and not of the second error.
  func decide(_ sending: Sending, refusedWith error: any Error) async -> Ending {
    let conflict = error as? any ConflictError
    if let current = conflict?.current as? Model, isSame(current, sending.entry.model) {
      let versions = conflict?.currentVersion.map { [$0] } ?? []
      let theirs = completed(
        Response(current, versions: versions), from: sending.entry.base ?? sending.entry.model)
      return await decide(sending, on: theirs, because: error)
    }
    do {
      if let theirs = try await fetch(sending) {
        if isAboutSomethingElse(error, of: sending, on: theirs) {
          return await park(sending, because: Self.failure(error, .permanent))
        }
        return await decide(sending, on: theirs, because: error)
      }
    } catch let failure {
      if Task.isCancelled { return .unknown }
      if FailureScope(failure) == .service {
        return await wait(sending, because: failure, isServiceWell: false)
      }
    }
    return await park(sending, because: Self.failure(error, .conflict))
  }

  /// Whether a 409 is no conflict of the entry's model.
  ///
  /// A 412 is about the model's version in any case. Of a repeated attempt, the server may still be busy
  /// with the first one.
  private func isAboutSomethingElse(
    _ error: any Error, of sending: Sending, on theirs: Versioned
  ) -> Bool {
    let status = (error as? any ClassifiedError)?.serviceWords?.status
    return status == 409 && !sending.item.isRepeated && !sending.entry.isDone(in: theirs)
      && sending.entry.isUnchanged(in: theirs)
  }

  /// Decides what becomes of an entry that the server did not accept, or would not.
  ///
  /// 1. The server has all that the app changed, because an answer was lost, or both have removed
  ///    the model: acknowledge.
  /// 2. The attempt is not the first, and the server has what the entry was made on, so it is still
  ///    busy with an earlier attempt: wait. A new key would make this another write.
  /// 3. It had too many conflicts in a row, or your app has no resolver: park.
  /// 4. Otherwise your app's resolver says it.
  func decide(_ sending: Sending, on theirs: Versioned, because error: any Error) async -> Ending {
    let entry = sending.entry
    if entry.isDone(in: theirs) { return await acknowledge(sending, answer: theirs) }
    let isResolvable = countConflict(of: entry) <= Self.mostConflicts
    if isResolvable, sending.item.isRepeated, entry.isUnchanged(in: theirs) {
      return await wait(sending, because: error, isServiceWell: true)
    }
    let resolver = proxy.outboxLink.state.withLock { $0.resolver }
    let failure = Self.failure(error, .conflict)
    guard isResolvable, let resolver else {
      return await park(sending, because: failure, seen: theirs)
    }
    return await resolve(sending, on: theirs, because: failure, by: resolver)
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
    _ sending: Sending, because failure: Outbox.Failure, seen theirs: Versioned
  ) async -> Ending {
    _ = try? await repository.transact(isShort: true) { [self] transaction in
      guard case .entry(var found)? = try transaction.record(at: sending.item.position),
        found.id == sending.entry.id
      else { return }
      found.seen = theirs.model
      try transaction.replace(found)
      try transaction.setVersion(theirs.version, of: found.model)
      recordSeen(theirs, of: sending.entry)
    }
    return await park(sending, because: failure)
  }

  /// Does what the app's resolver says, or parks the entry if the resolver throws.
  private func resolve(
    _ sending: Sending, on theirs: Versioned, because failure: Outbox.Failure,
    by resolver: @escaping Resolver
  ) async -> Ending {
    let entry = sending.entry
    outbox?.tell(.conflict(subject(entry, because: failure)))
    // The resolver may be asking the user, and other entries go on.
    outbox?.handle(.resolving(sending.item))
    let filled = entry.filled(from: theirs.model)
    let conflict = Outbox.Conflict(
      kind: entry.kind, base: (filled ?? entry).base, mine: (filled ?? entry).model,
      theirs: theirs.model)
    do {
      switch try await ask(resolver, conflict) {
      case .park: return await park(sending, because: failure, seen: theirs)
      case .theirs: try await giveUp(sending, for: theirs, because: failure.reason)
      case .mine: try await resend(sending, as: filled?.model, on: theirs)
      case .merged(let model): try await resend(sending, as: model, on: theirs)
      }
      return .well
    } catch {
      if Task.isCancelled {
        conflicts.withLock { $0[entry.id] = nil }
        return .unknown
      }
      let reason = "\(failure.reason.asSentence) \(Self.text(error))"
      let both = Outbox.Failure(kind: .conflict, reason: reason, words: failure.words)
      return await park(sending, because: both, seen: theirs)
    }
  }

  /// Asks the app's resolver, and waits until it answers or the entry is discarded.
  private func ask(
    _ resolver: @escaping Resolver, _ conflict: Outbox.Conflict<Model>
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

  /// Replaces an entry by what the server has.
  private func giveUp(
    _ sending: Sending, for theirs: Versioned, because reason: String
  ) async throws {
    let entry = sending.entry
    let references = proxy.outboxLink.state.withLock { $0.references }
    let wasSignedOut = wasSignedOut
    let outcome = try await save(sending) { [self] transaction -> EntryOutcome<Model>? in
      guard let outcome = try transaction.giveUp(entry, for: theirs, references: references)
      else { return nil }
      if outcome.isLast, wasSignedOut() { try transaction.removeRow(of: outcome.model) }
      // Before readers see the commit, so that nothing fetched earlier is saved after it.
      proxy.recordWritten([entry.model, outcome.model])
      outbox?.deliveries.withLock { $0.recordDiscarded([entry.id]) }
      return outcome
    }
    if outcome != nil { outbox?.tell(.discarded(subject(entry, reason: reason))) }
  }

  /// Has an entry sent again on top of what the server has.
  private func resend(_ sending: Sending, as model: Model?, on theirs: Versioned) async throws {
    let entry = sending.entry
    let link = proxy.outboxLink.state.withLock { $0 }
    let wasSignedOut = wasSignedOut
    try await save(sending) { [self] transaction in
      recordSeen(theirs, of: entry)
      let model = try model.map { try transaction.following($0, link.following) }
      let sent = try transaction.resend(entry, as: model, on: theirs, references: link.references)
      guard let sent else { return }
      if model != nil, wasSignedOut() { try transaction.removeRow(of: sent.model) }
      if sent.id != entry.id {
        conflicts.withLock { $0[sent.id] = $0.removeValue(forKey: entry.id) }
        outbox?.deliveries.withLock { $0.recordRenewed(entry.id, as: sent.id) }
      }
    }
  }
}
