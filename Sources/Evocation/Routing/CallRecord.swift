/// What happened in a call so far, and the result that it makes.
struct CallRecord {
  private let model: String
  private(set) var metadata = Evocation.MetadataByRepository()
  private var trace: Evocation.Trace

  init(model: String, call: String) {
    self.model = model
    trace = Evocation.Trace(model: model, call: call)
  }

  /// Notes how a repository did.
  mutating func note(
    _ entry: Evocation.Metadata, of type: Evocation.RepositoryType
  ) {
    metadata[type] = entry
    let outcome: Evocation.Trace.Outcome =
      switch entry.error {
      case nil: .answered(count: entry.count)
      case is CancellationError: .cancelled
      case .some(let error): .failed("\(error)")
      }
    trace.steps.append(
      .init(
        repository: type, role: entry.role, outcome: outcome, attempts: entry.attempts,
        duration: entry.duration
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

  /// The result that the verdict asks for.
  @inline(__always)
  func result<Model>(
    _ verdict: Route.Verdict, _ models: [Model], action: Strategy.Action
  ) -> Evocation.Result<[Model]> {
    let follower = verdict.origin?.counterpart
    return Evocation.Result(
      data: verdict.origin == nil ? nil : models,
      origin: verdict.origin,
      error: verdict.error.flatMap { error($0, action) },
      synchronizationError: verdict.didNotFollow ? follower.flatMap { metadata[$0]?.error } : nil,
      metadata: metadata,
      trace: trace
    )
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
