internal import Evocation
internal import Foundation

// Repairs unexpected content of a file. Such content must not stop the sending, or prevent entries
// from being found, read and counted.
extension EntryStore {
  /// SQLite uses the index of states only if a condition excludes null.
  static let countParked = """
    SELECT (SELECT count(*) FROM evocation_entries WHERE state > 1) + (SELECT count(*) FROM \
    evocation_entries WHERE state < 0) + (SELECT count(*) FROM evocation_entries WHERE state > 0 AND \
    state < 1)
    """

  /// Whether an entry is parked or unreadable, or has a state that is none.
  static let isParked = "(state > 1 OR state < 0 OR state > 0 AND state < 1)"

  /// Every unreadable entry is tried again, also one with an unknown state.
  static let revive = """
    UPDATE evocation_entries SET state = \(EntryRow.pending), reason = NULL WHERE state > 1 AND state <> \
    2 OR state < 0 OR state > 0 AND state < 1
    """

  /// Returns whether an entry is found by its instance, in the file's index or among the latest
  /// entries.
  func isFound(
    _ position: Int64, _ instance: Outbox.Reference, lookup: SQLValue, queue: Int64
  ) -> Bool {
    if lookup == .null { return index.tail(of: instance).contains(position) }
    return lookup == .integer(instance.lookup(queue))
  }

  /// Makes each entry findable by its instance, after one was not: makes the file's index again.
  func putIndexRight() throws {
    try change("UPDATE evocation_entries SET lookup = NULL WHERE lookup IS NOT NULL")
    try change("UPDATE evocation_outbox SET indexed = 0 WHERE id = 1")
    index.clear()
    try readLatest()
  }

  /// Counts the entries in the file's index again, after the app's SQL may have deleted some.
  func countIndexedAgain() throws {
    if try indexedCount() != storedCount() {
      try change("UPDATE evocation_outbox SET indexed = (\(Self.countOfIndex)) WHERE id = 1")
    }
    index.isCounted = true
  }

  /// Returns the recorded number of entries in the file's index.
  func indexedCount() throws -> Int64 {
    let count = try connection.integer("SELECT indexed FROM evocation_outbox WHERE id = 1")
    if let count, count >= 0 { return count }
    return try storedCount()
  }

  /// Returns the number of entries in the file's index by counting them.
  private func storedCount() throws -> Int64 {
    try connection.integer(Self.countOfIndex) ?? 0
  }

  private static let countOfIndex =
    "SELECT count(*) FROM evocation_entries WHERE lookup IS NOT NULL"

  /// Changes the row that concerns all entries.
  ///
  /// If the app's SQL has deleted the row, it is created again. Otherwise several processes would
  /// send.
  func changeOutbox(_ columns: String, _ values: [SQLValue]) throws {
    try change(
      """
      INSERT INTO evocation_outbox (id, version, isHeld, indexed) SELECT 1, \(Connection.outboxFormat), 0, \
      (\(Self.countOfIndex)) WHERE NOT EXISTS (SELECT 1 FROM evocation_outbox WHERE id = 1)
      """)
    try change("UPDATE evocation_outbox SET \(columns) WHERE id = 1", values)
  }
}

extension Outbox.Reference {
  /// Returns a stand-in for the instance of an entry that identifies none.
  ///
  /// No model has it.
  static func unnamed(_ position: Int64) -> Self { Self(queue: "", key: "\(position)") }
}
