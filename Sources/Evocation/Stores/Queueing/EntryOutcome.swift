/// What became of an instance when its first entry left the queue.
package struct EntryOutcome<Model: Sendable>: Sendable {
  /// The model that the local store has, or last had, under its present id.
  package var model: Model

  /// The model under its former id, if the server assigned another one.
  package var formerly: Model?

  /// Whether no entries are left.
  package var isLast = true

  /// Whether the server answered with a model of another id than it was sent, which is not saved.
  package var answeredAnother = false

  /// Whether newer state than the answer was seen, which may repeat an earlier answer.
  package var isLate = false

  /// The entries that remove the model under one of its ids, if your app kept it under the other, and
  /// those before that change it there.
  ///
  /// They are no longer in the queue.
  package var withdrawn: [Outbox.Entry<Model>] = []
}

/// What an outcome does to the entries of an instance and to its model, in one transaction.
///
/// The local store has the model of the last entry or, without entries, the model that the server
/// is known to have. If an entry changes or leaves, the entries behind it are applied on top of the
/// result, property by property.
extension OutboxTransaction {
  /// Deletes an entry that the server has executed, and saves the server's answer.
  ///
  /// The answer is nil if the server returned no model; the model that was sent then takes its
  /// place. State that was seen since the first attempt counts more than the answer to a repeated
  /// attempt. Later entries were made on the answer all the same.
  ///
  /// `rekey` changes what refers to the model, if the server assigned another id. The outcome is
  /// nil if the entry is gone, because another process or a discard was faster.
  package func acknowledge(
    _ entry: Outbox.Entry<Model>, answer: VersionedModel<Model>, isRepeated: Bool,
    references: OutboxNote<Model>.References? = nil,
    rekey: (_ former: Model, _ new: Model) throws -> Void = { _, _ in }
  ) throws -> EntryOutcome<Model>? {
    let key = try instance(of: entry.model)
    guard let (first, later) = try head(entry, asSent: !isRepeated) else { return nil }
    var outcome = EntryOutcome(model: entry.model, isLast: later.isEmpty)
    if entry.kind == .remove {
      try delete(first.position)
      try entries.forgetRenamings(to: reference(key.text))
      try settle(later, from: nil, onto: VersionedModel(nil), sample: entry.model)
      return outcome
    }
    var now = VersionedModel(answer.model ?? entry.model, version: answer.version)
    if let model = answer.model, try instance(of: model) != key {
      if entry.createsModel {
        return try rename(entry, first, later: later, as: now, references: references, rekey: rekey)
      }
      outcome.answeredAnother = true
      now = VersionedModel(entry.model)
    }
    outcome.isLate = isRepeated && first.isSeenSince && first.refreshed != nil
    let seen =
      outcome.isLate ? VersionedModel(first.seen, version: try version(of: entry.model)) : now
    if later.isEmpty { now = seen }
    try delete(first.position)
    if later.isEmpty {
      try setVersion(now.version, of: entry.model)
      // A model that the app removed by a write that bypassed the outbox stays removed.
      let held = try held(entry.model)
      if held != nil || hasUnreadable(entry.model) {
        try setRow(now.model, held: held, sample: entry.model)
      }
      outcome.model = now.model ?? entry.model
    } else {
      try settle(
        later, from: entry.model, onto: now, sample: entry.model, behind: first.references,
        references: references)
      if outcome.isLate { try keepSeen(seen, of: entry.model) }
    }
    return outcome
  }

  /// Records in the first entry of an instance what the server has now, which is not its base.
  private func keepSeen(_ seen: VersionedModel<Model>, of model: Model) throws {
    guard var first = try records(of: key(of: model)).first?.entry else { return }
    first.seen = seen.model
    try replace(first)
    try setVersion(seen.version, of: model)
  }

  /// Replaces an entry by what the server has.
  ///
  /// - Returns: Nil if the entry is gone.
  package func giveUp(
    _ entry: Outbox.Entry<Model>, for theirs: VersionedModel<Model>,
    references: OutboxNote<Model>.References?
  ) throws -> EntryOutcome<Model>? {
    guard let (first, later) = try head(entry) else { return nil }
    try delete(first.position)
    // What was added behind a removal was made on nothing.
    try settle(
      later, from: entry.modelAfter, onto: theirs, sample: entry.model,
      behind: first.allReferences, references: references)
    return EntryOutcome(model: theirs.model ?? entry.model, isLast: later.isEmpty)
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

  /// Changes an entry so that it is sent again on top of what the server has, also as another
  /// model.
  ///
  /// It gets a new id, because a server may give the same answer to the same key.
  ///
  /// - Returns: The entry as it is sent; nil if it is gone.
  package func rebase(
    _ entry: Outbox.Entry<Model>, on theirs: VersionedModel<Model>, as model: Model?,
    references: OutboxNote<Model>.References?
  ) throws -> Outbox.Entry<Model>? {
    guard let (first, later) = try head(entry) else { return nil }
    var found = first
    (found.base, found.refreshed, found.version) = (theirs.model, nil, theirs.version)
    found.isSeenSince = false
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
    let now = found.modelAfter
    try settle(
      later, from: first.model, onto: VersionedModel(now), sample: found.model, keepsBase: true,
      references: references)
    if later.isEmpty { try setRow(now, sample: found.model) }
    return found
  }

  /// Puts another model into an entry, which is then sent again.
  ///
  /// If an attempt may have arrived, the entry stays as it is, because the server might execute
  /// both. The model is then sent after it, as an update. A removal stays a removal.
  ///
  /// - Returns: Nil if the entry is gone.
  package func edit(
    _ entry: Outbox.Entry<Model>, as model: Model, note: OutboxNote<Model>
  ) throws -> Outbox.Entry<Model>? {
    let records = try records(of: key(of: entry.model))
    guard let index = records.firstIndex(where: { $0.id == entry.id }),
      case .entry(var found) = records[index]
    else { return nil }
    let (later, old) = (Array(records[(index + 1)...]), found.model)
    guard found.kind != .remove else {
      // A server may give the same answer to the same key.
      if found.isParked { found.renew(nil, keepsID: !found.wasAttempted) }
      found.state = .pending
      try replace(found)
      return found
    }
    if found.mayHaveArrived {
      if later.isEmpty {
        found = Outbox.Entry(
          id: EntryID.make(), kind: .update, model: model, base: nil, queuedAt: note.queuedAt,
          formerReferences: found.allReferences)
        found.renew(note.references)
        try append(found)
      }
    } else {
      found.model = model
      found.attempts = 0
      found.renew(note.references, keepsID: !found.wasAttempted)
      try replace(found)
    }
    try settle(
      later, from: old, onto: VersionedModel(model), sample: model, keepsBase: true,
      references: note.references)
    if later.isEmpty { try setRow(model, sample: model) }
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
    let instance = Outbox.Reference(queue: queueName, key: try key(of: model))
    let rows = try entries.rows(of: instance, from: entry.position)
    guard let row = rows.first, row.position == entry.position else {
      throw EvocationError.differentModel(model: "\(Model.self)")
    }
    var replaced = Outbox.Entry(
      id: EntryID.make(), kind: entry.kind, model: model, base: nil,
      version: try version(of: model), queuedAt: entry.queuedAt, position: entry.position,
      unit: row.unit)
    replaced.renew(note.references, keepsID: true)
    try replace(replaced)
    if rows.count == 1 { try setRow(entry.kind == .remove ? nil : model, sample: model) }
    return replaced
  }

  /// Changes the state of an entry, if it still exists.
  ///
  /// A unit is parked, and sent again, as a whole.
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
    try setState(of: found)
    if let unit = found.unit, found.isParked || found.state == .pending {
      try entries.setState(found.state, ofUnit: unit)
    }
    return found
  }
}

extension OutboxTransaction {
  /// Returns the reference to an instance of this model type.
  func reference(_ key: String) -> Outbox.Reference {
    Outbox.Reference(queue: queueName, key: key)
  }

  /// Returns an entry as it is now, with the entries behind it; nil if it is not the first.
  ///
  /// If only the model that was sent counts, and the entry is the only one, it is not decoded again
  /// ("send, outbox").
  private func head(
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

  /// Applies later entries on top of what became of the model before them, and saves the result.
  ///
  /// The next entry gets that model as its base. `former` is the model that the entries were made
  /// on, and `now` what became of it, nil for nothing. With `keepsBase`, the entry before them is
  /// still in the queue. Otherwise, `behind` are the instances that it refers to. `references` finds
  /// those of a model.
  func settle(
    _ later: [OutboxRecord<Model>], from former: Model?, onto now: VersionedModel<Model>,
    sample: Model, keepsBase: Bool = false, behind: [Outbox.Reference] = [],
    references: OutboxNote<Model>.References? = nil
  ) throws {
    if !keepsBase { try setVersion(now.version, of: now.model ?? sample) }
    if later.isEmpty {
      if !keepsBase { try setRow(now.model, sample: sample) }
      return
    }
    var (former, present, last) = (former, now.model, nil as Outbox.Entry<Model>?)
    for (index, record) in later.enumerated() {
      // An entry that cannot be read stays as it is, and hides the state of the model from those
      // behind it.
      guard case .entry(var entry) = record else {
        (former, present, last) = (nil, nil, nil)
        continue
      }
      let before = entry.model
      if let former, let present {
        entry.model = Rebasing.rebased(before, from: former, onto: present)
      }
      if let references { entry.references = references(entry.model) }
      if index == 0, !keepsBase {
        (entry.base, entry.version, entry.isSeenSince) = (now.model, now.version, false)
        // Records that the server has no model, as opposed to nothing being known.
        entry.refreshed = now.model == nil ? .some(nil) : nil
        let known = behind + (now.model.flatMap { references?($0) } ?? [])
        entry.formerReferences = known.filter { !entry.references.contains($0) }
      }
      if index == 0 && !keepsBase || !Rebasing.areSame(entry.model, before) { try replace(entry) }
      (former, present, last) = (before, entry.modelAfter, entry)
    }
    if let last { try setRow(last.modelAfter, sample: sample) }
  }

  /// Saves a model, or removes it, under the id of the sample.
  func setRow(_ model: Model?, sample: Model) throws {
    try setRow(model, held: held(sample), sample: sample)
  }

  /// Saves a model, or removes it, in place of the one that the local store has.
  private func setRow(_ model: Model?, held: Model?, sample: Model) throws {
    switch (held, model) {
    case (let held?, let model?):
      if !Rebasing.areSame(held, model) { try put(model, before: held) }
    case (nil, let model?): try put(model, before: nil)
    case (let held?, nil): try remove(held)
    case (nil, nil): if hasUnreadable(sample) { try remove(sample) }
    }
  }
}

extension Outbox.Entry {
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
    (state, wasAttempted, waitsSince) = (.pending, false, nil)
    guard let references else { return }
    let present = self.references
    self.references = references(model)
    // Behind another entry it has no base yet. It then no longer refers to what that entry refers
    // to, and to what it may have referred to itself.
    let former = base.map(references) ?? (kind == .store ? [] : formerReferences + present)
    formerReferences = former.filter { !self.references.contains($0) }
  }
}
