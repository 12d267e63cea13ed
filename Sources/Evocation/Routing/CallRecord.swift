/// What happened in a call so far, and the result that it makes.
struct CallRecord<Model: Sendable> {
  private let model: String
  private var metadata = Evocation.MetadataByRepository()
  private var trace: Evocation.Trace
  private var answers: (remote: [Model]?, local: [Model]?)

  init(model: String, call: String) {
    self.model = model
    trace = Evocation.Trace(model: model, call: call)
  }

  /// What the repository answered, as target, fallback or cache.
  func answer(of type: Evocation.RepositoryType) -> [Model]? {
    type == .remote ? answers.remote : answers.local
  }

  /// Notes how a repository did.
  mutating func note(
    _ report: Attempt<Model>.Report,
    _ type: Evocation.RepositoryType,
    _ role: Evocation.Metadata.Role
  ) {
    var entry = Evocation.Metadata(
      role: role, duration: report.duration, attempts: report.attempts
    )
    let outcome: Evocation.Trace.Outcome
    switch report.result {
    case .success(let response):
      entry.count = response.value.count
      entry.values = response.metadata
      outcome = .answered(count: response.value.count)
      if role != .synchronization { keep(response.value, type) }
    case .failure(let error):
      entry.error = error
      outcome = error is CancellationError ? .cancelled : .failed("\(error)")
    }
    metadata[type] = entry
    trace.steps.append(
      .init(
        repository: type, role: role, outcome: outcome, attempts: report.attempts,
        duration: report.duration
      )
    )
  }

  /// Notes that a repository was not asked, and why.
  mutating func skip(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, _ reason: String
  ) {
    trace.steps.append(
      .init(repository: type, role: role, outcome: .skipped(reason), attempts: 0)
    )
  }

  /// Notes that there was nothing to ask the target for, which is an empty answer.
  mutating func answerNothing(_ type: Evocation.RepositoryType, _ reason: String) {
    keep([], type)
    skip(type, .target, reason)
  }

  /// The result that the verdict asks for.
  func result(_ verdict: Route.Verdict, action: Strategy.Action) -> Evocation.Result<[Model]> {
    let follower = verdict.origin?.counterpart
    return Evocation.Result(
      data: verdict.origin.flatMap(answer(of:)),
      origin: verdict.origin,
      error: verdict.error.flatMap { error($0, action) },
      synchronizationError: verdict.didNotFollow ? follower.flatMap { metadata[$0]?.error } : nil,
      metadata: metadata,
      trace: trace
    )
  }

  private mutating func keep(_ models: [Model], _ type: Evocation.RepositoryType) {
    switch type {
    case .remote: answers.remote = models
    case .local: answers.local = models
    }
  }

  private func error(_ fault: Route.Fault, _ action: Strategy.Action) -> (any Error)? {
    switch fault {
    case .of(let type): metadata[type]?.error
    case .missing(let type): EvocationError.missingRepository(type, model: model)
    case .noOutbox: EvocationError.outboxUnavailable(model: model, action: action)
    case .cancelled: CancellationError()
    }
  }
}
