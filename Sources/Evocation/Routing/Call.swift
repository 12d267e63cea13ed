import Foundation

/// One call on its way through its route.
struct Call<Model: Sendable>: Sendable {
  let operation: Operation<Model>
  let proxy: Proxy<Model>
  let wiring: Wiring<Model>
  /// How far a callback call has come; nil for an async call.
  let start: CallStart?

  init(_ operation: Operation<Model>, _ proxy: Proxy<Model>, _ start: CallStart? = nil) {
    self.operation = operation
    self.proxy = proxy
    self.start = start
    wiring = proxy.wiring
  }

  /// When a call may be carried out, which is settled when it is made.
  enum Admission: Sendable {
    /// A read: at once, side by side with everything.
    case atOnce
    /// A write: in its turn.
    case inTurn(WriteSerializer.Ticket)
    /// A write inside a repository's own write, which would wait for itself.
    case never
  }

  /// Admits the call; the caller must ``run(_:)`` it afterwards.
  func admit() -> Admission {
    if operation.isRead { return .atOnce }
    guard !WriteScope.isInside(proxy.line) else { return .never }
    proxy.joins.noteWrite()
    return .inTurn(proxy.line.enter())
  }

  /// Carries the call out where the caller runs.
  @inline(__always)
  func run(_ admission: Admission) async -> Evocation.Result<[Model]> {
    let result =
      switch admission {
      case .atOnce: await read()
      case .inTurn(let ticket): await write(ticket)
      case .never: refusal(EvocationError.nestedWrite(model: proxy.model))
      }
    if let onTrace = proxy.environment.onTrace { onTrace(result.trace) }
    return result
  }

  @inline(__always)
  private func read() async -> Evocation.Result<[Model]> {
    let rule = wiring.strategy[operation.action]
    guard rule.target == .remote else { return await execute(rule) }
    switch join() {
    case .asks(let ticket):
      let result = await ask(rule)
      let waiting = proxy.joins.end(ticket)
      if !waiting.isEmpty { give(result, to: waiting) }
      return result
    case .takes(let joined): return await take(joined)
    case nil: return await execute(rule)
    }
  }

  private func join() -> ReadJoins.Part? {
    guard case .read(let action, let criteria) = operation else { return nil }
    return proxy.joins.begin(ReadJoins.Kind(action, wiring), criteria)
  }

  @inline(__always)
  private func ask(_ rule: Strategy.Rule) async -> Evocation.Result<[Model]> {
    guard let maxAge = rule.maxAge, let criteria = operation.criteria else {
      return await execute(rule)
    }
    return await execute(rule, proxy.freshness(of: criteria, maxAge: maxAge))
  }

  @inline(never)
  private func give(_ result: Evocation.Result<[Model]>, to waiting: [JoinedRead]) {
    let wasCancelled = result.error.map(Cancellation.isCause) ?? false
    for joined in waiting { joined.outcome.fulfil(wasCancelled ? .nothing : .result(result)) }
  }

  /// Takes the result of an equal read that is under way, or reads after all where that is cancelled.
  private func take(_ joined: JoinedRead) async -> Evocation.Result<[Model]> {
    start?.pass()
    let outcome = await withCancellationHandler {
      await joined.outcome.value
    } onCancel: {
      joined.outcome.fulfil(.cancelled)
    }
    switch outcome {
    case .result(let result as Evocation.Result<[Model]>): return result
    case .result, .nothing: return await read()
    case .cancelled: return refusal(Cancellation.error())
    }
  }

  /// Waits for the write's turn, which ends here.
  private func write(_ ticket: WriteSerializer.Ticket) async -> Evocation.Result<[Model]> {
    defer { proxy.line.leave(ticket) }
    do {
      try await proxy.line.turn(ticket)
    } catch {
      return refusal(error)
    }
    let rule = wiring.strategy[operation.action]
    return await inWriteScope {
      guard rule.retry != nil, IdempotencyKey.current == nil else {
        return await execute(rule)
      }
      // A write that is sent again is the same write, so all its attempts have one key.
      return await IdempotencyKey.$current.binding(UUID().uuidString) {
        await execute(rule)
      }
    }
  }

  /// Does what the rule says, step by step.
  func execute(
    _ rule: Strategy.Rule, _ freshness: CriteriaFreshness? = nil
  ) async -> Evocation.Result<[Model]> {
    var record = CallRecord(model: proxy.model, call: operation.name)
    var remote: [Model] = []
    var local: [Model] = []
    /// What is shown of the remote's answer, where unsent writes lie over it.
    var shown: [Model]?
    /// What the remote listed, where it lists changes.
    var listed: ListedAnswer<Model>?
    var route = Route(rule, situation(isFresh: freshness?.isFresh ?? false))
    var mark: WriteLog<Model>.Mark?
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role):
        if operation.isRead,
          role == .target && rule.synchronize != .off && operation.givesModels
            || type == .remote && wiring.mayHaveUnsent
        {
          mark = proxy.log.mark()
        }
        let isPatient = role == .target && rule.hasTimeoutOrRetry
        let queues = rule.synchronize == .outbox && !operation.isRead
        if role == .target, type == .remote, rule.synchronize == .mirror, wiring.lister != nil {
          listed = await askChanges(rule, freshness, mark)
        }
        var (models, entry) =
          if let listed, role == .target { (listed.models, listed.entry) } else {
            await isPatient
              ? attemptWithRetries(type, role, rule) : attempt(type, role, queues: queues)
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
            await synchronize(type, with: models, rule, mark, freshness?.stamp)
          }
        step = route.advance(synchronized.metadata.map { Route.Outcome($0) } ?? .models)
        record.note(synchronized, of: type)
      case .end(let verdict):
        if !operation.isRead { noteWritten(record.metadata, remote: remote, local: local) }
        if let missing = route.missingFallback { record.noteMissingFallback(missing) }
        if operation.hasNothingToDo { record.skip(rule.target, .target, "there were no models") }
        if verdict.revalidates { revalidate(rule, freshness?.stamp) }
        let models = verdict.origin == .remote ? shown ?? remote : local
        let error = error(verdict, record.metadata)
        let synchronizationError = synchronizationError(verdict, record.metadata)
        let isPending = rule.synchronize == .outbox && record.metadata[.local]?.queued != nil
        var result = Evocation.Result(
          data: verdict.origin == nil ? nil : models, origin: verdict.origin, error: error,
          synchronizationError: synchronizationError, values: [:], record: consume record)
        result.isPending = isPending
        return result
      }
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

extension Call {
  /// The result of a call that asked no repository.
  private func refusal(_ error: any Error) -> Evocation.Result<[Model]> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: operation.name))
  }

  /// The error that the verdict asks for.
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

  /// Why the counterpart did not follow, when the verdict is that it did not.
  private func synchronizationError(
    _ verdict: Route.Verdict, _ metadata: Evocation.MetadataByRepository
  ) -> (any Error)? {
    guard verdict.didNotFollow, let origin = verdict.origin else { return nil }
    return metadata[origin.counterpart]?.error
  }
}

extension Route.Outcome {
  /// The outcome of what a repository did; a write that changed nothing is empty too.
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

extension Strategy.Rule {
  /// Whether the target has a limit, or more than one attempt.
  var hasTimeoutOrRetry: Bool {
    // A pattern, because a comparison with nil copies the retry.
    if case .some = retry { true } else { timeout != nil }
  }
}
