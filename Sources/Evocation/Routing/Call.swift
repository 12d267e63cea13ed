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

  /// Carries a read out; it waits for no other call.
  @inline(__always)
  func read() async -> Evocation.Result<[Model]> {
    let rule = wiring.strategy[operation.action]
    let start = rule.maxAge == nil ? .zero : proxy.environment.time.now()
    return await follow(rule, isFresh: isFresh(rule, at: start), since: start)
  }

  /// Carries a write out when its turn has come.
  ///
  /// The ticket is the place in the line that was taken when the call was made; it is given up here.
  func write(_ ticket: WriteLine.Ticket) async -> Evocation.Result<[Model]> {
    defer { proxy.line.leave(ticket) }
    do {
      try await proxy.line.turn(ticket)
    } catch {
      return refusal(error)
    }
    let rule = wiring.strategy[operation.action]
    return await inWriteScope {
      guard rule.retry != nil, IdempotencyKey.current == nil else {
        return await follow(rule, isFresh: false)
      }
      // A write that is sent again is the same write, so all its attempts have one key.
      return await IdempotencyKey.$current.binding(UUID().uuidString) {
        await follow(rule, isFresh: false)
      }
    }
  }

  func follow(
    _ rule: Strategy.Rule, isFresh: Bool, since start: Duration = .zero
  ) async -> Evocation.Result<[Model]> {
    var trace = Evocation.Trace(model: proxy.model, call: operation.name)
    var metadata = Evocation.MetadataByRepository()
    var remote: [Model] = []
    var local: [Model] = []
    var route = Route(rule, situation(isFresh: isFresh))
    var mark: WriteLog<Model>.Mark?
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role):
        let isPatient = role == .target && rule.isPatient
        if role == .target, operation.action.isRead, rule.synchronize != .off {
          mark = proxy.log.mark()
        }
        let (models, entry) =
          await isPatient ? patiently(type, role, rule) : once(type, role)
        if type == .remote { remote = models } else { local = models }
        step = route.advance(Route.Outcome(entry))
        trace.note(entry, of: type)
        metadata[type] = entry
      case .synchronize(let type):
        let models = type == .remote ? local : remote
        let followed = await synchronize(type, with: models, rule, mark, since: start)
        step = route.advance(followed.metadata.map { Route.Outcome($0) } ?? .models)
        trace.note(followed, of: type)
        if let entry = followed.metadata { metadata[type] = entry }
      case .end(let verdict):
        if !operation.action.isRead { noteWritten(metadata, remote: remote, local: local) }
        if let missing = route.missingFallback { trace.noteMissingFallback(missing) }
        if operation.isVacuous { trace.skip(rule.target, .target, "there were no models") }
        if rule.maxAge != nil { remember(verdict, rule, since: start, metadata) }
        let models = verdict.origin == .remote ? remote : local
        return Evocation.Result(
          data: verdict.origin == nil ? nil : models,
          origin: verdict.origin,
          error: error(verdict, metadata),
          synchronizationError: synchronizationError(verdict, metadata),
          metadata: metadata,
          trace: trace
        )
      }
    }
  }

  private func isFresh(_ rule: Strategy.Rule, at time: Duration) -> Bool {
    guard let maxAge = rule.maxAge, let criteria = operation.criteria else { return false }
    return proxy.fetches.withLock { $0.isFresh(criteria, maxAge: maxAge, now: time) }
  }

  /// Notes when the criteria were fetched, or has them fetched when local's answer was old.
  private func remember(
    _ verdict: Route.Verdict, _ rule: Strategy.Rule, since start: Duration,
    _ metadata: Evocation.MetadataByRepository
  ) {
    guard let criteria = operation.criteria else { return }
    if verdict.isFetch(by: rule), metadata[.local]?.role == .synchronization {
      proxy.fetches.withLock { $0.record(criteria, at: start) }
    }
    if verdict.revalidates { revalidate(criteria, rule) }
  }

  /// The result of a call that asked no repository.
  func refusal(_ error: any Error) -> Evocation.Result<[Model]> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: operation.name))
  }

  private func situation(isFresh: Bool) -> Route.Situation {
    Route.Situation(
      action: operation.action,
      hasRemote: wiring.hasRemote,
      hasLocal: wiring.hasLocal,
      isFresh: isFresh,
      isVacuous: operation.isVacuous
    )
  }
}

extension Strategy.Rule {
  /// Whether the target has a limit, or more than one attempt.
  fileprivate var isPatient: Bool {
    // A pattern, because a comparison with nil copies the retry.
    if case .some = retry { true } else { timeout != nil }
  }
}
