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

  /// The removal of another model that had the id before, and the entries before it.
  ///
  /// The server has no such model any more, and they are no longer in the queue.
  package var fulfilled: [Outbox.Entry<Model>] = []
}

// The first entry of an instance leaves the queue, and later ones are made on what the server has.
extension OutboxTransaction {
  /// Deletes an entry that the server has executed, and saves the server's answer.
  ///
  /// 1. A removal: later entries are made on nothing.
  /// 2. The server assigned another id to a new model: the row and the later entries get that id.
  /// 3. The server returned no model, or another one: the model that was sent takes its place.
  /// 4. Other state was seen since the first of several attempts: the row gets that, because the
  ///    answer may repeat an earlier one. Later entries were made on the answer all the same.
  ///
  /// `rekey` changes what refers to the model, if the server assigned another id. The outcome is
  /// nil if the entry is gone, because another process or a discard was faster.
  package func acknowledge(
    _ entry: Outbox.Entry<Model>, answer: VersionedModel<Model>, isRepeated: Bool,
    references: OutboxNote<Model>.References? = nil,
    rekey: (_ former: Model, _ new: Model) throws -> Void = { _, _ in }
  ) throws -> EntryOutcome<Model>? {
    guard let (first, later) = try head(entry, asSent: !isRepeated) else { return nil }
    try delete(first.position)
    let key = try key(of: entry.model)
    var outcome = EntryOutcome(model: entry.model, isLast: later.isEmpty)
    if entry.kind == .remove {
      try entries.forgetRenamings(to: reference(key))
      try rebase(later, from: nil, onto: .server(VersionedModel(nil)), sample: entry.model)
      return outcome
    }
    var now = VersionedModel(answer.model ?? entry.model, version: answer.version)
    if let model = answer.model, try instance(of: model) != ByteText(key) {
      if entry.createsModel {
        return try rename(
          entry, later: later, behind: first.references, as: now, references: references,
          rekey: rekey)
      }
      outcome.answeredAnother = true
      now = VersionedModel(entry.model)
    }
    outcome.isLate = isRepeated && first.isSeenSince && first.refreshed != nil
    let seen =
      outcome.isLate ? VersionedModel(first.seen, version: try version(of: entry.model)) : now
    guard later.isEmpty else {
      try rebase(
        later, from: entry.model, onto: .server(now, behind: first.references),
        sample: entry.model, references: references)
      if outcome.isLate { try keepSeen(seen, of: entry.model) }
      return outcome
    }
    try saveRow(seen, of: entry.model)
    outcome.model = seen.model ?? entry.model
    return outcome
  }

  /// Saves what the server has, unless the app removed the row by a write that bypassed the outbox.
  private func saveRow(_ now: VersionedModel<Model>, of model: Model) throws {
    try setVersion(now.version, of: model)
    let held = try held(model)
    if held != nil || hasUnreadable(model) { try setRow(now.model, held: held, sample: model) }
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
    try rebase(
      later, from: entry.modelAfter, onto: .server(theirs, behind: first.allReferences),
      sample: entry.model, references: references)
    return EntryOutcome(model: theirs.model ?? entry.model, isLast: later.isEmpty)
  }
}
