package import Foundation

extension StoreWrite {
  /// Makes the changes in a transaction, and queues them for the server.
  ///
  /// An ``OutboxRepository`` calls it for a write that has an ``outbox``. The changes can be
  /// `store`, `update`, `storeOrUpdate` and `remove`.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` for a model that exists already, and what the
  ///   transaction throws.
  package func queue(
    _ note: OutboxNote<Model>, in transaction: any OutboxTransaction<Model>
  ) throws -> StoreCommit<Model> {
    var commit = StoreCommit<Model>(answers: [])
    for change in changes {
      let answer =
        switch change {
        case .store(let models): try transaction.queue(.store, models, note: note)
        case .update(let models): try transaction.queue(.update, models, note: note)
        case .storeOrUpdate(let models): try transaction.queue(.storeOrUpdate, models, note: note)
        case .remove(let models): try transaction.queue(.remove, models, note: note)
        case .mirror: QueuedWrite<Model>(models: [], entries: [])
        }
      commit.answers.append(answer.models)
      commit.entries += answer.entries
    }
    return commit
  }
}

extension OutboxStore {
  /// True, because it is not known.
  package var heldEntries: Bool { true }

  /// Writes models, and queues the write for the server, in one ``transact(isShort:_:)``.
  package func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try await transact(isShort: models.count == 1) { try $0.queue(kind, models, note: note) }
  }
}

extension OutboxTransaction {
  /// Writes models, and queues the write.
  package func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) throws -> QueuedWrite<Model> {
    try WriteQueueing(note: note, transaction: self).perform(kind, models)
  }

  /// Returns the model with references to the present names of renamed instances.
  package func following(
    _ model: Model, _ following: OutboxNote<Model>.Following?
  ) throws -> Model {
    guard let following else { return model }
    let entries = entries
    return try following(model) { try entries.followed($0) }
  }

  /// Checks whether there are entries on the instance, and appends one if there are none.
  package func appendFirst(
    _ kind: Outbox.EntryKind, _ model: Model, on base: Model?, queuedAt: Date, key: String
  ) throws -> OutboxRow? {
    guard try records(of: key).isEmpty else { return nil }
    var entry = Outbox.Entry(
      id: EntryID.make(), kind: kind, model: model, base: base,
      note: try base.flatMap(note), queuedAt: queuedAt)
    entry.position = try append(entry)
    return row(of: entry, key)
  }

  /// Reads the entries on the instance.
  package func last(of key: String) throws -> LastEntry? {
    try records(of: key).last.map { last($0, key) }
  }

  /// Returns how a write sees a record that is the last one on its instance.
  package func last(_ record: OutboxRecord<Model>, _ key: String) -> LastEntry {
    guard case .entry(let entry) = record else { return .unreadable }
    let row = row(of: entry, key)
    // A unit is sent as it was written.
    let isFree = !entry.wasAttempted && entry.state == .pending && entry.unit == nil
    return isFree ? .free(row) : .fixed(row)
  }

  /// Reads the entry, and replaces it.
  package func merge(_ kind: Outbox.EntryKind, _ model: Model, into row: OutboxRow) throws {
    guard case .entry(var entry)? = try record(at: row.position) else { return }
    (entry.kind, entry.model) = (kind, model)
    try replace(entry)
  }

  package func row(of entry: Outbox.Entry<Model>, _ key: String) -> OutboxRow {
    OutboxRow(
      position: entry.position, id: entry.id,
      instance: Outbox.Reference(queue: queueName, key: key), kind: entry.kind,
      hasReferences: !entry.references.isEmpty || !entry.formerReferences.isEmpty,
      wasAttempted: entry.wasAttempted, unit: entry.unit, isUtility: entry.priority == .utility,
      attempts: entry.attempts)
  }
}

/// What one write does to the models and to the entries of its instances.
private struct WriteQueueing<Transaction: OutboxTransaction> {
  typealias Model = Transaction.Model

  let note: OutboxNote<Model>
  let transaction: Transaction

  func perform(_ kind: Outbox.EntryKind, _ models: [Model]) throws -> QueuedWrite<Model> {
    let models = try models.map { try transaction.following($0, note.following) }
    if kind == .store { return try store(models) }
    var (answer, queued) = ([Model](), [OutboxRow]())
    let each = kind == .remove ? models : try models.lastOfEach(by: transaction.instance)
    for model in each {
      let (model, before) = try present(model)
      switch kind {
      case .store: continue
      case .update:
        if before == nil, !transaction.hasUnreadable(model) { continue }
        try transaction.put(model, before: before)
      case .storeOrUpdate: try transaction.put(model, before: before)
      // The server may have a model that the local store does not have, so the removal is sent.
      case .remove:
        if before != nil || transaction.hasUnreadable(model) {
          try transaction.remove(before ?? model)
        }
      }
      let written = kind == .remove ? before ?? model : model
      answer.append(written)
      try queue(kind, written, before: before, queued: &queued)
    }
    return QueuedWrite(models: answer, entries: queued)
  }

  private func store(_ models: [Model]) throws -> QueuedWrite<Model> {
    var (taken, queued) = ([ModelID](), [OutboxRow]())
    for model in models {
      guard try transaction.insert(model) else {
        let id = try ModelID.each(of: [model])[0]
        if !taken.contains(id) { taken.append(id) }
        continue
      }
      if taken.isEmpty { try queue(.store, model, before: nil, queued: &queued) }
    }
    guard taken.isEmpty else { throw EvocationError.alreadyExists(taken.map(\.description)) }
    return QueuedWrite(models: models, entries: queued)
  }

  /// Returns the model, and the local store's state of it.
  ///
  /// If the local store has no model under its id, both are under the id that the server assigned.
  private func present(_ model: Model) throws -> (Model, before: Model?) {
    if let held = try transaction.held(model) { return (model, held) }
    if transaction.hasUnreadable(model) { return (model, nil) }
    let former = Outbox.Reference(
      queue: transaction.queueName, key: try transaction.key(of: model))
    guard let renaming = try transaction.entries.followed(former),
      let identity = JSONProperties(renaming.identity),
      let renamed = try? Rebasing.model(model, with: identity),
      try transaction.instance(of: renamed) == ByteText(renaming.key)
    else { return (model, nil) }
    return (renamed, try transaction.held(renamed))
  }

  /// Adds an entry, or changes the last one of the instance.
  private func queue(
    _ kind: Outbox.EntryKind, _ model: Model, before: Model?, queued: inout [OutboxRow]
  ) throws {
    let key = try transaction.key(of: model)
    if note.references == nil, note.unit == nil, note.priority == .normal,
      let row = try transaction.appendFirst(
        kind, model, on: before, queuedAt: note.queuedAt, key: key)
    {
      return queued.append(row)
    }
    var (last, merge): (OutboxRow?, EntryMerge) = (nil, .append)
    let found = try transaction.last(of: key)
    switch found {
    case .free(let row)? where note.unit == nil:
      (last, merge) = (row, EntryMerge(row.kind, kind))
      if case .replace = merge, try mustFollow(row.position, model, isRemoval: kind == .remove) {
        merge = .append
      }
    case .fixed(let row)? where note.unit == nil && row.unit == nil:
      if EntryMerge(row.kind, kind) == .keep { (last, merge) = (row, .keep) }
    case .free?, .fixed?, .unreadable?, nil: break
    }
    guard var last, merge != .append else {
      return queued.append(
        try append(kind, model, base: found == nil ? before : nil, behind: found?.row, key: key))
    }
    switch merge {
    case .keep, .append:
      if note.priority == .normal, try transaction.entries.promote(last.position) {
        last.isUtility = false
      }
      queued.append(last)
    case .cancel:
      try transaction.delete(last.position)
      note.recordWithdrawn?(last.id)
      if let row = try transaction.last(of: key)?.row { queued.append(row) }
    case .replace(let kind):
      queued.append(try replace(last, kind, model: model, key: key))
    }
  }

  private func replace(
    _ last: OutboxRow, _ kind: Outbox.EntryKind, model: Model, key: String
  ) throws -> OutboxRow {
    let mayMove =
      try kind == .remove
      && transaction.entries.nextPosition > last.position.addingClamped(1)
    let isPromoted = last.isUtility && note.priority == .normal
    guard mayMove || note.references != nil || last.hasReferences || isPromoted else {
      try transaction.merge(kind, model, into: last)
      var row = last
      row.kind = kind
      return row
    }
    guard case .entry(var entry)? = try transaction.record(at: last.position) else { return last }
    let comesLast = try mayMove && comesLast(entry)
    (entry.kind, entry.model) = (kind, model)
    if isPromoted { entry.priority = .normal }
    entry.renew(note.references, keepsID: true)
    if comesLast {
      try transaction.delete(entry.position)
      entry.position = try transaction.append(entry)
    } else {
      try transaction.replace(entry)
    }
    return transaction.row(of: entry, key)
  }

  /// Whether a removal in place of an entry is sent after all that was written since that entry.
  ///
  /// A conflict, or an id that the server assigns, may show later that what was written since
  /// refers to the removed model. Only what the entry refers to itself is not written before it.
  private func comesLast(_ entry: Outbox.Entry<Model>) throws -> Bool {
    let entries = transaction.entries
    return try !entry.allReferences.contains { reference in
      try entries.ends(of: reference).map { $0.upperBound > entry.position } ?? false
    }
  }

  /// Whether a write has to be sent after others made since an entry, and so cannot replace it.
  ///
  /// These are writes on instances that the model refers to or, for a removal, writes whose models
  /// refer to it.
  private func mustFollow(
    _ position: Int64, _ model: Model, isRemoval: Bool
  ) throws -> Bool {
    let entries = transaction.entries
    let own = Outbox.Reference(
      queue: transaction.queueName, key: try transaction.key(of: model))
    if isRemoval {
      return try position < .max
        && entries.firstReferring(to: own, within: (position + 1)...(.max)) != nil
    }
    return try note.references?(model).contains { reference in
      try reference != own
        && entries.ends(of: reference).map { $0.upperBound > position } ?? false
    } ?? false
  }

  private func append(
    _ kind: Outbox.EntryKind, _ model: Model, base: Model?, behind last: OutboxRow?, key: String
  ) throws -> OutboxRow {
    // All that the entries before it refer to, because the server may keep to any of it.
    let former = try last.flatMap { last in
      last.hasReferences ? try transaction.record(at: last.position)?.entry?.allReferences : nil
    }
    var entry = Outbox.Entry(
      id: EntryID.make(), kind: kind, model: model, base: base,
      note: try base.flatMap(transaction.note), queuedAt: note.queuedAt,
      formerReferences: former ?? [], unit: note.unit, priority: note.priority)
    entry.renew(note.references, keepsID: true)
    entry.position = try transaction.append(entry)
    return transaction.row(of: entry, key)
  }
}
