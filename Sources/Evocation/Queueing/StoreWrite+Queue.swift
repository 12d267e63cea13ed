extension StoreWrite {
  /// Carries the actions out in a transaction, and queues them for the remote.
  ///
  /// An ``OutboxRepository`` calls it for a write with an ``outbox``. It is for `store`, `update`,
  /// `storeOrUpdate` and `remove`.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` for a model that is there already, and what the
  ///   transaction throws.
  public func queue(
    _ note: OutboxNote<Model>, in transaction: any OutboxTransaction<Model>
  ) throws -> StoreCommit<Model> {
    var commit = StoreCommit<Model>(answers: [])
    for action in actions {
      let queue = WriteQueueing(note: note, transaction: transaction)
      let (answer, isPending) = try queue.perform(action)
      commit.answers.append(answer)
      commit.isPending = commit.isPending || isPending
    }
    return commit
  }
}

/// What one write does to the models and to the entries of its instances.
private struct WriteQueueing<Model: Sendable> {
  let note: OutboxNote<Model>
  let transaction: any OutboxTransaction<Model>

  func perform(_ action: StoreWrite<Model>.Action) throws -> (answer: [Model], isPending: Bool) {
    switch action {
    case .store(let models): try store(models)
    case .update(let models): try each(lastOfEach(models), update)
    case .storeOrUpdate(let models): try each(lastOfEach(models), storeOrUpdate)
    case .remove(let models): try each(models, remove)
    case .mirror, .list: ([], false)
    }
  }

  /// What became of one model: the answer, and whether the remote is to get it.
  private typealias Part = (answer: Model?, isPending: Bool)

  private func each(
    _ models: [Model], _ body: (Model) throws -> Part
  ) throws -> (answer: [Model], isPending: Bool) {
    var (answer, isPending) = ([Model](), false)
    for model in models {
      let part = try body(model)
      if let model = part.answer { answer.append(model) }
      isPending = isPending || part.isPending
    }
    return (answer, isPending)
  }

  private func store(_ models: [Model]) throws -> (answer: [Model], isPending: Bool) {
    var taken: [String] = []
    for model in models {
      guard try transaction.insert(model) else {
        let id = try ModelID.each(of: [model])[0].description
        if !taken.contains(id) { taken.append(id) }
        continue
      }
      if taken.isEmpty { try queue(.store, model, before: nil) }
    }
    guard taken.isEmpty else { throw EvocationError.alreadyExists(taken) }
    return (models, !models.isEmpty)
  }

  private func update(_ model: Model) throws -> Part {
    guard let before = try transaction.held(model) else { return (nil, false) }
    try transaction.put(model, before: before)
    return (model, try queue(.update, model, before: before))
  }

  private func storeOrUpdate(_ model: Model) throws -> Part {
    let before = try transaction.held(model)
    try transaction.put(model, before: before)
    return (model, try queue(.storeOrUpdate, model, before: before))
  }

  /// Removes a model; one that local does not hold may be the remote's, and is removed there.
  private func remove(_ model: Model) throws -> Part {
    let before = try transaction.held(model)
    if let before { try transaction.remove(before) }
    return (before ?? model, try queue(.remove, before ?? model, before: before))
  }

  /// Adds an entry, or changes the last one of the instance; says whether the instance has one then.
  @discardableResult
  private func queue(
    _ kind: Outbox.EntryKind, _ model: Model, before: Model?
  ) throws -> Bool {
    let key = try transaction.key(of: model)
    let records = try transaction.records(of: key)
    guard case .entry(var last)? = records.last else {
      try append(kind, model, base: records.isEmpty ? before : nil)
      return true
    }
    switch last.isMergeable || kind == .remove ? EntryMerge(last.kind, kind) : .append {
    case .keep: return true
    case _ where !last.isMergeable: try append(kind, model, base: nil)
    case .append: try append(kind, model, base: nil)
    case .cancel:
      try transaction.delete(last.position)
      return records.count > 1
    case .replace(let kind):
      last.kind = kind
      last.model = model
      last.references = note.references?(model) ?? []
      try transaction.replace(last)
    }
    return true
  }

  private func append(_ kind: Outbox.EntryKind, _ model: Model, base: Model?) throws {
    try transaction.append(
      Outbox.Entry(
        id: EntryID.make(), kind: kind, model: model, base: base, queuedAt: note.queuedAt,
        references: note.references?(model) ?? []))
  }

  /// One model for each id, where it came first and as it came last.
  private func lastOfEach(_ models: [Model]) throws -> [Model] {
    guard models.count > 1 else { return models }
    var (indices, result) = ([String: Int](), [Model]())
    for model in models {
      let key = try transaction.key(of: model)
      if let index = indices[key] {
        result[index] = model
      } else {
        indices[key] = result.count
        result.append(model)
      }
    }
    return result
  }
}
