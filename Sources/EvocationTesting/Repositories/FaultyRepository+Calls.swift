public import Evocation

extension FaultyRepository {
  /// Makes the call, with the faults of the schedule.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await read("find", half: { $0.half() }) { try await wrapped.find(criteria) }
  }

  /// Makes the call, with the faults of the schedule.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await read("findOne", half: { $0.map { _ in nil } }) { try await wrapped.findOne(criteria) }
  }

  /// Makes the call.
  ///
  /// Half an answer is half the number.
  public func count(_ criteria: Criteria) async throws -> Int {
    try await read("count", half: { $0 / 2 }) { try await wrapped.count(criteria) }
  }

  /// Makes the call.
  ///
  /// Half an answer is false.
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try await read("exists", half: { _ in false }) { try await wrapped.exists(criteria) }
  }

  /// Makes the call, with the faults of the schedule.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await write("store", models) { try await wrapped.store($0) }
  }

  /// Makes the call, with the faults of the schedule.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await write("storeOne", [model]) { _ in try await wrapped.storeOne(model).list() }.first
  }

  /// Makes the call, with the faults of the schedule.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await write("update", models) { try await wrapped.update($0) }
  }

  /// Makes the call, with the faults of the schedule.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await write("updateOne", [model]) { _ in try await wrapped.updateOne(model).list() }.first
  }

  /// Makes the call, with the faults of the schedule.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await write("storeOrUpdate", models) { try await wrapped.storeOrUpdate($0) }
  }

  /// Makes the call, with the faults of the schedule.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await write("remove", models) { try await wrapped.remove($0) }
  }

  /// Makes the call, with the faults of the schedule.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await write("removeOne", [model]) { _ in try await wrapped.removeOne(model).list() }.first
  }

  /// Makes the call.
  ///
  /// If it breaks off, it has removed nothing yet.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await mirror(models) { try await wrapped.mirror(models, for: criteria) }
  }

  /// Makes the call, with models that stay as they are.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await mirror(models) { try await wrapped.mirror(models, for: criteria, keeping: kept) }
  }

  private func mirror(
    _ models: [Model], _ whole: () async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    try await write("mirror", models, lost: []) { part in
      part.count < models.count ? try await wrapped.storeOrUpdate(part) : try await whole()
    }
  }

  private func read<Answer>(
    _ method: String, half: (Answer) -> Answer, _ call: () async throws -> Answer
  ) async throws -> Answer {
    let planned = try await begin(method, .read)
    let answer = try await call()
    switch planned?.fault {
    case .losesAnswer, .breaksOff: throw planned?.error ?? CancellationError()
    case .answersHalf: return half(answer)
    case .fails, .isDelayed, .losesWrite, nil: return answer
    }
  }

  func write(
    _ method: String, _ models: [Model], lost answer: [Model]? = nil,
    _ call: ([Model]) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let planned = try await begin(method, .write)
    guard let (fault, error) = planned else { return try await call(models) }
    switch fault {
    case .losesWrite:
      return Response(answer ?? models)
    case .breaksOff(let count):
      let part = Array(models.prefix(max(0, count)))
      if !part.isEmpty { _ = try await call(part) }
      throw error
    case .losesAnswer:
      _ = try await call(models)
      throw error
    case .answersHalf:
      return try await call(models).half()
    case .fails, .isDelayed:
      return try await call(models)
    }
  }
}

extension FaultyRepository: ObservableRepository where Wrapped: ObservableRepository {
  /// Observes the wrapped repository.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    wrapped.observeChanges(handler)
  }

  /// Makes the call, as ``find(_:)``.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    let half = { (whole: RepositorySnapshot<Model>) in
      RepositorySnapshot(Array(whole.models.prefix(whole.models.count / 2)), version: whole.version)
    }
    return try await read("find", half: half) { try await wrapped.snapshot(criteria) }
  }
}

extension FaultyRepository: TransactionalRepository where Wrapped: TransactionalRepository {
  /// The ledger of the wrapped repository.
  public var fetchLedger: (any FetchLedger)? { wrapped.fetchLedger }

  /// Makes the call.
  ///
  /// A commit that breaks off has done nothing.
  public func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    let planned = try await begin("commit", .write)
    switch planned?.fault {
    case .breaksOff: throw planned?.error ?? CancellationError()
    case .losesWrite: return StoreCommit(answers: write.changes.map { _ in [] })
    case .losesAnswer:
      _ = try await wrapped.commit(write)
      throw planned?.error ?? CancellationError()
    case .answersHalf:
      var commit = try await wrapped.commit(write)
      commit.answers = commit.answers.map { Array($0.prefix($0.count / 2)) }
      return commit
    case .fails, .isDelayed, nil: return try await wrapped.commit(write)
    }
  }
}

extension Response {
  /// One model, or none, as a list.
  fileprivate func list<Model>() -> Response<[Model]> where Value == Model? {
    map { model in model.map { [$0] } ?? [] }
  }

  /// The answer with the first half of its models.
  fileprivate func half<Model>() -> Self where Value == [Model] {
    var half = map { Array($0.prefix($0.count / 2)) }
    half.versions = Array(half.versions.prefix(half.value.count))
    half.absentKeys = Array(half.absentKeys.prefix(half.value.count))
    return half
  }
}
