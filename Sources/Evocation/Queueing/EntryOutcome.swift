import Foundation

/// What became of an instance after its first entry left the queue, or was changed.
package struct EntryOutcome<Model: Sendable>: Sendable {
  /// The instance's next entry.
  package var next: OutboxRecord<Model>?

  /// What local holds of the instance now, or last held; its id is the one under which it is known.
  package var model: Model

  /// The model under its former id, where the service gave it another one.
  package var formerly: Model?

  /// The key of the instance, where the service gave it another id.
  package var key: String?

  /// Whether the service answered a model of another id than it was sent, which is not kept.
  package var answeredAnother = false
}

/// What an outcome does to the entries of an instance and to its model, in one transaction.
extension OutboxTransaction {
  /// Deletes an entry that the remote has carried out, and keeps what it answered.
  ///
  /// The answer is nil where the remote said nothing, which stands for what was sent. The outcome is
  /// nil where the entry is gone, because another process or a discard was faster.
  package func acknowledge(
    _ entry: Outbox.Entry<Model>, answer: Model?
  ) throws -> EntryOutcome<Model>? {
    let key = try instance(of: entry.model)
    let records = try records(of: key.text)
    guard let first = records.first, first.id == entry.id else { return nil }
    try delete(first.position)
    let later = Array(records.dropFirst())
    guard entry.kind != .remove else {
      try setBase(nil, of: later.first)
      return EntryOutcome(next: later.first, model: entry.model)
    }
    var outcome = EntryOutcome(next: later.first, model: entry.model)
    var theirs = answer
    if let answer, try instance(of: answer) != key {
      if entry.createsModel { return try rename(entry, as: answer, later) }
      outcome.answeredAnother = true
      theirs = nil
    }
    try setBase(theirs ?? entry.model, of: later.first)
    if later.isEmpty, let theirs, let held = try held(theirs) {
      try put(theirs, before: held)
      outcome.model = theirs
    }
    return outcome
  }

  /// Gives the row and the later entries of an instance the id that the service gave it.
  ///
  /// A read may have brought the model under its new id before, and the app may have written it.
  private func rename(
    _ entry: Outbox.Entry<Model>, as answer: Model, _ later: [OutboxRecord<Model>]
  ) throws -> EntryOutcome<Model> {
    let held = try held(entry.model)
    if let held { try remove(held) }
    let key = try key(of: answer)
    let known = try self.records(of: key)
    for record in later {
      guard case .entry(var entry) = record else { continue }
      entry.model = try PayloadCoding.model(entry.model, withIDOf: answer)
      try replace(entry)
    }
    try sendLastWhatIsKept(of: key, later, known)
    let records = try records(of: key)
    try setBase(answer, of: records.first)
    let present = try self.held(answer)
    switch records.last {
    case .entry(let last)? where last.kind == .remove:
      if let present { try remove(present) }
    case .entry(let last)?: try put(last.model, before: present)
    case .unreadable?, nil:
      // What was read under the new id is no older than an answer that may be a repeated one.
      guard let held, present == nil || !later.isEmpty else { break }
      let model = later.isEmpty ? answer : try PayloadCoding.model(held, withIDOf: answer)
      try put(model, before: present)
    }
    return EntryOutcome(
      next: try self.records(of: key).first, model: answer, formerly: entry.model, key: key)
  }

  /// Has what was written under one id sent after a removal under the other.
  ///
  /// To the user these were two models, of which one was removed and one was kept; a removal that
  /// comes last only because of its place in the queue would take the kept one away too.
  private func sendLastWhatIsKept(
    of key: String, _ one: [OutboxRecord<Model>], _ other: [OutboxRecord<Model>]
  ) throws {
    guard let first = one.last?.entry, let second = other.last?.entry,
      (first.kind == .remove) != (second.kind == .remove)
    else { return }
    let kept = first.kind == .remove ? other : one
    // What may have arrived keeps its place.
    guard kept.allSatisfy({ $0.entry?.wasAttempted == false }) else { return }
    for record in try records(of: key) where kept.contains(where: { $0.id == record.id }) {
      guard let entry = record.entry else { continue }
      try delete(entry.position)
      try append(entry)
    }
  }

  private func setBase(_ base: Model?, of record: OutboxRecord<Model>?) throws {
    guard case .entry(var entry)? = record else { return }
    entry.base = base
    try replace(entry)
  }

  /// Changes the state of an entry, as long as it is there.
  ///
  /// - Returns: The entry as it is then; nil where it is gone.
  @discardableResult
  package func changeState(
    of entry: Outbox.Entry<Model>, _ body: (inout Outbox.Entry<Model>) -> Void
  ) throws -> Outbox.Entry<Model>? {
    let records = try records(of: key(of: entry.model))
    guard case .entry(var found)? = records.first(where: { $0.id == entry.id }) else {
      return nil
    }
    body(&found)
    try setState(of: found)
    return found
  }

  /// Deletes an entry and those after it on its instance, and gives local back what was before.
  ///
  /// - Returns: The deleted ones; none where the entry is gone.
  package func discard(id: String, key: String) throws -> [OutboxRecord<Model>] {
    let records = try records(of: key)
    guard let index = records.firstIndex(where: { $0.id == id }) else { return [] }
    let discarded = Array(records[index...])
    for record in discarded { try delete(record.position) }
    guard let sample = discarded.lazy.compactMap(\.entry).first?.model else { return discarded }
    let before: Model?
    switch index == 0 ? nil : records[index - 1] {
    case nil: before = records[index].entry?.base
    case .entry(let earlier): before = earlier.kind == .remove ? nil : earlier.model
    // What came before cannot be read, so the row stays as it is.
    case .unreadable: return discarded
    }
    switch (try held(sample), before) {
    case (let held, let before?): try put(before, before: held)
    case (let held?, nil): try remove(held)
    case (nil, nil): break
    }
    return discarded
  }

  /// Gives an entry up for what the remote has.
  ///
  /// - Returns: Nil where the entry is gone.
  package func giveUp(
    _ entry: Outbox.Entry<Model>, for theirs: Model?
  ) throws -> EntryOutcome<Model>? {
    let records = try records(of: key(of: entry.model))
    guard let first = records.first, first.id == entry.id else { return nil }
    try delete(first.position)
    guard records.count == 1 else {
      try setBase(theirs, of: records[1])
      return EntryOutcome(next: records[1], model: entry.model)
    }
    switch (try held(entry.model), theirs) {
    case (let held, let theirs?): try put(theirs, before: held)
    case (let held?, nil): try remove(held)
    case (nil, nil): break
    }
    return EntryOutcome(next: nil, model: theirs ?? entry.model)
  }

  /// Has an entry sent again on top of what the remote has; with a model, as that.
  ///
  /// - Returns: The entry as it is sent; nil where it is gone.
  package func rebase(
    _ entry: Outbox.Entry<Model>, on theirs: Model?, as model: Model?,
    references: [Outbox.Reference]
  ) throws -> Outbox.Entry<Model>? {
    let key = try instance(of: entry.model)
    let records = try records(of: key.text)
    guard case .entry(var found)? = records.first, found.id == entry.id else { return nil }
    found.base = theirs
    // What is there is changed, and what is not is added.
    if found.kind != .remove, (found.kind == .store) != (theirs == nil) {
      found.kind = .storeOrUpdate
    }
    (found.wasAttempted, found.state) = (true, .pending)
    if let model {
      guard try instance(of: model) == key else {
        throw EvocationError.differentModel(model: "\(Model.self)")
      }
      found.id = EntryID.make()
      found.model = model
      found.references = references
      if records.count == 1, found.kind != .remove { try put(model, before: held(model)) }
    }
    try replace(found)
    return found
  }

  /// Puts another model into an entry, which is then sent anew.
  ///
  /// An entry whose attempt may have arrived stays as it is, or the service might carry out both; the
  /// model is then sent after it, as a change.
  ///
  /// - Returns: Nil where the entry is gone.
  package func edit(
    _ entry: Outbox.Entry<Model>, as model: Model, references: [Outbox.Reference]
  ) throws -> Outbox.Entry<Model>? {
    let records = try records(of: key(of: entry.model))
    guard let index = records.firstIndex(where: { $0.id == entry.id }),
      case .entry(var found) = records[index]
    else { return nil }
    if found.wasAttempted, !found.isParked {
      let change = Outbox.Entry(
        id: EntryID.make(), kind: found.kind == .remove ? .storeOrUpdate : .update, model: model,
        base: nil, queuedAt: found.queuedAt, references: references)
      try append(change)
      try put(model, before: held(model))
      return change
    }
    // A service may answer the same key as it did before, whatever is sent with it.
    if found.wasAttempted { found.id = EntryID.make() }
    found.model = model
    found.state = .pending
    (found.attempts, found.wasAttempted) = (0, false)
    found.references = references
    try replace(found)
    if index == records.count - 1, found.kind != .remove {
      try put(model, before: held(model))
    }
    return found
  }
}

extension Outbox.Entry {
  /// Whether the service may be the one that gives the model its id.
  var createsModel: Bool {
    switch kind {
    case .store: true
    case .storeOrUpdate: base == nil
    case .update, .remove: false
    }
  }
}
