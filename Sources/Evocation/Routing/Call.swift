import Foundation

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
  func read(_ criteria: Criteria) async -> Evocation.Result<[Model]> {
    let rule = wiring.strategy[operation.action]
    guard let maxAge = rule.maxAge else { return await follow(rule, isFresh: false).result }
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
    let rule = wiring.strategy[operation.action]
    return await inWriteScope {
      guard rule.retry != nil, IdempotencyKey.current == nil else {
        return await follow(rule, isFresh: false).result
      }
      // A write that is sent again is the same write, so all its attempts have one key.
      return await IdempotencyKey.$current.withValue(UUID().uuidString) {
        await follow(rule, isFresh: false).result
      }
    }
  }

  func follow(
    _ rule: Strategy.Rule, isFresh: Bool
  ) async -> (result: Evocation.Result<[Model]>, verdict: Route.Verdict) {
    var record = CallRecord<Model>(model: proxy.model, call: operation.name)
    var route = Route(rule, situation(isFresh: isFresh))
    let mark = operation.action.isRead ? proxy.line.mark : nil
    var step = route.begin()
    while true {
      switch step {
      case .ask(let type, let role):
        let report = await ask(type, role, rule)
        record.note(report, type, role)
        step = route.advance(report.outcome)
      case .synchronize(let type):
        let answer = record.answer(of: type.counterpart) ?? []
        step = route.advance(await synchronize(type, with: answer, rule, mark, &record))
      case .end(let verdict):
        if operation.isVacuous { record.answerNothing(rule.target, "there were no models") }
        return (record.result(verdict, action: operation.action), verdict)
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
    guard let attempt = attempt(type, .operation) else { return missing(type) }
    guard role == .target else { return await attempt.once() }
    let late = EvocationError.timedOut(type, model: proxy.model, after: rule.timeout ?? .zero)
    return await attempt.patiently(rule, late: late)
  }

  func attempt(
    _ type: Evocation.RepositoryType, _ matter: Request<Model>.Matter
  ) -> Attempt<Model>? {
    wiring[type].map { repository in
      Attempt(
        request: Request(operation: operation, matter: matter, repository: repository),
        environment: proxy.environment
      )
    }
  }

  private func missing(_ type: Evocation.RepositoryType) -> Attempt<Model>.Report {
    .init(result: .failure(EvocationError.missingRepository(type, model: proxy.model)))
  }
}
