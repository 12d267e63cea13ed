// An entry changes in the queue, because your app says so.
extension OutboxTransaction {
  /// Changes an entry so that it is sent again on top of what the server has, also as another
  /// model.
  ///
  /// It gets a new id, because a server may give the same answer to the same key.
  ///
  /// - Returns: The entry as it is sent; nil if it is gone.
  package func resend(
    _ entry: Outbox.Entry<Model>, as model: Model?, on theirs: VersionedModel<Model>,
    references: OutboxNote<Model>.References?
  ) throws -> Outbox.Entry<Model>? {
    guard let (first, later) = try head(entry) else { return nil }
    var found = first
    (found.base, found.refreshed) = (theirs.model, nil)
    (found.version, found.isSeenSince) = (theirs.version, false)
    // A model that the server has is changed, and one that it does not have is added.
    if found.kind != .remove, (found.kind == .store) != (theirs.model == nil) {
      found.kind = .storeOrUpdate
    }
    if let model {
      guard try instance(of: model) == instance(of: entry.model) else {
        throw EvocationError.differentModel(model: "\(Model.self)")
      }
      found.model = model
    }
    found.renew(references)
    try replace(found)
    try setVersion(theirs.version, of: found.model)
    try rebase(
      later, from: first.model, onto: .entry(found.modelAfter), sample: found.model,
      references: references)
    return found
  }

  /// Puts another model into an entry, which is then sent again.
  ///
  /// 1. A removal stays a removal.
  /// 2. No attempt may have arrived: the entry gets the model.
  /// 3. An attempt may have arrived: the entry stays as it is, because the server might execute
  ///    both. The model is sent after it, by the entries behind it or else as an update.
  ///
  /// - Returns: Nil if the entry is gone.
  package func edit(
    _ entry: Outbox.Entry<Model>, as model: Model, note: OutboxNote<Model>
  ) throws -> Outbox.Entry<Model>? {
    let records = try records(of: key(of: entry.model))
    guard let index = records.firstIndex(where: { $0.id == entry.id }),
      case .entry(var found) = records[index]
    else { return nil }
    let (later, former) = (Array(records[(index + 1)...]), found.model)
    if found.kind == .remove {
      // A server may give the same answer to the same key.
      if found.isParked { found.renew(nil, keepsID: !found.wasAttempted) }
      (found.state, found.words) = (.pending, nil)
      try replace(found)
      return found
    }
    if !found.mayHaveArrived {
      (found.model, found.attempts) = (model, 0)
      found.renew(note.references, keepsID: !found.wasAttempted)
      try replace(found)
    } else if later.isEmpty {
      found = Outbox.Entry(
        id: EntryID.make(), kind: .update, model: model, base: nil, queuedAt: note.queuedAt,
        formerReferences: found.allReferences, priority: found.priority)
      found.renew(note.references)
      try append(found)
    }
    try rebase(
      later, from: former, onto: .entry(model), sample: model, references: note.references)
    return found
  }

  /// Puts a model into an entry that cannot be decoded, which is then sent as a write of its own.
  ///
  /// - Returns: Nil if the entry is gone.
  package func replaceUnreadable(
    _ entry: Outbox.UnreadableEntry, as model: Model, note: OutboxNote<Model>
  ) throws -> Outbox.Entry<Model>? {
    guard case .unreadable(let found)? = try record(at: entry.position), found.id == entry.id else {
      return nil
    }
    let rows = try entries.rows(of: reference(key(of: model)), from: entry.position)
    guard let row = rows.first, row.position == entry.position else {
      throw EvocationError.differentModel(model: "\(Model.self)")
    }
    var replaced = Outbox.Entry(
      id: EntryID.make(), kind: entry.kind, model: model, base: nil,
      note: try self.note(of: model), queuedAt: entry.queuedAt, position: entry.position,
      unit: row.unit, priority: row.isUtility ? .utility : .normal)
    replaced.renew(note.references, keepsID: true)
    try replace(replaced)
    if rows.count == 1 { try setRow(replaced.modelAfter, sample: model) }
    return replaced
  }

  /// Deletes an entry and those after it on its instance, and restores the model from before.
  ///
  /// - Returns: The deleted entries; none if the entry is gone.
  package func discard(id: String, key: String) throws -> [OutboxRecord<Model>] {
    let records = try records(of: key)
    guard let index = records.firstIndex(where: { $0.id == id }) else { return [] }
    let discarded = Array(records[index...])
    for record in discarded { try delete(record.position) }
    guard let sample = discarded.lazy.compactMap(\.entry).first?.model else { return discarded }
    let before: Model?
    switch index == 0 ? nil : records[index - 1] {
    // An entry that cannot be read does not show what the server has, so the row stays as it is.
    case nil:
      // Neither does an entry whose base is unknown, because an unreadable one before it is gone.
      guard let first = discarded[0].entry,
        first.seen != nil || first.refreshed != nil || first.kind != .update
      else { return discarded }
      before = first.seen
    case .entry(let earlier): before = earlier.modelAfter
    case .unreadable: return discarded
    }
    try setRow(before, sample: sample)
    return discarded
  }

  /// Changes the state of an entry, if it still exists.
  ///
  /// A unit is parked, and sent again, as a whole. Only the entry itself has the service's words.
  ///
  /// - Returns: The changed entry; nil if it is gone.
  @discardableResult
  package func changeState(
    of entry: Outbox.Entry<Model>, _ body: (inout Outbox.Entry<Model>) -> Void
  ) throws -> Outbox.Entry<Model>? {
    guard case .entry(var found)? = try record(at: entry.position), found.id == entry.id else {
      return nil
    }
    body(&found)
    if let unit = found.unit, found.isParked || found.state == .pending {
      try entries.setState(found.state, ofUnit: unit)
    }
    try setState(of: found)
    return found
  }
}
