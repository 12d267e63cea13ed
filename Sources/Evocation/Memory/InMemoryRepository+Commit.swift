extension InMemoryRepository: TransactionalRepository {
  /// Nil: freshness is recorded in the configuration's ledger.
  public var fetchLedger: (any FetchLedger)? { nil }

  /// Carries out a write in one commit; a stamp is written after it.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` for a model that is there already;
  ///   ``EvocationError/unknownKey(_:model:nearest:)`` or
  ///   ``EvocationError/incomparableValue(key:reason:)`` for criteria that do not fit the model;
  ///   ``OutdatedStamp``; ``CacheError/notListable(model:)`` for a list, which this repository does
  ///   not keep; what the stamp's ledger throws. Only in the last case the models have been
  ///   written.
  public func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    try Cancellation.check()
    if let stamp = write.stamp, stamp.basis != .any || stamp.since != nil {
      _ = try stamp.record(replacing: await stamp.ledger.record(for: stamp.tag))
    }
    if let note = write.outbox {
      var (commit, version) = try transactNow { try write.queue(note, in: $0) }
      commit.version = version
      return commit
    }
    var answers: [[Model]] = []
    let (_, version) = try commitCopy { shared in
      var changes = StoreChanges<Model>()
      for action in try spared(write, &shared).actions {
        let (answer, change) = try step(action)(&shared.models)
        answers.append(answer)
        changes.add(change) { self.entry(of: $0).id }
      }
      return changes
    }
    let record = try await write.stamp?.write()
    if let record { write.stamp?.note(record, version: version) }
    return StoreCommit(answers: answers, record: record, version: version)
  }

  /// Adds or changes the models, and removes what matches and is not among them, in one commit.
  ///
  /// With a limit, only models within the first page are removed. With an offset none are, because
  /// the models before the page are not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await mirror(models, for: criteria, keeping: [])
  }

  /// The same, and leaves some models as they are.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    Response(
      try await commit(StoreWrite([.mirror(models, for: criteria, keeping: kept)])).answers[0])
  }

  /// The write with what unsent writes leave of it, which it becomes the base of.
  private func spared(
    _ write: StoreWrite<Model>, _ shared: inout Shared
  ) throws -> StoreWrite<Model> {
    if write.source == .app || shared.queue.isEmpty { return write }
    let transaction = InMemoryTransaction(
      models: shared.models, queue: shared.queue, repository: self)
    let write = try write.sparingUnsent(in: transaction)
    _ = transaction.apply(to: &shared)
    return write
  }

  private typealias Step = (inout InMemoryState<Model>) throws -> ([Model], StoreChanges<Model>)

  /// The step that applies an action to a copy of the models.
  private func step(_ action: StoreWrite<Model>.Action) throws -> Step {
    switch action {
    case .store(let models):
      let entries = entries(models)
      return { state in
        try state.checkNew(entries)
        return (models, state.put(entries))
      }
    case .update(let models):
      let entries = entries(models).lastOfEach { $0.id }
      return { state in
        let changes = state.put(entries.filter { state[$0.id] != nil })
        return (changes.updated.map(\.after), changes)
      }
    case .storeOrUpdate(let models):
      let entries = entries(models).lastOfEach { $0.id }
      return { state in (entries.map { $0.model }, state.put(entries)) }
    case .remove(let models):
      let ids = entries(models).map { $0.id }
      return { state in
        let removed = state.remove(ids).map { $0.model }
        return (removed, StoreChanges(removed: removed))
      }
    case .mirror(let models, let criteria, let kept):
      return try mirroring(models, criteria, kept)
    case .list: throw CacheError.notListable(model: "\(Model.self)")
    }
  }

  private func mirroring(
    _ models: [Model], _ criteria: Criteria, _ kept: [Model]
  ) throws -> Step {
    let schema = try ModelSchema.of(Model.self)
    var everything = try criteria.resolved(against: schema)
    everything.limit = nil
    let entries = entries(models).lastOfEach { $0.id }
    let (answered, keptIDs) = (Set(entries.map { $0.id }), Set(self.entries(kept).map { $0.id }))
    return { [everything] state in
      var changes = state.put(entries)
      guard criteria.offset == 0 else { return ([], changes) }
      let held = try Self.select(everything, from: state.ordered, schema)
      let surplus = Self.surplus(
        held.filter { !keptIDs.contains($0.id) }, answered, criteria.limit.map { max(0, $0) })
      changes.removed = state.remove(surplus).map { $0.model }
      return (changes.removed, changes)
    }
  }

  /// The models to remove so that the first page holds only those that were answered.
  private static func surplus(
    _ held: [Entry], _ answered: Set<ModelID>, _ limit: Int?
  ) -> [ModelID] {
    var kept = 0
    var surplus: [ModelID] = []
    for entry in held {
      if kept == limit { break }
      if answered.contains(entry.id) { kept += 1 } else { surplus.append(entry.id) }
    }
    return surplus
  }
}
