internal import Evocation
internal import Foundation

/// The tables of the outbox in a file, which all of its repositories share.
enum EntryTables {
  static let reading = "Reading the outbox"
  static let writing = "Writing the outbox"

  /// The bits of the column `flags`.
  enum Flags {
    static let wasAttempted: Int64 = 1
    static let hasReferences: Int64 = 2
    /// The column `seen` has the remote's present version, which differs from `base`.
    static let hasSeen: Int64 = 4
    static let isSeenSince: Int64 = 8
  }

  /// The tables that have the name of a queue in a column.
  private static let named = [
    "evocation_references", "evocation_renamings", "evocation_versions",
  ]

  /// Moves the entries of a renamed table to the new name.
  ///
  /// - Throws: ``SQLiteError`` if a table of the new name has entries.
  static func rename(_ queue: String, to new: String, _ connection: Connection) throws {
    guard queue != new, try connection.hasOwnTables() else { return }
    let number = "SELECT number FROM evocation_queues WHERE name = ?"
    if case .integer(let taken)? = try connection.first(number, [.text(new)]) {
      guard
        try connection.first("SELECT 1 FROM evocation_entries WHERE queue = ?", [.integer(taken)])
          == nil
      else {
        throw SQLiteError(
          .schemaMismatch,
          "Renaming the table \(queue.quoted) to \(new.quoted) failed: the outbox already has "
            + "unsent writes of a table with the new name; use another name, or send them first.")
      }
      try connection.run(
        "DELETE FROM evocation_queues WHERE number = ?", [.integer(taken)], writing)
      // They belong to models of another table.
      for table in ["evocation_renamings", "evocation_versions"] {
        try connection.run("DELETE FROM \(table) WHERE queue = ?", [.text(new)], writing)
      }
    }
    try connection.run(
      "UPDATE evocation_queues SET name = ? WHERE name = ?", [.text(new), .text(queue)], writing)
    for table in named {
      try connection.run(
        "UPDATE OR REPLACE \(table) SET queue = ? WHERE queue = ?", [.text(new), .text(queue)],
        writing)
    }
  }

  /// Returns the number of entries of some queues.
  static func count(_ queues: [String], _ connection: Connection) throws -> Int {
    guard try connection.hasOwnTables() else { return 0 }
    let sql = """
      SELECT count(*) FROM evocation_entries WHERE queue = (SELECT number FROM evocation_queues WHERE \
      name = ?)
      """
    return try queues.reduce(0) { count, queue in
      guard case .integer(let more)? = try connection.first(sql, [.text(queue)]) else {
        return count
      }
      return count + Int(more)
    }
  }

  /// Forgets the service's versions of models, which do not belong to the next user.
  static func forgetVersions(_ queues: [String], _ connection: Connection) throws {
    guard try connection.hasOwnTables() else { return }
    for queue in queues {
      try connection.run("DELETE FROM evocation_versions WHERE queue = ?", [.text(queue)], writing)
    }
  }

  /// Deletes the entries of some queues, with everything that belongs to them.
  static func empty(_ queues: [String], _ connection: Connection) throws {
    guard try connection.hasOwnTables() else { return }
    let known = "SELECT number FROM evocation_queues WHERE name = ?"
    for queue in queues {
      for table in ["evocation_renamings", "evocation_versions"] {
        try connection.run("DELETE FROM \(table) WHERE queue = ?", [.text(queue)], writing)
      }
      guard let number = try connection.first(known, [.text(queue)]) else { continue }
      for sql in [
        """
        DELETE FROM evocation_references WHERE position IN (SELECT position FROM evocation_entries WHERE \
        queue = ?)
        """,
        """
        UPDATE evocation_outbox SET indexed = max(0, indexed - (SELECT count(*) FROM evocation_entries \
        WHERE queue = ? AND lookup IS NOT NULL)) WHERE id = 1
        """,
        "DELETE FROM evocation_entries WHERE queue = ?",
      ] {
        try connection.run(sql, [number], writing)
      }
    }
  }
}

/// The form of dates in the outbox's columns: seconds since 2001, inside bounds.
enum StoredDate {
  /// Returns the seconds of a date.
  ///
  /// An impossible date becomes the nearest that can be stored.
  static func seconds(_ date: Date) -> Double {
    let seconds = date.timeIntervalSinceReferenceDate
    // This order of the comparison also turns NaN into a date.
    guard seconds > least else { return least }
    return min(seconds, greatest)
  }

  /// Reads a date; nil for any other value.
  static func read(_ statement: Statement, at index: Int32) -> Date? {
    guard case .real(let seconds) = statement.value(at: index), seconds >= least,
      seconds <= greatest
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static let least = Date.distantPast.timeIntervalSinceReferenceDate
  private static let greatest = Date.distantFuture.timeIntervalSinceReferenceDate
}
