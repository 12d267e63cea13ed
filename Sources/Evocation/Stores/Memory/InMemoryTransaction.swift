/// The models and the entries of one ``InMemoryRepository`` inside a transaction.
///
/// Reads apply the transaction's changes on top of the models that it began with.
final class InMemoryTransaction<Model: Codable & Identifiable & Sendable>: OutboxTransaction {
  let repository: InMemoryRepository<Model>
  /// Unowned, because the scope owns its parts, and lives as long as the transaction.
  private unowned let scope: InMemoryScope
  private(set) var models: InMemoryState<Model>
  var edits = InMemoryEdits<Model>()

  init(_ repository: InMemoryRepository<Model>, _ scope: InMemoryScope) {
    self.repository = repository
    self.scope = scope
    models = repository.present.state
  }

  /// Returns the changes, and releases the models, so that only the state holds them.
  func taken() -> InMemoryEdits<Model> {
    models = InMemoryState()
    return edits
  }

  func key(of model: Model) -> String { repository.entry(of: model).id.key.text }

  func held(_ model: Model) -> Model? {
    edits.entry(repository.entry(of: model).id, in: models)?.model
  }

  func insert(_ model: Model) -> Bool {
    let new = repository.entry(of: model)
    guard edits.entry(new.id, in: models) == nil else { return false }
    edits.put([new])
    return true
  }

  func put(_ model: Model, before: Model?) { edits.put([repository.entry(of: model)]) }

  func remove(_ model: Model) { _ = edits.remove([repository.entry(of: model).id], from: models) }

  func unsent(matching criteria: Criteria) throws -> [Model] {
    let schema = try ModelSchema.of(Model.self)
    var resolved = try criteria.resolved(against: schema)
    (resolved.limit, resolved.offset) = (nil, 0)
    let unsent = edits.ordered(over: models).filter { entry in
      !scope.entries.positions(of: instance(entry.id.key.text)).isEmpty
    }
    return try InMemoryRepository.select(resolved, from: unsent, schema: schema).map { $0.model }
  }

  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? { scope.part(for: repository) }
}

// The entries.
extension InMemoryTransaction {
  var entries: any OutboxEntries { scope }

  var queueName: String { repository.queueName }

  var isEmpty: Bool { scope.entries.isEmpty(repository.queueName) }

  private func instance(_ key: String) -> Outbox.Reference {
    Outbox.Reference(queue: repository.queueName, key: key)
  }

  func note(of model: Model) -> AnswerNote? { scope.entries.notes[instance(key(of: model))] }

  var hasNotes: Bool { scope.entries.hasNotes(of: repository.queueName) }

  func setNote(_ note: AnswerNote?, of model: Model) {
    scope.setNote(note, of: instance(key(of: model)))
  }

  func records(of key: String) -> [OutboxRecord<Model>] {
    scope.entries.positions(of: instance(key)).compactMap(record)
  }

  func records(referringTo reference: Outbox.Reference) -> [OutboxRecord<Model>] {
    scope.entries.positions(referringTo: reference).compactMap(record)
  }

  func records(after position: Int64, limit: Int) -> [OutboxRecord<Model>] {
    var records: [OutboxRecord<Model>] = []
    for position in scope.entries.positions(after: position) {
      if records.count >= limit { break }
      if let record = record(at: position) { records.append(record) }
    }
    return records
  }

  func record(at position: Int64) -> OutboxRecord<Model>? {
    guard let held = scope.entries.held[position],
      held.row.instance.queue.hasSameBytes(as: repository.queueName),
      var entry = held.entry as? Outbox.Entry<Model>
    else { return nil }
    entry.position = position
    (entry.state, entry.wasAttempted) = (held.state, held.row.wasAttempted)
    (entry.waitsSince, entry.words, entry.unit) = (held.waitsSince, held.words, held.row.unit)
    entry.priority = held.row.isUtility ? .utility : .normal
    return .entry(entry)
  }

  func append(_ entry: Outbox.Entry<Model>) -> Int64 { scope.append(held(entry)) }

  func replace(_ entry: Outbox.Entry<Model>) {
    guard record(at: entry.position) != nil else { return }
    scope.put(held(entry))
  }

  func setState(of entry: Outbox.Entry<Model>) {
    guard var found = record(at: entry.position)?.entry, found.id == entry.id else { return }
    found.state = entry.state
    (found.attempts, found.wasAttempted) = (entry.attempts, entry.wasAttempted)
    (found.waitsSince, found.words) = (entry.waitsSince, entry.words)
    replace(found)
  }

  func delete(_ position: Int64) { scope.delete(position) }

  /// Does nothing, because an entry that was never encoded can be read.
  func park(_ entry: Outbox.UnreadableEntry) {}

  private func held(_ entry: Outbox.Entry<Model>) -> InMemoryEntries.Held {
    InMemoryEntries.Held(
      row: OutboxRow(
        position: entry.position, id: entry.id, instance: instance(key(of: entry.model)),
        kind: entry.kind,
        hasReferences: !entry.references.isEmpty || !entry.formerReferences.isEmpty,
        wasAttempted: entry.wasAttempted, unit: entry.unit,
        isUtility: entry.priority == .utility, attempts: entry.attempts),
      state: entry.state, queuedAt: entry.queuedAt, waitsSince: entry.waitsSince,
      words: entry.words, references: entry.references, formerReferences: entry.formerReferences,
      entry: entry)
  }
}
