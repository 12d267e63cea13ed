internal import Evocation
internal import Foundation

// Functions for all entries of the file.
extension EntryStore {
  func take(_ position: Int64) throws {
    try change(
      """
      UPDATE evocation_entries SET state = NULL, until = NULL, since = NULL, reason = NULL, flags = \
      ifnull(flags, 0) | \(EntryTables.Flags.wasAttempted) WHERE position = ?
      """, [.integer(position)])
    noteState(position, isPending: false)
  }

  func endWaits() throws {
    try change(
      """
      UPDATE evocation_entries SET state = NULL, until = NULL, since = NULL, reason = NULL WHERE state = 1
      """, [])
    if connection.changes > 0 { index.searched = .min }
  }

  func reviveUnreadable() throws {
    try putParkedRight()
    try change(Self.revive)
    if connection.changes > 0 { index.searched = .min }
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

  func count() throws -> OutboxCount {
    try read()
    if connection.isWriting, !index.isCounted { try countIndexedAgain() }
    _ = try tail(of: Outbox.Reference(queue: "", key: ""))
    let all = Int64(index.positions.count).addingClamped(try indexedCount())
    var parked: Int64 = 0
    if case .integer(let count)? = try connection.first(Self.countParked) { parked = count }
    var oldest: Date?
    try connection.rows(
      "SELECT queuedAt FROM evocation_entries ORDER BY position LIMIT 1", [], EntryTables.reading
    ) { statement in
      oldest = StoredDate.read(statement, at: 0) ?? .distantPast
      return false
    }
    guard oldest != nil else { return OutboxCount() }
    return OutboxCount(
      pending: Int(max(0, all - parked)), parked: Int(parked), oldest: oldest)
  }

  var lease: OutboxLease? {
    get throws {
      var lease: OutboxLease?
      try connection.rows(
        "SELECT holder, until, length FROM evocation_outbox WHERE id = 1", [], EntryTables.reading
      ) { statement in
        if case .text(let holder) = statement.value(at: 0),
          let until = StoredDate.read(statement, at: 1),
          case .real(let length) = statement.value(at: 2),
          let length = Duration(nearest: length)
        {
          lease = OutboxLease(holder: holder, until: until, length: length)
        }
        return false
      }
      return lease
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
    var renaming: OutboxRenaming?
    try connection.rows(
      "SELECT key, identity FROM evocation_renamings WHERE queue = ? AND former = ?",
      [.text(instance.queue), .text(instance.key)], EntryTables.reading
    ) { statement in
      if case .text(let key) = statement.value(at: 0), let identity = statement.data(at: 1)?.bytes {
        renaming = OutboxRenaming(key: key, identity: identity)
      }
      return false
    }
    return renaming
  }

  func note(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws {
    try change(
      "INSERT OR REPLACE INTO evocation_renamings (queue, former, key, identity) VALUES (?, ?, ?, ?)",
      [
        .text(instance.queue), .text(instance.key), .text(renaming.key),
        .text(String(decoding: renaming.identity, as: UTF8.self)),
      ])
  }

  func forgetRenamings(to instance: Outbox.Reference) throws {
    try change(
      "DELETE FROM evocation_renamings WHERE queue = ? AND key = ?",
      [.text(instance.queue), .text(instance.key)])
  }

  func patience(with service: String) throws -> ClosedRange<Date>? {
    var patience: ClosedRange<Date>?
    try connection.rows(
      "SELECT since, until FROM evocation_services WHERE name = ?", [.text(service)],
      EntryTables.reading
    ) { statement in
      if let since = StoredDate.read(statement, at: 0),
        let until = StoredDate.read(statement, at: 1), since <= until
      {
        patience = since...until
      }
      return false
    }
    return patience
  }

  func note(_ patience: ClosedRange<Date>, with service: String) throws {
    try change(
      "INSERT OR REPLACE INTO evocation_services (name, since, until) VALUES (?, ?, ?)",
      [
        .text(service), .real(StoredDate.seconds(patience.lowerBound)),
        .real(StoredDate.seconds(patience.upperBound)),
      ])
  }

  /// Returns the service's version of a model; nil if unknown.
  func version(of instance: Outbox.Reference) throws -> String? {
    guard
      case .text(let version)? = try connection.first(
        "SELECT version FROM evocation_versions WHERE queue = ? AND key = ?",
        [.text(instance.queue), .text(instance.key)])
    else { return nil }
    return version
  }

  func setVersion(_ version: String?, of instance: Outbox.Reference) throws {
    guard let version else {
      return try connection.run(
        "DELETE FROM evocation_versions WHERE queue = ? AND key = ?",
        [.text(instance.queue), .text(instance.key)], EntryTables.writing)
    }
    try prepare()
    try connection.run(
      "INSERT OR REPLACE INTO evocation_versions (queue, key, version) VALUES (?, ?, ?)",
      [.text(instance.queue), .text(instance.key), .text(version)], EntryTables.writing)
  }

  /// Returns whether versions of a queue's models are known.
  func knowsVersions(of queue: String) throws -> Bool {
    try connection.first(
      "SELECT 1 FROM evocation_versions WHERE queue = ? LIMIT 1", [.text(queue)]) != nil
  }
}
