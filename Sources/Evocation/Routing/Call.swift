/// One call on its way through its route.
struct Call<Model: Sendable>: Sendable {
  let operation: Operation<Model>
  let proxy: Proxy<Model>
  let wiring: Wiring<Model>

  init(_ operation: Operation<Model>, _ proxy: Proxy<Model>) {
    self.operation = operation
    self.proxy = proxy
    wiring = proxy.wiring
  }

  /// Carries a read out; it waits for no other call.
  func read() async -> Evocation.Result<[Model]> {
    let rule = wiring.strategy[operation.action]
    guard let maxAge = rule.maxAge, let criteria = operation.criteria else {
      return await follow(rule, isFresh: false).result
    }
    let start = proxy.environment.time.now()
    let isFresh = proxy.fetches.withLock {
      $0.isFresh(criteria, maxAge: maxAge, now: start)
    }
    let (result, verdict) = await follow(rule, isFresh: isFresh)
    if verdict.isFetch(by: rule), result.metadata[.local]?.role == .synchronization {
      proxy.fetches.withLock { $0.record(criteria, at: start) }
    }
    if verdict.revalidates { revalidate(criteria, rule) }
    return result
  }

  /// Carries a write out when its turn has come.
  ///
  /// The ticket is the place in the line that was taken when the call was made; it is given up here.
  func write(_ ticket: WriteLine.Ticket) async -> Evocation.Result<[Model]> {
    defer { proxy.line.leave(ticket) }
    do {
      try await proxy.line.turn(ticket)
    } catch {
      return Evocation.Result(
        error: error, trace: .init(model: proxy.model, call: operation.name)
      )
    }
    return await inWriteScope {
      await follow(wiring.strategy[operation.action], isFresh: false).result
    }
  }

  func follow(
    _ rule: Strategy.Rule, isFresh: Bool
  ) async -> (result: Evocation.Result<[Model]>, verdict: Route.Verdict) {
    var record = CallRecord(model: proxy.model, call: operation.name)
    var answers = Answers<Model>()
    var route = Route(rule, situation(isFresh: isFresh))
    let mark =
      operation.action.isRead && rule.synchronize != .off ? proxy.line.mark : nil
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role):
        let report = await ask(type, role, rule)
        record.note(report, type, role)
        answers[type] = report.models
        step = route.advance(report.outcome)
      case .synchronize(let type):
        let answer = answers[type.counterpart] ?? []
        step = route.advance(await synchronize(type, with: answer, rule, mark, &record))
      case .end(let verdict):
        if operation.isVacuous {
          record.skip(rule.target, .target, "there were no models")
          answers[rule.target] = []
        }
        let data = verdict.origin.flatMap { answers[$0] }
        return (record.result(verdict, data, action: operation.action), verdict)
      }
    }
  }

  private func situation(isFresh: Bool) -> Route.Situation {
    Route.Situation(
      action: operation.action,
      hasRemote: wiring.remote != nil,
      hasLocal: wiring.local != nil,
      isFresh: isFresh,
      isVacuous: operation.isVacuous
    )
  }

  private func ask(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, _ rule: Strategy.Rule
  ) async -> Attempt<Model>.Report {
    let attempt = Attempt(call: self, type: type)
    let isPatient = role == .target && (rule.timeout != nil || rule.retry != nil)
    return isPatient ? await attempt.patiently(rule) : await attempt.once()
  }
}

/// What the repositories answered, as target, fallback or cache.
private struct Answers<Model: Sendable> {
  private var remote: [Model]?
  private var local: [Model]?

  subscript(type: Evocation.RepositoryType) -> [Model]? {
    @inline(__always) get { type == .remote ? remote : local }
    @inline(__always) set {
      switch type {
      case .remote: remote = newValue
      case .local: local = newValue
      }
    }
  }
}
