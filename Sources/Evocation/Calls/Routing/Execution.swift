/// The execution of a call's rule: the answers so far, and what later steps need of earlier ones.
///
/// The route decides what to do next; each of its steps and of their phases is done here.
final class Execution<Model: Sendable> {
  private let call: Call<Model>
  private let rule: Strategy.Rule
  private let stamp: FetchStamp?
  private var route: Route
  private var record: CallRecord
  /// An attempt at the target that has failed before; nil when it is used.
  private var failed: Evocation.Metadata?
  private let late: LateAnswer<Model>?
  private var remote: [Model] = []
  private var local: [Model] = []
  /// The models to show of the remote's answer, if there are unsent writes.
  private var shown: [Model]?
  /// The remote's answer with changes, if it lists changes.
  private var listed: ListedAnswer<Model>?
  private var mark: WriteLog<Model>.Mark?
  /// The models of the write as local had them before it, if it may be undone or is copied.
  private var former: [Model] = []
  /// The known fetches when local was asked.
  private var fetches: FetchRecords?

  init(
    _ call: Call<Model>, _ rule: Strategy.Rule, stamp: FetchStamp?, failed: Evocation.Metadata?
  ) {
    self.call = call
    self.rule = rule
    self.stamp = stamp
    self.failed = failed
    record = CallRecord(model: call.proxy.model, call: call.operation.name)
    late =
      failed == nil && call.canKeepLate(rule) ? LateAnswer(call.proxy.environment.time) : nil
    route = Route(rule, call.situation(isFresh: call.isFresh(stamp, rule)))
  }

  /// Runs the steps of the route.
  func run() async -> Evocation.Result<[Model]> {
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role, let phases):
        if call.operation.isRead, call.isSignedOut {
          late?.cancel()
          return call.signedOut
        }
        do { try await prepare(phases) } catch { return call.refusal(error) }
        step = await ask(type, role, phases: phases)
      case .synchronize(let type):
        step = await synchronize(type)
      case .rollBack(let type):
        let entry = await call.rollBack(type, to: former, written: local)
        step = add(entry, of: type, outcome: Route.Outcome(entry))
      case .end(let verdict):
        guard let next = await settle(verdict) else { return await end(verdict) }
        step = next
      }
    }
  }

  /// Does the phases that come before a repository is asked.
  private func prepare(_ phases: Route.Phases) async throws {
    let proxy = call.proxy
    if phases.contains(.mark) {
      mark = proxy.log.mark(in: call.session, of: call.wiring.registration)
    }
    if phases.contains(.dates) {
      fetches = await proxy.knownFetches(call.wiring.binding).records
    }
    if phases.contains(.former) { former = try await call.held() }
    if phases.contains(.changes), failed == nil {
      listed = await call.askChanges(rule, stamp, mark: mark)
    }
  }

  private func ask(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, phases: Route.Phases
  ) async -> Route.Step {
    // The metadata are copied only where they are changed (`find, async, and local is synced`).
    let (models, entry) = await attempt(type, role, phases: phases)
    if type == .remote { remote = models } else { local = models }
    guard phases.contains(.overlay) else { return add(entry, of: type, phases: phases) }
    var changed = entry
    let isPatient = role == .target && rule.hasTimeoutOrRetry
    shown = await call.overlayUnsent(
      models, &changed, mark: mark, timeout: isPatient ? rule.timeout : nil)
    return add(changed, of: type, phases: phases)
  }

  /// Records an answer, and returns the next step.
  private func add(
    _ entry: consuming Evocation.Metadata, of type: Evocation.RepositoryType,
    phases: Route.Phases
  ) -> Route.Step {
    let outcome = Route.Outcome(entry)
    // A fallback that cannot find by words or parameters of the service's has no answer.
    let isUnknown =
      outcome == .empty && phases.contains(.dates) && !call.wasFetched(fetches ?? [:])
      || entry.role == .fallback && EvocationError.isUnsearchable(entry.error)
    return add(entry, of: type, outcome: isUnknown ? .unknown : outcome)
  }

  /// Returns the attempt that was made already, or makes one, by the rule's patience if it is at
  /// the target.
  private func attempt(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, phases: Route.Phases
  ) async -> Call<Model>.Attempt {
    if role == .target, let listed { return (listed.models, listed.entry) }
    if role == .target, let failed {
      self.failed = nil
      return ([], failed)
    }
    if phases.contains(.base) {
      return await call.onBase(rule) { await makeAttempt(type, role, phases: phases) }
    }
    return await makeAttempt(type, role, phases: phases)
  }

  private func makeAttempt(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, phases: Route.Phases
  ) async -> Call<Model>.Attempt {
    role == .target && rule.hasTimeoutOrRetry
      ? await call.attemptWithRetries(type, role, rule: rule, kept: late)
      : await call.attempt(type, role, queues: phases.contains(.queue) ? rule.priority : nil)
  }

  private func synchronize(_ type: Evocation.RepositoryType) async -> Route.Step {
    let models = type == .remote ? local : remote
    let synchronized =
      if let saved = listed?.synchronized { saved } else {
        await save(models, record.metadata[.remote], in: type)
      }
    let step = route.advance(Route.Outcome(synchronized))
    record.add(synchronized, of: type)
    return step
  }

  /// Saves the target's answer; `answer` has the metadata of the remote's, nil for none.
  private func save(
    _ models: [Model], _ answer: Evocation.Metadata?, in type: Evocation.RepositoryType
  ) async -> Synchronized {
    await call.synchronize(
      type, with: models, rule: call.saving(models, answer?.values, by: rule), mark: mark,
      stamp: stamp, versions: answer?.versions ?? [],
      unsaid: call.operation.isRead ? call.proxy.unsaid(models, answer?.values) : .none,
      former: former)
  }

  /// Records an attempt, and returns the next step.
  private func add(
    _ entry: consuming Evocation.Metadata, of type: Evocation.RepositoryType,
    outcome: Route.Outcome
  ) -> Route.Step {
    let step = route.advance(outcome)
    record.add(entry, of: type)
    return step
  }

  /// Returns the step after an answer that came after the timeout; nil if the call ends without it.
  private func settle(_ verdict: Route.Verdict) async -> Route.Step? {
    guard let late, late.isKept else { return nil }
    let settled = await call.settle(
      late, verdict, isEmpty: route.isFallbackEmpty, rule: rule, mark: mark, stamp: stamp)
    guard let settled else { return nil }
    remote = settled.models
    var entry = settled.metadata
    if call.wiring.mayHaveUnsent {
      shown = await call.overlayUnsent(remote, &entry, mark: mark, timeout: nil)
    }
    let step = route.advanceLate(Route.Outcome(entry))
    record.add(entry, of: .remote)
    return step
  }
}

// The end of a call.
extension Execution {
  private func end(_ verdict: Route.Verdict) async -> Evocation.Result<[Model]> {
    if verdict.origin == .remote, verdict.error == nil, remote.count == 0,
      call.operation.givesModels, rule.synchronize == .upsert, let mark, let stamp
    {
      await call.dateNothing(mark, stamp)
    }
    if call.operation.isRead, call.isSignedOut { return call.signedOut }
    return result(verdict)
  }

  private func result(_ verdict: Route.Verdict) -> Evocation.Result<[Model]> {
    let operation = call.operation
    // One copy, which the result takes over (`storeOne, async`).
    var record = record
    if !operation.isRead { call.recordWritten(record.metadata, remote: remote, local: local) }
    if let missing = route.missingFallback { record.addMissingFallback(missing) }
    if operation.hasNothingToDo {
      record.skip(rule.target, .target, reason: "there were no models")
    }
    record.setFetched(
      call.fetched(
        from: verdict.origin, fetches, in: record.metadata[.remote].map { $0.duration }))
    if verdict.revalidates {
      if let criteria = operation.criteria,
        let failed = call.wiring.failedRefreshes.last(of: criteria, since: stamp?.known?.fetchedAt)
      {
        record.addEarlier(failed.entry, of: failed.type)
      }
      call.revalidate(rule, stamp)
    }
    let data: [Model]? =
      switch verdict.origin {
      case .remote: shown ?? remote
      case .local: local
      case nil: nil
      }
    return Evocation.Result(
      data: data, origin: verdict.origin, error: error(of: verdict),
      synchronizationError: synchronizationError(of: verdict),
      isPending: rule.synchronize == .outbox && record.metadata[.local]?.queued != nil,
      record: consume record)
  }

  /// Returns the error that the verdict names.
  private func error(of verdict: Route.Verdict) -> (any Error)? {
    switch verdict.error {
    case nil: nil
    case .of(let type): record.metadata[type]?.error
    case .missing(let type): EvocationError.missingRepository(type, model: call.proxy.model)
    case .noOutbox:
      EvocationError.outboxUnavailable(
        model: call.proxy.model, action: call.operation.action)
    case .cancelled: CancellationError()
    }
  }

  /// Returns why syncing to the second repository failed; nil unless the verdict says that it did.
  private func synchronizationError(of verdict: Route.Verdict) -> (any Error)? {
    guard verdict.didNotFollow, let origin = verdict.origin else { return nil }
    return record.metadata[origin.counterpart]?.error
  }
}

extension Call {
  /// Whether local was fetched recently enough for the rule.
  func isFresh(_ stamp: FetchStamp?, _ rule: Strategy.Rule) -> Bool {
    guard let maxAge = rule.maxAge, let known = stamp?.known else { return false }
    return known.freshness(
      at: proxy.environment.date(), mirroring: rule.synchronize == .mirror, maxAge: maxAge)
      == .fresh
  }

  /// Returns the facts that the route has to know.
  fileprivate func situation(isFresh: Bool) -> Route.Situation {
    Route.Situation(
      action: operation.action,
      hasRemote: wiring.hasRemote,
      hasLocal: wiring.hasLocal,
      hasOutbox: wiring.binding.outbox != nil,
      isFresh: isFresh,
      hasNothingToDo: operation.hasNothingToDo,
      givesModels: operation.givesModels,
      isPart: operation.criteria?.isPart(of: Model.self) ?? false,
      mayHaveUnsent: wiring.mayHaveUnsent,
      listsChanges: wiring.lister != nil
    )
  }
}
