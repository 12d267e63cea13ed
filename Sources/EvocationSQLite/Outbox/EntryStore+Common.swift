internal import Evocation
internal import Foundation

// Functions for all entries of the file.
extension EntryStore {
  func take(_ position: Int64) throws {
    try change(
      """
      UPDATE evocation_entries SET state = \(EntryRow.pending), until = NULL, since = NULL, reason = NULL, \
      words = NULL, flags = ifnull(flags, 0) | \(EntryTables.Flags.wasAttempted) WHERE position = ?
      """, [.integer(position)])
    recordState(position, isPending: false)
  }

  func promote(_ position: Int64) throws -> Bool {
    let flag = EntryTables.Flags.isUtility
    let isPromoted = try write(
      """
      UPDATE evocation_entries SET state = nullif(state, 0), flags = flags & \(~flag) WHERE position = ? \
      AND (flags & \(flag) OR state = 0)
      """
    ) { $0.bind(position, at: 1) }
    if isPromoted { recordState(position, isPending: true) }
    return isPromoted
  }

  func endWaits() throws {
    try change(
      """
      UPDATE evocation_entries SET state = \(EntryRow.pending), until = NULL, since = NULL, reason = NULL, \
      words = NULL WHERE state = 1
      """, [])
    if connection.changes > 0 { index.search(from: .min) }
  }

  func reviveUnreadable() throws {
    // Reading them repairs them, once per process, because they are not read otherwise. An order by
    // position would read all entries ("start with 1,000,000 pending").
    _ = try rows("state > 1")
    try change(Self.revive)
    if connection.changes > 0 { index.search(from: .min) }
    // Among these, an entry of low urgency is searched for by its position.
    try change("UPDATE evocation_entries SET until = NULL WHERE state = 0 AND until IS NOT NULL")
  }

  var searched: Int64 {
    get {
      // The next call reports what cannot be read now.
      try? read()
      return index.searched
    }
    set {
      try? read()
      index.searched = newValue
    }
  }

  var searchedUtility: Int64 {
    get {
      try? read()
      return index.searchedUtility
    }
    set {
      try? read()
      index.searchedUtility = newValue
    }
  }

  func count() throws -> OutboxCount {
    try read()
    if connection.isWriting, !index.isCounted { try countIndexedAgain() }
    try knowTail()
    let all = Int64(index.count).addingClamped(try indexedCount())
    let parked = try connection.integer(Self.countParked) ?? 0
    let oldest = try connection.first(
      "SELECT queuedAt FROM evocation_entries ORDER BY position LIMIT 1", [],
      action: EntryTables.reading
    ) { StoredDate.read($0, at: 0) ?? .distantPast }
    guard oldest != nil else { return OutboxCount() }
    return OutboxCount(
      pending: Int(max(0, all - parked)), parked: Int(parked), oldest: oldest)
  }

  var lease: OutboxLease? {
    get throws {
      try connection.first(
        "SELECT holder, until, length FROM evocation_outbox WHERE id = 1", [],
        action: EntryTables.reading
      ) { statement in
        guard let holder = statement.text(at: 0), let until = StoredDate.read(statement, at: 1),
          case .real(let length) = statement.value(at: 2),
          let length = Duration(nearest: length)
        else { return nil }
        return OutboxLease(holder: holder, until: until, length: length)
      }
    }
  }

  func setLease(_ lease: OutboxLease?) throws {
    try changeOutbox(
      "holder = ?, until = ?, length = ?",
      [
        lease.map { .text($0.holder) } ?? .null,
        lease.map { .real(StoredDate.seconds($0.until)) } ?? .null,
        lease.map { .real($0.length.seconds) } ?? .null,
      ])
  }

  var isHeld: Bool {
    get throws {
      try connection.first("SELECT isHeld FROM evocation_outbox WHERE id = 1") == .integer(1)
    }
  }

  func setHeld(_ isHeld: Bool) throws {
    try changeOutbox("isHeld = ?", [.integer(isHeld ? 1 : 0)])
  }

  func renaming(of instance: Outbox.Reference) throws -> OutboxRenaming? {
    try connection.first(
      "SELECT key, identity FROM evocation_renamings WHERE queue = ? AND former = ?",
      instance.values, action: EntryTables.reading
    ) { statement in
      guard let key = statement.text(at: 0), let identity = statement.data(at: 1)?.bytes else {
        return nil
      }
      return OutboxRenaming(key: key, identity: identity)
    }
  }

  func record(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws {
    try change(
      "INSERT OR REPLACE INTO evocation_renamings (queue, former, key, identity) VALUES (?, ?, ?, ?)",
      instance.values + [
        .text(renaming.key), .text(String(decoding: renaming.identity, as: UTF8.self)),
      ])
  }

  func forgetRenamings(to instance: Outbox.Reference) throws {
    try change(
      "DELETE FROM evocation_renamings WHERE queue = ? AND key = ?",
      instance.values)
  }

  func patience(with service: String) throws -> ClosedRange<Date>? {
    try connection.first(
      "SELECT since, until FROM evocation_services WHERE name = ?", [.text(service)],
      action: EntryTables.reading
    ) { statement in
      guard let since = StoredDate.read(statement, at: 0),
        let until = StoredDate.read(statement, at: 1), since <= until
      else { return nil }
      return since...until
    }
  }

  func record(_ patience: ClosedRange<Date>, with service: String) throws {
    try change(
      "INSERT OR REPLACE INTO evocation_services (name, since, until) VALUES (?, ?, ?)",
      [
        .text(service), .real(StoredDate.seconds(patience.lowerBound)),
        .real(StoredDate.seconds(patience.upperBound)),
      ])
  }

  /// Returns what the service said about a model besides its values; nil if unknown.
  func note(of instance: Outbox.Reference) throws -> AnswerNote? {
    try connection.first(
      "SELECT version FROM evocation_versions WHERE queue = ? AND key = ?",
      instance.values, action: EntryTables.reading
    ) { $0.note(at: 0) }
  }

  func setNote(_ note: AnswerNote?, of instance: Outbox.Reference) throws {
    guard let note else {
      return try connection.run(
        "DELETE FROM evocation_versions WHERE queue = ? AND key = ?",
        instance.values, action: EntryTables.writing)
    }
    try prepare()
    try connection.run(
      "INSERT OR REPLACE INTO evocation_versions (queue, key, version) VALUES (?, ?, ?)",
      instance.values + [note.stored], action: EntryTables.writing)
  }

  /// Returns whether there are notes of a queue's models.
  func hasNotes(of queue: String) throws -> Bool {
    try connection.first(
      "SELECT 1 FROM evocation_versions WHERE queue = ? LIMIT 1", [.text(queue)]) != nil
  }
}
