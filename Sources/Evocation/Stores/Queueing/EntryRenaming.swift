// The server has given an instance another id, under which it may have been read and written already.
extension OutboxTransaction {
  /// Changes the id of the row and of the later entries to the id that the server assigned.
  ///
  /// An earlier read may have saved the model under its new id, and the app may have written to it.
  ///
  /// 1. There are entries that were made on what was read under the new id: they stay so.
  /// 2. There are later entries: they are made on the answer.
  /// 3. There are none: the row is what was read under the new id or, without that, the answer.
  ///
  /// A removal from before the model was made is of another model that had its id before.
  func rename(
    _ entry: Outbox.Entry<Model>, later: [OutboxRecord<Model>], behind: [Outbox.Reference],
    as answer: VersionedModel<Model>, references: OutboxNote<Model>.References?,
    rekey: (_ former: Model, _ new: Model) throws -> Void
  ) throws -> EntryOutcome<Model>? {
    guard let new = answer.model else { return nil }
    let identity = try Rebasing.identity(of: new, unlike: entry.model, key(of:))
    let key = try key(of: new)
    let fulfilled = try withdrawRemoval(of: key, madeBefore: entry.position)
    let read = try records(of: key)
    for case .entry(var later) in later {
      later.model = try Rebasing.model(later.model, with: identity)
      try replace(later)
    }
    let withdrawn = try order(later, read, of: key)
    let version = try version(of: new)
    let (isHeld, present) = try renameRow(of: entry.model, to: new, rekey)
    try entries.record(
      OutboxRenaming(key: key, identity: identity.data), of: reference(self.key(of: entry.model)))
    let records = try records(of: key)
    if let head = records.first, read.contains(where: { $0.id == head.id }) {
      // It may have been sent so.
      if let last = records.last?.entry { try setRow(last.modelAfter, sample: new) }
    } else {
      let isAlone = read.allSatisfy { record in withdrawn.contains { $0.id == record.id } }
      let sent = isAlone ? try Rebasing.model(entry.model, with: identity) : nil
      // What was read under the new id is no older than an answer, which may repeat an earlier one.
      let now =
        records.isEmpty && present != nil ? VersionedModel(present, version: version) : answer
      try rebase(
        records, from: sent, onto: .server(now, behind: behind), sample: new,
        references: references)
    }
    // While the outbox sent it, the app removed it from the local store alone.
    if !isHeld, present == nil, records.isEmpty { try setRow(nil, sample: new) }
    return EntryOutcome(
      model: new, formerly: entry.model, isLast: records.isEmpty, withdrawn: withdrawn,
      fulfilled: fulfilled)
  }

  /// Deletes the removal of a model whose id the server has now given to a new one, and returns it.
  ///
  /// The server gives an id again only if the model that had it is gone. Sent again, for example because
  /// its answer was lost, the removal would remove the new model. One of a unit cannot leave it: the unit
  /// is parked. The entries before the removal, which changed that model, go with it.
  private func withdrawRemoval(
    of key: String, madeBefore position: Int64
  ) throws -> [Outbox.Entry<Model>] {
    let earlier = try records(of: key).filter { $0.position < position }
    guard let removal = earlier.last?.entry, removal.kind == .remove else { return [] }
    let entries = earlier.compactMap(\.entry)
    guard entries.count == earlier.count, entries.allSatisfy({ $0.unit == nil }) else {
      let reason =
        "The server has given the id of the model that it removes to a new model; discard it, or the "
        + "new model is removed."
      try changeState(of: removal) { found in
        (found.state, found.words) = (.parked(.permanent, reason: reason), nil)
      }
      return []
    }
    for entry in entries { try delete(entry.position) }
    return entries
  }

  /// Changes the id of the row, and what refers to it.
  ///
  /// - Returns: Whether there was a row, and what the new id already had.
  private func renameRow(
    of former: Model, to new: Model, _ rekey: (_ former: Model, _ new: Model) throws -> Void
  ) throws -> (isHeld: Bool, present: Model?) {
    // Before anything is removed, so that every reference leads to a model.
    let (held, present) = (try held(former), try held(new))
    let isHeld = held != nil || hasUnreadable(former)
    if let held {
      try rename(held, to: present ?? new) { try rekey(former, new) }
    } else {
      try rekey(former, new)
      if isHeld { try remove(former) }
    }
    return (isHeld, present)
  }

  /// Puts the entries under both ids in one order, and returns those that it deletes.
  ///
  /// To the user these were two models. If one was removed and the other was kept, the removal would
  /// remove the kept one too, and with it what the server has on it: it is deleted with the writes
  /// that it made needless. If it may have arrived, or is part of a unit, what was kept is added again
  /// after it. What may have arrived keeps its position, and the other id's entries come after it.
  private func order(
    _ former: [OutboxRecord<Model>], _ read: [OutboxRecord<Model>], of key: String
  ) throws -> [Outbox.Entry<Model>] {
    guard let first = former.last?.entry, let second = read.last?.entry else { return [] }
    guard (first.kind == .remove) != (second.kind == .remove) else {
      if read.contains(where: { $0.entry?.mayHaveArrived == true }),
        former.allSatisfy({ $0.entry?.unit == nil })
      {
        try moveBack(former, of: key)
      }
      return []
    }
    let (removal, removed, kept) =
      first.kind == .remove ? (first, former, read) : (second, read, former)
    guard !removal.wasAttempted, removal.unit == nil else {
      try moveBack(kept, of: key, asAdditions: true)
      return []
    }
    let needless = removed.compactMap(\.entry).filter { !$0.wasAttempted && $0.unit == nil }
    for entry in needless { try delete(entry.position) }
    if needless.count < removed.count { try moveBack(kept, of: key) }
    return needless
  }

  /// Moves entries behind all others, unless one of them may have arrived.
  private func moveBack(
    _ records: [OutboxRecord<Model>], of key: String, asAdditions: Bool = false
  ) throws {
    guard records.allSatisfy({ $0.entry?.wasAttempted == false }) else { return }
    for record in try self.records(of: key) where records.contains(where: { $0.id == record.id }) {
      guard var entry = record.entry else { continue }
      try delete(entry.position)
      // It is no longer part of its unit.
      entry.unit = nil
      if asAdditions, entry.kind == .update { entry.kind = .storeOrUpdate }
      try append(entry)
    }
  }
}
