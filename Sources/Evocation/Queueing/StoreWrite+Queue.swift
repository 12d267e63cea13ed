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
    let queue = WriteQueueing(note: note, transaction: transaction)
    for action in actions {
      let answer =
        switch action {
        case .store(let models): try queue.perform(.store, models)
        case .update(let models): try queue.perform(.update, models)
        case .storeOrUpdate(let models): try queue.perform(.storeOrUpdate, models)
        case .remove(let models): try queue.perform(.remove, models)
        case .mirror, .list: QueuedWrite<Model>(models: [], entries: [])
        }
      commit.answers.append(answer.models)
      commit.entries += answer.entries
      commit.withdrawn += answer.withdrawn
    }
    return commit
  }
}

extension OutboxRepository {
  /// True: it is not known.
  public var heldEntries: Bool { true }

  /// Writes models, and queues the write for the remote, in one ``transact(isShort:_:)``.
  public func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], _ note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try await transact(isShort: models.count == 1) { transaction in
      try WriteQueueing(note: note, transaction: transaction).perform(kind, models)
    }
  }
}

/// What one write does to the models and to the entries of its instances.
struct WriteQueueing<Model: Sendable> {
  let note: OutboxNote<Model>
  let transaction: any OutboxTransaction<Model>

  func perform(_ kind: Outbox.EntryKind, _ models: [Model]) throws -> QueuedWrite<Model> {
    let models = try following(models)
    if kind == .store { return try store(models) }
    var (answer, queued) = ([Model](), Queued())
    let each = kind == .remove ? models : try models.lastOfEach(by: transaction.instance)
    for model in each {
      let (model, before) = try present(model)
      switch kind {
      case .store: continue
      case .update:
        if before == nil { continue }
        try transaction.put(model, before: before)
      case .storeOrUpdate: try transaction.put(model, before: before)
      // One that local does not hold may be the remote's, and is removed there.
      case .remove: if let before { try transaction.remove(before) }
      }
      let written = kind == .remove ? before ?? model : model
      answer.append(written)
      try queue(kind, written, before: before, &queued)
    }
    return QueuedWrite(models: answer, entries: queued.entries, withdrawn: queued.withdrawn)
  }

  private func store(_ models: [Model]) throws -> QueuedWrite<Model> {
    var (taken, queued) = ([ModelID](), Queued())
    for model in models {
      guard try transaction.insert(model) else {
        let id = try ModelID.each(of: [model])[0]
        if !taken.contains(id) { taken.append(id) }
        continue
      }
      if taken.isEmpty { try queue(.store, model, before: nil, &queued) }
    }
    guard taken.isEmpty else { throw EvocationError.alreadyExists(taken.map(\.description)) }
    return QueuedWrite(models: models, entries: queued.entries)
  }

  /// The models as they refer to others now, which the service may have given other ids meanwhile.
  private func following(_ models: [Model]) throws -> [Model] {
    guard let following = note.following else { return models }
    let entries = transaction.entries
    return try models.map { model in
      try following(model) { instance in
        // An id that is in use again means what it is used for.
        try entries.ends(of: instance) == nil ? entries.renaming(of: instance) : nil
      }
    }
  }

  /// The model, and what local has of it: under the id that the service gave it, where it is not there under
  /// its own.
  private func present(_ model: Model) throws -> (Model, before: Model?) {
    if let held = try transaction.held(model) { return (model, held) }
    let former = Outbox.Reference(
      queue: transaction.queueName, key: try transaction.key(of: model))
    guard let renaming = try transaction.entries.renaming(of: former),
      let identity = JSONProperties(renaming.identity),
      let renamed = try? Rebasing.model(model, with: identity),
      try transaction.instance(of: renamed) == ByteText(renaming.key)
    else { return (model, nil) }
    return (renamed, try transaction.held(renamed))
  }

  /// The entries that a write has made or changed, and those that it has taken back.
  private struct Queued {
    var entries: [OutboxRow] = []
    var withdrawn: [String] = []
  }

  /// Adds an entry, or changes the last one of the instance.
  private func queue(
    _ kind: Outbox.EntryKind, _ model: Model, before: Model?, _ queued: inout Queued
  ) throws {
    let key = try transaction.key(of: model)
    let records = try transaction.records(of: key)
    guard case .entry(var last)? = records.last else {
      let entry = try append(kind, model, base: records.isEmpty ? before : nil)
      return queued.entries.append(row(of: entry, key))
    }
    var merge = EntryMerge(last.kind, kind)
    if !last.isMergeable, merge != .keep { merge = .append }
    // A unit is sent as it was written.
    if note.unit != nil || last.unit != nil { merge = .append }
    if case .replace = merge, try mustFollow(last, model, isRemoval: kind == .remove) {
      merge = .append
    }
    switch merge {
    case .keep: queued.entries.append(row(of: last, key))
    case .append: queued.entries.append(row(of: try append(kind, model, base: nil), key))
    case .cancel:
      try transaction.delete(last.position)
      queued.withdrawn.append(last.id)
      if let earlier = records.dropLast().last?.entry {
        queued.entries.append(row(of: earlier, key))
      }
    case .replace(let kind):
      last.kind = kind
      last.model = model
      last.renew(note.references, keepsID: true)
      try transaction.replace(last)
      queued.entries.append(row(of: last, key))
    }
  }

  private func row(of entry: Outbox.Entry<Model>, _ key: String) -> OutboxRow {
    OutboxRow(
      position: entry.position, id: entry.id,
      instance: Outbox.Reference(queue: transaction.queueName, key: key), kind: entry.kind,
      hasReferences: !entry.references.isEmpty, wasAttempted: entry.wasAttempted, unit: entry.unit)
  }

  /// Whether a write has to be sent after others that were made since an entry, and so cannot be in its
  /// place: on what the model refers to, or for a removal on what refers to it.
  private func mustFollow(
    _ entry: Outbox.Entry<Model>, _ model: Model, isRemoval: Bool
  ) throws -> Bool {
    let entries = transaction.entries
    let own = Outbox.Reference(
      queue: transaction.queueName, key: try transaction.key(of: model))
    if isRemoval {
      return try entry.position < .max
        && entries.isReferredTo(own, within: (entry.position + 1)...(.max))
    }
    return try note.references?(model).contains { reference in
      try reference != own
        && entries.ends(of: reference).map { $0.upperBound > entry.position } ?? false
    } ?? false
  }

  private func append(
    _ kind: Outbox.EntryKind, _ model: Model, base: Model?
  ) throws -> Outbox.Entry<Model> {
    var entry = Outbox.Entry(
      id: EntryID.make(), kind: kind, model: model, base: base,
      version: try base.flatMap(transaction.version), queuedAt: note.queuedAt, unit: note.unit)
    entry.renew(note.references, keepsID: true)
    entry.position = try transaction.append(entry)
    return entry
  }
}
