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
    /// The entry is sent after others.
    ///
    /// While it is pending its state is 0 and not null, so that the index of states has it.
    static let isUtility: Int64 = 16
  }

  /// Moves the entries of a renamed table to the new name.
  ///
  /// - Throws: ``SQLiteError`` if a table of the new name has entries.
  static func rename(_ queue: String, to new: String, connection: Connection) throws {
    guard queue != new, try connection.hasOwnTables() else { return }
    guard try count([new], connection) == 0 else {
      throw SQLiteError(
        .schemaMismatch,
        "Renaming the table \(queue.quoted) to \(new.quoted) failed: the outbox already has "
          + "unsent writes of a table with the new name; use another name, or send them first.")
    }
    // What else has the new name belongs to models of another table.
    try run("DELETE FROM evocation_queues WHERE name = ?", [new], connection: connection)
    try run("DELETE FROM evocation_renamings WHERE queue = ?", [new], connection: connection)
    try run("DELETE FROM evocation_versions WHERE queue = ?", [new], connection: connection)
    try run(
      "UPDATE evocation_queues SET name = ? WHERE name = ?", [new, queue], connection: connection)
    for table in ["evocation_references", "evocation_renamings", "evocation_versions"] {
      try run(
        "UPDATE OR REPLACE \(table) SET queue = ? WHERE queue = ?", [new, queue],
        connection: connection)
    }
  }

  /// Renames a property in the entries of a table, and in what is known of its models' other ids.
  ///
  /// An entry that cannot be read stays as it is.
  static func rename(
    _ property: String, of queue: String, to new: String, connection: Connection
  ) throws {
    guard property != new, try connection.hasOwnTables() else { return }
    try rename(
      property, to: new, in: ["model", "base", "seen"], of: "evocation_entries",
      where: "queue = (\(number))", queue: queue, connection: connection)
    try rename(
      property, to: new, in: ["identity"], of: "evocation_renamings", where: "queue = ?",
      queue: queue, connection: connection)
  }

  private static func rename(
    _ property: String, to new: String, in columns: [String], of table: String,
    where condition: String, queue: String, connection: Connection
  ) throws {
    for column in columns {
      let texts = try connection.all(
        "SELECT DISTINCT \(column) FROM \(table) WHERE \(condition) AND \(column) IS NOT NULL",
        [.text(queue)], action: writing
      ) { $0.text(at: 0) }
      for text in texts {
        guard var properties = JSONProperties(Data(text.utf8)),
          properties.rename(property, to: new)
        else { continue }
        try connection.run(
          "UPDATE \(table) SET \(column) = ? WHERE \(condition) AND \(column) = ?",
          [.text(String(decoding: properties.data, as: UTF8.self)), .text(queue), .text(text)],
          action: writing)
      }
    }
  }

  /// Returns the number of entries of some queues.
  static func count(_ queues: [String], _ connection: Connection) throws -> Int {
    guard try connection.hasOwnTables() else { return 0 }
    return try queues.reduce(0) { count, queue in
      let sql = "SELECT count(*) FROM evocation_entries WHERE queue = (\(number))"
      return count + Int(try connection.integer(sql, [.text(queue)]) ?? 0)
    }
  }

  /// Runs a migration, and throws if it removed a table that has entries.
  static func keepingTables<Value>(
    _ connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    let before = try queuesWithoutTable(connection)
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !connection.isOutsideTransaction,
      let gone = try queuesWithoutTable(connection).subtracting(before).min()
    else { return value }
    throw SQLiteError(
      .schemaMismatch,
      "Migrating the table \(gone.quoted) failed: the table no longer exists, and its outbox has "
        + "unsent writes; rename it with renameTable(_:to:), or send them first.")
  }

  /// Returns the queues that have entries and no table.
  private static func queuesWithoutTable(_ connection: Connection) throws -> Set<String> {
    guard try connection.hasOwnTables() else { return [] }
    // SQL is not used here, because its lowercase only covers ASCII.
    let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    let queues = try Set(connection.texts("SELECT name FROM evocation_queues"))
    return try queues.subtracting(tables.map { $0.lowercased() })
      .filter { try count([$0], connection) > 0 }
  }

  /// Deletes the entries of some queues, with everything that belongs to them.
  static func empty(_ queues: [String], _ connection: Connection) throws {
    try forgetVersions(queues, connection)
    for queue in queues {
      for sql in [
        "DELETE FROM evocation_renamings WHERE queue = ?",
        """
        DELETE FROM evocation_references WHERE position IN (SELECT position FROM evocation_entries WHERE \
        queue = (\(number)))
        """,
        """
        UPDATE evocation_outbox SET indexed = max(0, indexed - (SELECT count(*) FROM evocation_entries \
        WHERE queue = (\(number)) AND lookup IS NOT NULL)) WHERE id = 1
        """,
        "DELETE FROM evocation_entries WHERE queue = (\(number))",
      ] {
        try run(sql, [queue], connection: connection)
      }
    }
    // Nobody has anything any more that waits for a sign-in.
    try run(
      "UPDATE evocation_outbox SET isHeld = 0 WHERE NOT EXISTS (SELECT * FROM evocation_entries)",
      [], connection: connection)
  }

  /// Forgets the service's versions of models, which do not belong to the next user.
  static func forgetVersions(_ queues: [String], _ connection: Connection) throws {
    for queue in queues {
      try run("DELETE FROM evocation_versions WHERE queue = ?", [queue], connection: connection)
    }
  }

  /// The number of the queue whose name is the parameter.
  private static let number = "SELECT number FROM evocation_queues WHERE name = ?"

  private static func run(_ sql: String, _ names: [String], connection: Connection) throws {
    try connection.run(sql, names.map { .text($0) }, action: writing)
  }
}

/// The form of dates in columns of the library: seconds since 2001, inside bounds.
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
