extension InMemoryRepository {
  /// Nil: the ledger of the configuration records fetches.
  public var fetchLedger: (any FetchLedger)? { nil }

  /// Performs a write in one commit, and writes its stamp afterwards.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` for a model that exists already;
  ///   ``EvocationError/unknownKey(_:model:nearest:)`` or
  ///   ``EvocationError/incomparableValue(key:reason:)`` for criteria that do not fit the model;
  ///   what the ``StoreWrite/stamp`` throws if it is outdated; what its ledger throws. Only in the
  ///   last case the models have been written.
  public func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    try Cancellation.check()
    guard write.list == nil else { throw CacheError.notListable(model: "\(Model.self)") }
    if let stamp = write.stamp, stamp.mayBeOutdated {
      _ = try stamp.record(replacing: await stamp.ledger.record(for: stamp.tag))
    }
    if let note = write.outbox {
      var (commit, version) = try transactNow { try write.queue(note, in: $0) }
      commit.version = version
      return commit
    }
    var commit = try carryOut(write)
    commit.record = try await write.stamp?.write(in: commit.version)
    return commit
  }

  /// Adds or changes the models, and removes every other model that matches, in one commit.
  ///
  /// With a limit that the models reach, an offset or a cursor, it removes none, because the other
  /// models are not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await mirror(models, for: criteria, keeping: [])
  }

  /// Adds or changes the models, and removes every other model that matches and is not kept.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    Response(
      try await commit(StoreWrite([.mirror(models, for: criteria, keeping: kept)])).answers[0])
  }

  /// Makes the changes of a write in one commit, and reports them to observers.
  ///
  /// All that can fail comes first, and runs the app's code while readers continue. The rest is
  /// done in place, so nothing is copied, except if the write also changes entries of the outbox.
  private func carryOut(_ write: StoreWrite<Model>) throws -> StoreCommit<Model> {
    let end = try exclusively { store in
      let concernsOutbox = store.entries.withLock { entries in
        !write.versions.isEmpty || !write.unsaid.isEmpty || !entries.isEmpty(queueName)
          || entries.hasNotes(of: queueName)
      }
      guard write.source != .app, concernsOutbox else {
        let (answers, edits) = try planned(write)
        return Transacted(
          value: StoreCommit(answers: answers), version: apply(edits), changed: nil)
      }
      return try transact(in: store) { transaction in
        let write = try write.sparingUnsent(in: transaction)
        let answers = try write.changes.map {
          try perform($0, on: transaction.models, edits: &transaction.edits)
        }
        var commit = StoreCommit(answers: answers)
        commit.gone = write.gone
        return commit
      }
    }
    end.changed?.observers.tell()
    var commit = end.value
    commit.version = end.version
    return commit
  }

  /// Returns the answers to a write's changes, and the edits to apply, without changing anything.
  private func planned(
    _ write: StoreWrite<Model>
  ) throws -> ([[Model]], InMemoryEdits<Model>) {
    let base = shared.withLock { $0.models }
    var edits = InMemoryEdits<Model>()
    return (try write.changes.map { try perform($0, on: base, edits: &edits) }, edits)
  }

  private func perform(
    _ action: StoreWrite<Model>.Change, on base: InMemoryState<Model>,
    edits: inout InMemoryEdits<Model>
  ) throws -> [Model] {
    switch action {
    case .store(let models):
      let entries = entries(models)
      try edits.checkNew(entries, in: base)
      edits.put(entries)
      return models
    case .update(let models):
      let held = entries(models).lastOfEach { $0.id }.filter { edits.entry($0.id, in: base) != nil }
      edits.put(held)
      return held.map { $0.model }
    case .storeOrUpdate(let models):
      let entries = entries(models).lastOfEach { $0.id }
      edits.put(entries)
      return entries.map { $0.model }
    case .remove(let models):
      return edits.remove(entries(models).map { $0.id }, from: base).map { $0.model }
    case .mirror(let models, let criteria, let kept):
      return try mirror(models, criteria, kept: kept, on: base, edits: &edits)
    }
  }

  private func mirror(
    _ models: [Model], _ criteria: Criteria, kept: [Model], on base: InMemoryState<Model>,
    edits: inout InMemoryEdits<Model>
  ) throws -> [Model] {
    let schema = try ModelSchema.of(Model.self)
    let everything = try criteria.unlimited.resolved(against: schema)
    let entries = entries(models).lastOfEach { $0.id }
    edits.put(entries)
    guard criteria.isEnded(by: models.count) else { return [] }
    let spared = Set(entries.map { $0.id }).union(self.entries(kept).map { $0.id })
    let held = try Self.select(everything, from: edits.ordered(over: base), schema: schema)
    let surplus = held.map { $0.id }.filter { !spared.contains($0) }
    return edits.remove(surplus, from: base).map { $0.model }
  }
}
