/// What the later entries of an instance are made on from now on.
enum EntryGround<Model: Sendable> {
  /// What the server has. The entry before them is gone, which referred to these instances.
  case server(VersionedModel<Model>, behind: [Outbox.Reference] = [])
  /// What the entry before them, which is still in the queue, makes of the model; nil for a removal.
  case entry(Model?)
}

/// How a change of an entry, or of what the server has, reaches the entries behind it and the row.
///
/// The local store has the model of the last entry or, without entries, the model that the server
/// is known to have. If an entry changes or leaves, the entries behind it are applied on top of the
/// result, property by property.
extension OutboxTransaction {
  /// Returns an entry as it is now, with the entries behind it; nil if it is not the first.
  ///
  /// If only the model that was sent counts, and the entry is the only one, it is not decoded again
  /// ("send, outbox").
  func head(
    _ entry: Outbox.Entry<Model>, asSent: Bool = false
  ) throws -> (Outbox.Entry<Model>, later: [OutboxRecord<Model>])? {
    let key = try key(of: entry.model)
    if asSent, case let rows = try entries.rows(of: reference(key), from: .min), rows.count == 1,
      rows[0].id == entry.id, rows[0].position == entry.position, !rows[0].hasReferences
    {
      return (entry, [])
    }
    let records = try records(of: key)
    guard case .entry(let first)? = records.first, first.id == entry.id else { return nil }
    return (first, Array(records.dropFirst()))
  }

  /// Applies later entries on top of the new ground, and saves the result in their row.
  ///
  /// `former` is the model that they were made on; nil if there was none. `references` finds the
  /// instances that a model refers to. An entry that cannot be read stays as it is, and hides the
  /// state of the model from those behind it.
  func rebase(
    _ later: [OutboxRecord<Model>], from former: Model?, onto ground: EntryGround<Model>,
    sample: Model, references: OutboxNote<Model>.References? = nil
  ) throws {
    var (former, present, isKnown) = (former, nil as Model?, true)
    switch ground {
    case .server(let now, _):
      try setVersion(now.version, of: now.model ?? sample)
      present = now.model
    case .entry(let model): present = model
    }
    for (index, record) in later.enumerated() {
      guard case .entry(var entry) = record else {
        (former, present, isKnown) = (nil, nil, false)
        continue
      }
      let before = entry.model
      if let former, let present {
        entry.model = Rebasing.rebased(before, from: former, onto: present)
      }
      if let references { entry.references = references(entry.model) }
      if index == 0, case .server(let now, let behind) = ground {
        (entry.base, entry.version, entry.isSeenSince) = (now.model, now.version, false)
        // Records that the server has no model, as opposed to nothing being known.
        entry.refreshed = now.model == nil ? .some(nil) : nil
        let known = behind + (now.model.flatMap { references?($0) } ?? [])
        entry.formerReferences = known.filter { !entry.references.contains($0) }
        try replace(entry)
      } else if !Rebasing.areSame(entry.model, before) {
        try replace(entry)
      }
      (former, present, isKnown) = (before, entry.modelAfter, true)
    }
    if isKnown { try setRow(present, sample: sample) }
  }

  /// Saves a model, or removes it, under the id of the sample.
  func setRow(_ model: Model?, sample: Model) throws {
    try setRow(model, held: held(sample), sample: sample)
  }

  /// Saves a model, or removes it, in place of the one that the local store has.
  func setRow(_ model: Model?, held: Model?, sample: Model) throws {
    switch (held, model) {
    case (let held?, let model?):
      if !Rebasing.areSame(held, model) { try put(model, before: held) }
    case (nil, let model?): try put(model, before: nil)
    case (let held?, nil): try remove(held)
    case (nil, nil): if hasUnreadable(sample) { try remove(sample) }
    }
  }

  /// Returns the reference to an instance of this model type.
  func reference(_ key: String) -> Outbox.Reference {
    Outbox.Reference(queue: queueName, key: key)
  }
}
