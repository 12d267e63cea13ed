internal import Evocation
internal import Foundation

// Functions that change entries.
extension EntryStore {
  /// Runs a statement that changes entries, after `bind` has bound its values; returns whether it
  /// did.
  @discardableResult
  func write(_ sql: String, _ bind: (Statement) throws -> Void) throws -> Bool {
    try prepare()
    let statement = try connection.statement(sql, EntryTables.writing)
    defer { statement.reset() }
    try bind(statement)
    _ = try connection.step(statement, EntryTables.writing)
    guard connection.changes > 0 else { return false }
    hasChanged = true
    return true
  }

  func change(_ sql: String, _ values: [SQLValue] = []) throws {
    try write(sql) { try connection.check($0.bind(values), "Binding a value") }
  }

  /// Returns the number of a queue, which gets a new one if it has none.
  func number(of queue: String) throws -> Int64 {
    try prepare()
    if let known = try knownNumber(of: queue) { return known }
    try connection.run(
      "INSERT INTO evocation_queues (name) VALUES (?)", [.text(queue)], action: EntryTables.writing)
    index.queues[ByteText(queue)] = connection.lastRow
    return connection.lastRow
  }

  /// Returns the number of a queue; nil if it never had an entry.
  func knownNumber(of queue: String) throws -> Int64? {
    try read()
    let name = ByteText(queue)
    if let known = index.queues[name] { return known }
    let find = "SELECT number FROM evocation_queues WHERE name = ?"
    index.queues[name] = try connection.integer(find, [.text(queue)])
    return index.queues[name]
  }

  var nextPosition: Int64 {
    get throws {
      try prepare()
      return index.last + 1
    }
  }

  /// Records an entry that was added.
  func recordAppended(_ position: Int64, _ instance: Outbox.Reference) throws {
    index.append(position, instance)
    if index.count >= EntryIndex.batch { try addToIndex() }
  }

  /// Records an entry that was replaced.
  func recordReplaced(
    _ position: Int64, _ old: Outbox.Reference, by instance: Outbox.Reference
  ) throws {
    recordState(position, isPending: true)
    guard old != instance else { return }
    index.forgetFree(of: instance)
    if !index.move(position, from: old, to: instance) {
      try change(
        "UPDATE evocation_entries SET lookup = ? WHERE position = ? AND lookup IS NOT NULL",
        [.integer(instance.lookup(number(of: instance.queue))), .integer(position)])
    }
  }

  /// Records that an entry's state was set.
  ///
  /// A later search finds it if it can be sent now.
  func recordState(_ position: Int64, isPending: Bool) {
    index.forgetFree(at: position)
    if isPending { index.search(from: position) }
  }

  func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) throws {
    for row in try rows(ofUnit: unit, limit: .max) {
      try change(EntryRow.setUnitState, EntryRow.values(of: state) + [.integer(row.position)])
      recordState(row.position, isPending: state == .pending)
    }
  }

  /// Deletes the entry at a position.
  func delete(_ position: Int64) throws {
    // `DELETE … RETURNING` would create a table for the row, which costs more than both ("send,
    // outbox").
    let sql = """
      SELECT (SELECT name FROM evocation_queues WHERE number = queue), key, flags, lookup, state \
      FROM evocation_entries WHERE position = ?
      """
    let deleted = try connection.first(sql, [.integer(position)], action: EntryTables.writing) {
      statement in
      (
        instance: instance(statement, at: 0) ?? .unnamed(position), flags: statement.integer(at: 2),
        isIndexed: statement.value(at: 3) != .null, isUtility: statement.value(at: 4) == .integer(0)
      )
    }
    guard let deleted else { return }
    try change("DELETE FROM evocation_entries WHERE position = ?", [.integer(position)])
    index.forgetFree(at: position)
    index.search(from: position, ofUtilityOnly: deleted.isUtility)
    if deleted.isIndexed {
      try change("UPDATE evocation_outbox SET indexed = max(0, indexed - 1) WHERE id = 1")
    } else {
      index.remove(position, deleted.instance)
    }
    if deleted.flags & EntryTables.Flags.hasReferences != 0 { try deleteReferences(of: position) }
  }

  /// Adds the latest entries to the file's index.
  func addToIndex() throws {
    let count = index.count
    for (instance, positions) in index.tail {
      // An entry that identifies no instance is found by none, and has no queue.
      let lookup = instance.lookup(instance.queue.isEmpty ? 0 : try number(of: instance.queue))
      for position in positions {
        try change(
          "UPDATE evocation_entries SET lookup = ? WHERE position = ?",
          [.integer(lookup), .integer(position)])
      }
    }
    try change(
      "UPDATE evocation_outbox SET indexed = indexed + ? WHERE id = 1", [.integer(Int64(count))])
    index.clear()
    index.isIndexUsed = true
  }

  /// Records what the model of an entry refers to, and what only its base refers to.
  func insertReferences<Model>(of entry: Outbox.Entry<Model>) throws {
    let former = entry.formerReferences.map { ($0, isFormer: true) }
    for (reference, isFormer) in entry.references.map({ ($0, isFormer: false) }) + former {
      try change(
        """
        INSERT OR IGNORE INTO evocation_references (queue, key, position, isFormer) VALUES (?, ?, ?, ?)
        """,
        reference.values + [.integer(entry.position), .integer(isFormer ? 1 : 0)])
    }
  }

  func deleteReferences(of position: Int64) throws {
    try change("DELETE FROM evocation_references WHERE position = ?", [.integer(position)])
  }
}
