package import Evocation

/// A transaction of a test that asks another one, but where it says what it does otherwise.
package protocol ForwardingTransaction: OutboxTransaction {
  /// The transaction underneath.
  var base: any OutboxTransaction<Model> { get }
}

extension ForwardingTransaction {
  package func key(of model: Model) throws -> String { try base.key(of: model) }
  package func held(_ model: Model) throws -> Model? { try base.held(model) }
  package func insert(_ model: Model) throws -> Bool { try base.insert(model) }
  package func put(_ model: Model, before: Model?) throws { try base.put(model, before: before) }
  package func remove(_ model: Model) throws { try base.remove(model) }
  package func unsent(matching criteria: Criteria) throws -> [Model] {
    try base.unsent(matching: criteria)
  }
}

// What concerns the entries.
extension ForwardingTransaction {
  package var isEmpty: Bool { get throws { try base.isEmpty } }
  package func records(of key: String) throws -> [OutboxRecord<Model>] {
    try base.records(of: key)
  }
  package func hasRecords(of reference: Outbox.Reference) throws -> Bool {
    try base.hasRecords(of: reference)
  }
  package func records(
    referringTo reference: Outbox.Reference
  ) throws -> [OutboxRecord<Model>] {
    try base.records(referringTo: reference)
  }
  package func records(
    after position: Int64, onlyHeads: Bool, limit: Int
  ) throws -> [OutboxRecord<Model>] {
    try base.records(after: position, onlyHeads: onlyHeads, limit: limit)
  }
  package func append(_ entry: Outbox.Entry<Model>) throws -> Int64 { try base.append(entry) }
  package func replace(_ entry: Outbox.Entry<Model>) throws { try base.replace(entry) }
  package func setState(of entry: Outbox.Entry<Model>) throws { try base.setState(of: entry) }
  package func delete(_ position: Int64) throws { try base.delete(position) }
  package func park(_ entry: Outbox.UnreadableEntry) throws { try base.park(entry) }
  package func reviveUnreadable() throws { try base.reviveUnreadable() }
  package func count() throws -> OutboxCount { try base.count() }
  package var lease: OutboxLease? { get throws { try base.lease } }
  package func setLease(_ lease: OutboxLease?) throws { try base.setLease(lease) }
  package var isHeld: Bool { get throws { try base.isHeld } }
  package func setHeld(_ isHeld: Bool) throws { try base.setHeld(isHeld) }
}
