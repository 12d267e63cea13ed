// What the queue reads from an entry and changes in it.
extension Outbox.Entry {
  /// Whether it failed for good, and waits for your app.
  package var isParked: Bool {
    if case .parked = state { true } else { false }
  }

  /// Whether the server may have it although nothing says so.
  package var mayHaveArrived: Bool { wasAttempted && !isParked }

  /// Whether the server may assign the model's id when it executes the entry.
  package var createsModel: Bool {
    switch kind {
    case .store: true
    case .storeOrUpdate: base == nil
    case .update, .remove: false
    }
  }

  /// The model once the entry is executed; nil after a removal.
  package var modelAfter: Model? { kind == .remove ? nil : model }

  /// The instances that the model refers to, and those that the base does.
  var allReferences: [Outbox.Reference] { references + formerReferences }

  /// Turns the entry into another write that the server has never seen.
  mutating func renew(_ references: OutboxNote<Model>.References?, keepsID: Bool = false) {
    if !keepsID { id = EntryID.make() }
    (state, wasAttempted, waitsSince, words) = (.pending, false, nil, nil)
    guard let references else { return }
    let present = self.references
    self.references = references(model)
    // Behind another entry it has no base yet. It then no longer refers to what that entry refers
    // to, and to what it may have referred to itself.
    let former = base.map(references) ?? (kind == .store ? [] : formerReferences + present)
    formerReferences = former.filter { !self.references.contains($0) }
  }
}
