// The server has given an instance another id, under which it may have been read and written already.
extension OutboxTransaction {
  /// Changes the id of the row and of the later entries to the id that the server assigned.
  ///
  /// An earlier read may have saved the model under its new id, and the app may have written to it.
  func rename(
    _ entry: Outbox.Entry<Model>, _ first: Outbox.Entry<Model>, later: [OutboxRecord<Model>],
    as answer: VersionedModel<Model>, _ rekey: (_ former: Model, _ new: Model) throws -> Void
  ) throws -> EntryOutcome<Model>? {
    guard let new = answer.model else { return nil }
    let identity = try Rebasing.identity(of: new, unlike: entry.model, key(of:))
    let (former, key) = (try self.key(of: entry.model), try self.key(of: new))
    try delete(first.position)
    let read = try records(of: key)
    for case .entry(var later) in later {
      later.model = try Rebasing.model(later.model, with: identity)
      try replace(later)
    }
    let withdrawn = try keepWhatIsKept(of: key, later, other: read)
    let known = read.filter { $0.id != withdrawn?.id }
    // Before anything is removed, so that every reference leads to a model.
    let (held, present) = (try held(entry.model), try held(new))
    let isHeld = held != nil || hasUnreadable(entry.model)
    let seen = VersionedModel(present, version: try version(of: new))
    if let held {
      try rename(held, to: present ?? new) { try rekey(entry.model, new) }
    } else {
      try rekey(entry.model, new)
      if isHeld { try remove(entry.model) }
    }
    try entries.note(
      OutboxRenaming(key: key, identity: identity.data), of: reference(former))
    let records = try records(of: key)
    // What was read under the new id is no older than an answer, which may repeat an earlier one.
    let now = records.isEmpty && present != nil ? seen : answer
    if !known.isEmpty, records.count == known.count {
      // They were made on what was read under the new id.
      if let last = records.last?.entry {
        try setRow(last.kind == .remove ? nil : last.model, sample: new)
      }
    } else {
      let sent = known.isEmpty ? try Rebasing.model(entry.model, with: identity) : nil
      try settle(records, from: sent, onto: now, sample: new, references: first.references)
    }
    // While the outbox sent it, the app removed it from the local store alone.
    if !isHeld, present == nil, records.isEmpty { try setRow(nil, sample: new) }
    return EntryOutcome(
      model: new, formerly: entry.model, isLast: records.isEmpty, withdrawn: withdrawn)
  }

  /// Deletes a removal under one id of a model that was kept under the other, and returns it.
  ///
  /// To the user these were two models, of which one was removed and one was kept. The removal would
  /// remove the kept one too, and with it what the server has on it. If it may have arrived, or is
  /// part of a unit, what was kept is added again after it.
  private func keepWhatIsKept(
    of key: String, _ one: [OutboxRecord<Model>], other: [OutboxRecord<Model>]
  ) throws -> Outbox.Entry<Model>? {
    guard let first = one.last?.entry, let second = other.last?.entry,
      (first.kind == .remove) != (second.kind == .remove)
    else { return nil }
    let (removal, kept) = first.kind == .remove ? (first, other) : (second, one)
    if !removal.wasAttempted, removal.unit == nil {
      try delete(removal.position)
      return removal
    }
    // An entry that may have arrived keeps its position.
    guard kept.allSatisfy({ $0.entry?.wasAttempted == false }) else { return nil }
    for record in try records(of: key) where kept.contains(where: { $0.id == record.id }) {
      guard var entry = record.entry else { continue }
      try delete(entry.position)
      // It is no longer part of its unit, and the model is added again.
      entry.unit = nil
      if entry.kind == .update { entry.kind = .storeOrUpdate }
      try append(entry)
    }
    return nil
  }
}
