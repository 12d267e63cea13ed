import Foundation

/// One call with its model type's proxy, which runs the steps of a route.
struct Call<Model: Sendable>: Sendable {
  let operation: Operation<Model>
  let proxy: Proxy<Model>
  let wiring: Wiring<Model>
  /// How far a callback call has come; nil for an async call.
  let start: CallStart?
  /// The number of sign-outs when the call was made.
  let signOuts: UInt64

  init(_ operation: Operation<Model>, _ proxy: Proxy<Model>, _ start: CallStart? = nil) {
    self.operation = operation
    self.proxy = proxy
    self.start = start
    signOuts = proxy.environment.signOuts.number
    wiring = proxy.wiring
  }

  /// When a call may run, which is decided when it is made.
  enum Admission: Sendable {
    /// A read, which runs immediately, side by side with all other calls.
    case atOnce
    /// A write, which waits for its turn.
    case inTurn(WriteSerializer.Ticket)
    /// A call whose rule does not fit it, or a write that would wait for itself.
    case refused(any Error)
  }

  /// Admits the call; the caller must ``run(_:_:isGiven:)`` it afterward.
  ///
  /// `isGiven` says that the rule belongs to this call, and not to the strategy.
  func admit(_ rule: Strategy.Rule, isGiven: Bool) -> Admission {
    if isGiven || wiring.misfit != nil {
      if let reason = rule.misfit(for: operation.action) {
        return .refused(StrategyError.invalidRule(operation.action, rule, reason: reason))
      }
      // From now on there may be unsent writes, which reads include and the outbox sends.
      if rule.synchronize == .outbox, !wiring.mayHaveUnsent { proxy.noteOutbox() }
    }
    if operation.isRead {
      guard wiring.openEnd != nil, operation.action == .find else { return .atOnce }
      do {
        try wiring.checkEnd(operation.criteria ?? Criteria(), rule, of: proxy.model)
        return .atOnce
      } catch {
        return .refused(error)
      }
    }
    guard !WriteScope.isInside(proxy.line) else {
      let lines = WriteSerializer.around
      let inside = lines.prefix(1 + (lines.firstIndex { $0 === proxy.line } ?? 0))
      return .refused(
        EvocationError.nestedWrite(model: proxy.model, circle: inside.reversed().map(\.name)))
    }
    proxy.joins.noteWrite()
    if !wiring.hasStrategy, !isGiven { proxy.noteMissingStrategy() }
    guard rule.writeOrder == .instance, let ids = ModelID.all(of: operation.models) else {
      return .inTurn(proxy.line.enter())
    }
    return .inTurn(proxy.line.enter(on: ids))
  }

  /// Runs the call where the caller runs.
  @inline(__always)
  func run(
    _ admission: Admission, _ rule: Strategy.Rule, isGiven: Bool
  ) async -> Evocation.Result<[Model]> {
    let environment = proxy.environment
    let start = environment.log != nil || environment.recent.isOn ? environment.time.now() : nil
    let result =
      switch admission {
      case .atOnce: await read(rule, isGiven: isGiven)
      case .inTurn(let ticket): await write(ticket, rule)
      case .refused(let error): refusal(error)
      }
    if environment.isTold {
      // Member by member, so that the result's type is not looked up (`find, async`).
      environment.tell(
        CallEnd(
          record: result.record, criteria: operation.criteria,
          duration: environment.duration(since: start), origin: result.origin,
          error: result.error, isPending: result.isPending),
        asOf: signOuts)
    }
    return result
  }

  /// Waits for the write's turn, and runs the write in it.
  private func write(
    _ ticket: WriteSerializer.Ticket, _ rule: Strategy.Rule
  ) async -> Evocation.Result<[Model]> {
    defer {
      proxy.line.leave(ticket)
      // Reads from now on include the write, and reads that began before may not.
      proxy.joins.noteWrite()
    }
    do {
      if proxy.line.isTurn(of: ticket), let result = straight(rule) { return result }
      let watch = watchWait(ticket, rule)
      defer { watch?.cancel() }
      try await proxy.line.turn(ticket)
    } catch {
      return refusal(error)
    }
    proxy.line.noteTurn(of: operation.name)
    return await proxy.line.inScope {
      guard rule.retry != nil, IdempotencyKey.current == nil else {
        return await execute(rule)
      }
      // A write that is sent again is the same write, so all its attempts have one key.
      return await IdempotencyKey.$current.binding(UUID().uuidString) {
        await execute(rule)
      }
    }
  }

  /// Runs the rule's steps.
  ///
  /// `isLate` says that the target has used up its time already, in a read that this one had
  /// joined.
  func execute(
    _ rule: Strategy.Rule, _ freshness: CriteriaFreshness? = nil, isLate: Bool = false
  ) async -> Evocation.Result<[Model]> {
    var record = CallRecord(model: proxy.model, call: operation.name)
    var remote: [Model] = []
    var local: [Model] = []
    /// The models to show of the remote's answer, if there are unsent writes.
    var shown: [Model]?
    /// The remote's answer with changes, if it lists changes.
    var listed: ListedAnswer<Model>?
    var route = Route(rule, situation(isFresh: freshness?.isFresh ?? false))
    var mark: WriteLog<Model>.Mark?
    var undo: Undo<Model>?
    let late = canKeepLate(rule) && !isLate ? LateAnswer<Model>(proxy.environment.time) : nil
    /// The known fetches when local was asked; nil if there are none.
    var fetches: FetchRecords?
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role):
        if operation.isRead, isSignedOut {
          late?.cancel()
          return signedOut
        }
        if operation.isRead,
          role == .target && rule.synchronize != .off && operation.givesModels
            || type == .remote && wiring.mayHaveUnsent
        {
          mark = proxy.log.mark(asOf: signOuts)
        }
        if type == .local, operation.isRead {
          let known = proxy.knownFetches(wiring.place)
          let records = if let present = known.present { present } else { await known.load() }
          fetches = records.isEmpty ? nil : records
        }
        if rule.rollsBack, !operation.isRead, role == .target {
          do { undo = try await self.undo() } catch { return refusal(error) }
        }
        let isPatient = role == .target && rule.hasTimeoutOrRetry
        let queues = rule.synchronize == .outbox && !operation.isRead
        if role == .target, type == .remote, rule.synchronize == .mirror, wiring.lister != nil,
          !isLate
        {
          listed = await askChanges(rule, freshness, mark)
        }
        var (models, entry) =
          if let listed, role == .target {
            (listed.models, listed.entry)
          } else if isLate,
            role == .target
          {
            lateAttempt(type, rule)
          } else if type == .remote, !operation.isRead, let base = await writeBase(rule) {
            await WriteBase.$current.withValue(base) {
              await isPatient ? attemptWithRetries(type, role, rule) : attempt(type, role)
            }
          } else {
            await isPatient
              ? attemptWithRetries(type, role, rule, late) : attempt(type, role, queues: queues)
          }
        if type == .remote { remote = models } else { local = models }
        if type == .remote, wiring.mayHaveUnsent, operation.isRead {
          shown = await overlayUnsent(models, &entry, mark, isPatient ? rule.timeout : nil)
        }
        step = route.advance(Route.Outcome(entry))
        record.note(entry, of: type)
      case .synchronize(let type):
        let models = type == .remote ? local : remote
        let synchronized =
          if let landed = listed?.synchronized { landed } else {
            await synchronize(
              type, with: models, rule, mark, freshness?.stamp,
              versions: record.metadata[.remote]?.versions ?? [])
          }
        step = route.advance(Route.Outcome(synchronized))
        record.note(synchronized, of: type)
      case .rollBack(let type):
        let entry = await rollBack(type, to: undo, local)
        step = route.advance(Route.Outcome(entry))
        record.note(entry, of: type)
      case .end(let verdict):
        if let late, late.isKept {
          let isEmpty = verdict.origin == .local && local.isEmpty
          if let (models, found) = await settle(
            late, verdict, isEmpty: isEmpty, rule, mark, freshness?.stamp)
          {
            var entry = found
            remote = models
            shown = wiring.mayHaveUnsent ? await overlayUnsent(models, &entry, mark, nil) : nil
            step = route.advanceLate(Route.Outcome(entry))
            record.note(entry, of: .remote)
            continue
          }
        }
        if verdict.origin == .remote, verdict.error == nil, remote.isEmpty, operation.givesModels,
          rule.synchronize == .upsert, let mark, let stamp = freshness?.stamp
        {
          await dateNothing(mark, stamp)
        }
        if operation.isRead, isSignedOut { return signedOut }
        if !operation.isRead { noteWritten(record.metadata, remote: remote, local: local) }
        if let missing = route.missingFallback { record.noteMissingFallback(missing) }
        if operation.hasNothingToDo { record.skip(rule.target, .target, "there were no models") }
        if verdict.revalidates { revalidate(rule, freshness?.stamp) }
        let models = verdict.origin == .remote ? shown ?? remote : local
        let error = error(verdict, record.metadata)
        let synchronizationError = synchronizationError(verdict, record.metadata)
        let isPending = rule.synchronize == .outbox && record.metadata[.local]?.queued != nil
        record.noteFetched(fetched(from: verdict.origin, fetches))
        // The record must not be used after this, because the result's type would be looked up
        // (`find, async`).
        var result = Evocation.Result(
          data: verdict.origin == nil ? nil : models, origin: verdict.origin, error: error,
          synchronizationError: synchronizationError, values: [:], record: consume record)
        result.isPending = isPending
        return result
      }
    }
  }

  /// Returns when the data of a repository's answer were fetched.
  func fetched(
    from origin: Evocation.RepositoryType?, _ fetches: FetchRecords?
  ) -> CallRecord.Fetched {
    guard origin == .remote || origin == .local && fetches != nil else {
      return CallRecord.Fetched()
    }
    let now = proxy.environment.date()
    guard origin == .local, let fetches else { return CallRecord.Fetched(at: now) }
    // Most callers do not ask. The records are those from before local was asked, so that a later
    // fetch does not make the answer look newer.
    return CallRecord.Fetched(answeredAt: now) {
      [operation, prefix = proxy.tagPrefix, place = wiring.place] in
      operation.fetchedCriteria
        .compactMap { place.date(of: fetches[prefix + $0.tag], answeredAt: now) }.max()
    }
  }

  private func situation(isFresh: Bool) -> Route.Situation {
    Route.Situation(
      action: operation.action,
      hasRemote: wiring.hasRemote,
      hasLocal: wiring.hasLocal,
      hasOutbox: wiring.place.outbox != nil,
      isFresh: isFresh,
      hasNothingToDo: operation.hasNothingToDo,
      givesModels: operation.givesModels
    )
  }
}

/// The rule that a call was given; a class, to be one pointer wide in calls without one.
final class GivenRule: Sendable, Equatable {
  let rule: Strategy.Rule

  init(_ rule: Strategy.Rule) {
    self.rule = rule
  }

  static func == (left: GivenRule, right: GivenRule) -> Bool { left.rule == right.rule }
}

extension Call {
  /// Returns the result of a call that asked no repository.
  func refusal(_ error: any Error) -> Evocation.Result<[Model]> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: operation.name))
  }

  /// Returns the error that the verdict names.
  private func error(
    _ verdict: Route.Verdict, _ metadata: Evocation.MetadataByRepository
  ) -> (any Error)? {
    switch verdict.error {
    case nil: nil
    case .of(let type): metadata[type]?.error
    case .missing(let type): EvocationError.missingRepository(type, model: proxy.model)
    case .noOutbox:
      EvocationError.outboxUnavailable(model: proxy.model, action: operation.action)
    case .cancelled: CancellationError()
    }
  }

  /// Returns why syncing to the second repository failed; nil unless the verdict says that it did.
  private func synchronizationError(
    _ verdict: Route.Verdict, _ metadata: Evocation.MetadataByRepository
  ) -> (any Error)? {
    guard verdict.didNotFollow, let origin = verdict.origin else { return nil }
    return metadata[origin.counterpart]?.error
  }
}

extension Route.Outcome {
  /// Creates the outcome of a repository's answer; a write that changed nothing is empty too.
  init(_ metadata: Evocation.Metadata) {
    if let error = metadata.error {
      self =
        Cancellation.isCause(of: error)
        ? .cancelled : FailureKind(error) == .transient ? .failure : .refusal
    } else {
      self = metadata.count == 0 ? .empty : .models
    }
  }
}

extension Route.Outcome {
  /// Creates the outcome of a synchronization.
  ///
  /// It counts some refusals as failures that may pass, because they do not concern the write: a
  /// refused authorization, which passes when the user signs in; a network that lets nothing
  /// through; and an answer that cannot be read.
  init(_ synchronized: Synchronized) {
    guard let metadata = synchronized.metadata else {
      self = .models
      return
    }
    self.init(metadata)
    if self == .refusal, let error = metadata.error,
      FailureKind(error) == .authorization || FailureScope(error) != .write
    {
      self = .failure
    }
  }
}

extension Strategy.Rule {
  /// Whether the target has a timeout, or may be asked again.
  var hasTimeoutOrRetry: Bool {
    // A pattern, because a comparison with nil copies the retry.
    if case .some = retry { true } else { timeout != nil }
  }
}
