import Foundation

// What the outbox reads and changes in the entries apart from sending them.
extension OutboxChannel {
  /// Returns what has become of a write's entry, which may have another id now.
  ///
  /// With `orNone`, an entry whose id is not known is another write.
  func deliveryState(of row: OutboxRow, as id: String, orNone: Bool) async throws -> DeliveryState {
    try await repository.look(isShort: true) { transaction in
      func isIt(_ record: OutboxRecord<Model>) -> Bool { record.id == row.id || record.id == id }
      var found = try transaction.record(at: row.position)
      // An entry that another process sends again has an unknown id at its position. A number that
      // is free may also be used again, for a write of the next user.
      if let other = found, !isIt(other) {
        let key = try other.entry.map { try transaction.instance(of: $0.model) }
        if orNone || key != ByteText(row.instance.key) { found = nil }
      }
      // A moved one has its id elsewhere.
      let record = try found ?? transaction.records(of: row.instance.key).first(where: isIt)
      return record.map { $0.failure.map(DeliveryState.parked) ?? .unsent } ?? .gone
    }
  }

  /// Restores the rows from the last entries, after a sign-out that kept the entries.
  func restoreRows(in transaction: any OutboxTransaction) throws {
    guard let mine = transaction.own(of: repository) else { return }
    var position = Int64.min
    while true {
      let records = try mine.records(after: position, limit: 1_000)
      guard let last = records.last else { return }
      for entry in records.compactMap(\.entry) {
        if entry.kind != .remove {
          try mine.put(entry.model, before: mine.held(entry.model))
        } else {
          try mine.removeRow(of: entry.model)
        }
      }
      position = last.position
    }
  }

  /// Discards the entry of a row and those behind it on its instance, and restores the local model.
  func discard(
    _ row: OutboxRow, in transaction: any OutboxTransaction
  ) throws -> [(id: String, subject: Outbox.Subject?)] {
    guard let mine = transaction.own(of: repository) else { return [] }
    return try mine.discard(id: row.id, key: row.instance.key).map { record in
      (record.id, record.entry.map { typed.subject($0) })
    }
  }

  func unreadable() async throws -> [Outbox.UnreadableEntry] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap {
        if case .unreadable(let entry) = $0 { entry } else { nil }
      }
    }
  }

  func discard(unreadable entry: Outbox.UnreadableEntry) async throws -> Bool {
    try await repository.transact(isShort: true) { [outbox] transaction in
      guard let record = try transaction.record(at: entry.position), record.id == entry.id else {
        return false
      }
      try transaction.delete(record.position)
      outbox?.deliveries.withLock { $0.recordDiscarded([entry.id]) }
      return true
    }
  }

  /// Sends an entry as the JSON says; returns its new id, or nil if it is gone.
  func resend(
    unreadable entry: Outbox.UnreadableEntry, as json: Data
  ) async throws -> String? {
    let note = typed.proxy.outboxLink.entryNote(at: typed.environment.date())
    guard let properties = JSONProperties(json),
      let model = try ModelJSON.model(Model.self, properties)
    else { throw EvocationError.differentModel(model: self.model) }
    return try await repository.transact(isShort: true) { [outbox] transaction in
      let model = try transaction.following(model, note.following)
      let replaced = try transaction.replaceUnreadable(entry, as: model, note: note)
      if let replaced {
        outbox?.deliveries.withLock { $0.recordRenewed(entry.id, as: replaced.id) }
      }
      return replaced?.id
    }
  }

  /// Discards all entries, some at a time.
  func discardAll() async throws {
    while true {
      let discarded = try await repository.transact(isShort: false) { [outbox] transaction in
        var discarded: [OutboxRecord<Model>] = []
        for record in try transaction.records(after: .min, limit: 200) {
          if let entry = record.entry {
            discarded += try transaction.discard(
              id: entry.id, key: transaction.key(of: entry.model))
          } else {
            try transaction.delete(record.position)
            discarded.append(record)
          }
        }
        outbox?.deliveries.withLock { $0.recordDiscarded(discarded.map(\.id)) }
        return discarded
      }
      if discarded.isEmpty { return }
      for entry in discarded.compactMap(\.entry) { outbox?.tell(.discarded(typed.subject(entry))) }
    }
  }

  /// Returns the models and ids of the queue's entries.
  func subjects() async throws -> [Outbox.Subject] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap(\.entry).map { self.typed.subject($0) }
    }
  }
}

/// What has become of an entry.
enum DeliveryState: Sendable {
  case gone, unsent
  case parked(Outbox.Failure)
}

extension OutboxRecord {
  /// Why the entry is parked, or cannot be decoded; nil for any other.
  var failure: Outbox.Failure? {
    switch self {
    case .entry(let entry): entry.failure
    case .unreadable(let entry): Outbox.Failure(reason: entry.reason)
    }
  }
}

extension OutboxTransaction {
  /// Removes the row of a model, which the next user must not see.
  ///
  /// Its entries stay.
  func removeRow(of model: Model) throws {
    if let held = try held(model) { try remove(held) }
  }
}
