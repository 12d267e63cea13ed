package import Evocation

/// A transaction of a test that asks another one, but where it says what it does otherwise.
package protocol ForwardingTransaction: OutboxTransaction {
  /// The transaction underneath.
  var base: any OutboxTransaction<Model> { get }
}

extension ForwardingTransaction {
  package func key(of model: Model) throws -> String { try base.key(of: model) }
  package func held(_ model: Model) throws -> Model? { try base.held(model) }
  package func hasUnreadable(_ model: Model) -> Bool { base.hasUnreadable(model) }
  package func insert(_ model: Model) throws -> Bool { try base.insert(model) }
  package func put(_ model: Model, before: Model?) throws { try base.put(model, before: before) }
  package func remove(_ model: Model) throws { try base.remove(model) }
  package func unsent(matching criteria: Criteria) throws -> [Model] {
    try base.unsent(matching: criteria)
  }
  package func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws {
    try base.rename(held, to: new, rekey)
  }
  package func note(of model: Model) throws -> AnswerNote? { try base.note(of: model) }
  package var hasNotes: Bool { get throws { try base.hasNotes } }
  package func setNote(_ note: AnswerNote?, of model: Model) throws {
    try base.setNote(note, of: model)
  }
}

// What concerns the entries.
extension ForwardingTransaction {
  package var queueName: String { base.queueName }
  package var entries: any OutboxEntries { base.entries }
  package var isEmpty: Bool { get throws { try base.isEmpty } }
  package func records(of key: String) throws -> [OutboxRecord<Model>] {
    try base.records(of: key)
  }
  package func records(
    referringTo reference: Outbox.Reference
  ) throws -> [OutboxRecord<Model>] {
    try base.records(referringTo: reference)
  }
  package func records(after position: Int64, limit: Int) throws -> [OutboxRecord<Model>] {
    try base.records(after: position, limit: limit)
  }
  package func record(at position: Int64) throws -> OutboxRecord<Model>? {
    try base.record(at: position)
  }
  package func append(_ entry: Outbox.Entry<Model>) throws -> Int64 { try base.append(entry) }
  package func replace(_ entry: Outbox.Entry<Model>) throws { try base.replace(entry) }
  package func setState(of entry: Outbox.Entry<Model>) throws { try base.setState(of: entry) }
  package func delete(_ position: Int64) throws { try base.delete(position) }
  package func park(_ entry: Outbox.UnreadableEntry) throws { try base.park(entry) }
}
