internal import Evocation
internal import Foundation

// Upgrades tables of earlier versions of the library, and checks migrations of the app.
extension EntryTables {
  /// Moves entries of the first format, which had a table for each model, into one table.
  ///
  /// The entries of each model keep their order. Entries of different models are ordered by their
  /// dates.
  static func upgrade(_ connection: Connection) throws {
    guard try connection.hasFormerOutbox() else { return }
    // The number may be wrong although the tables are current.
    guard try isFormer(connection) else {
      return try connection.execute(
        "UPDATE evocation_outbox SET version = \(Connection.outboxFormat)", writing)
    }
    let prefix = "evocation_queue_"
    let queues = try texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'evocation_queue_*'",
      connection
    ).map { String($0.dropFirst(prefix.count)) }
    let isHeld =
      try connection.first("SELECT 1 FROM evocation_outbox WHERE isHeld = 1 LIMIT 1") != nil
    try connection.execute("DROP TABLE evocation_outbox", writing)
    for definition in definitions { try connection.execute(definition, writing) }
    let entries = queues.map { queue in
      """
      SELECT \(queue.literal) AS queue, position AS former, key, id, kind, queuedAt, model, base, state, \
      until, failure, reason, attempts, wasAttempted, refs FROM \((prefix + queue).quoted)
      """
    }
    for queue in queues {
      try connection.run(
        "INSERT OR IGNORE INTO evocation_queues (name) VALUES (?)", [.text(queue)], writing)
    }
    for part in stride(from: 0, to: entries.count, by: 100) {
      let some = entries[part..<min(part + 100, entries.count)].joined(separator: " UNION ALL ")
      try moveEntries(some, connection)
    }
    if isHeld { try connection.execute("UPDATE evocation_outbox SET isHeld = 1", writing) }
    let tables = queues.flatMap { [prefix + $0, "evocation_keys_" + $0] }
    for table in tables + ["evocation_outbox_references"] {
      try connection.execute("DROP TABLE IF EXISTS \(table.quoted)", writing)
    }
  }

  /// Returns whether the outbox has the tables of the first format.
  private static func isFormer(_ connection: Connection) throws -> Bool {
    let column = "SELECT 1 FROM pragma_table_info('evocation_outbox') WHERE name = 'indexed'"
    return try connection.first(column) == nil
  }

  /// Moves the entries of some queues.
  ///
  /// Invalid content becomes unreadable, and does not stop the move.
  private static func moveEntries(_ entries: String, _ connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO evocation_entries (queue, key, id, kind, queuedAt, model, base, state, until, since, \
      failure, reason, attempts, flags) SELECT (SELECT number FROM evocation_queues WHERE name = old.queue), \
      ifnull(key, x''), ifnull(id, x''), CASE kind WHEN 'store' THEN 0 WHEN 'update' THEN 1 WHEN 'storeOrUpdate' THEN 2 WHEN \
      'remove' THEN 3 ELSE -1 END, ifnull(queuedAt, x''), ifnull(model, x''), base, CASE state WHEN \
      'pending' THEN NULL WHEN 'sending' THEN NULL WHEN 'waiting' THEN 1 WHEN 'parked' THEN 2 ELSE 3 END, \
      until, NULL, failure, reason, nullif(attempts, 0), ifnull(wasAttempted <> 0, 1) | CASE WHEN refs IS NULL THEN 0 ELSE \(EntryTables.Flags.hasReferences) END FROM \
      (SELECT *, max(queuedAt) OVER (PARTITION BY queue ORDER BY former) AS turn FROM (\(entries))) AS old \
      ORDER BY turn, queue, former
      """, writing)
    // Entries are matched by their ids, because their positions are new.
    var references: [(position: Int64, json: Data)] = []
    let sql = """
      SELECT entry.position, old.refs FROM (\(entries)) AS old JOIN evocation_entries AS entry ON entry.id = \
      old.id AND entry.key = old.key AND entry.queue = (SELECT number FROM evocation_queues WHERE name = \
      old.queue) WHERE old.refs IS NOT NULL
      """
    try connection.execute("CREATE INDEX evocation_moving ON evocation_entries (id)", writing)
    try connection.rows(sql, [], writing) { statement in
      if let json = statement.data(at: 1)?.bytes {
        references.append((statement.integer(at: 0), json))
      }
      return true
    }
    try connection.execute("DROP INDEX evocation_moving", writing)
    for (position, json) in references {
      // An unreadable reference is dropped, because the entry can be sent without it.
      for reference in (try? JSONDecoder().decode([Outbox.Reference].self, from: json)) ?? [] {
        try connection.run(
          """
          INSERT OR IGNORE INTO evocation_references (queue, key, position, isFormer) VALUES (?, ?, ?, 0)
          """, [.text(reference.queue), .text(reference.key), .integer(position)], writing)
      }
    }
  }

  /// Runs a migration, and throws if it removed a table that has entries.
  static func keepingTables<Value>(
    _ connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    let before = try queuesWithTables(connection)
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !connection.isOutsideTransaction, !before.isEmpty else { return value }
    let gone = before.subtracting(try queuesWithTables(connection)).sorted()
    let isQueue =
      "SELECT 1 FROM evocation_queues JOIN evocation_entries ON queue = number WHERE name = ?"
    guard let gone = try gone.first(where: { try connection.first(isQueue, [.text($0)]) != nil })
    else { return value }
    throw SQLiteError(
      .schemaMismatch,
      "Migrating the table \(gone.quoted) failed: the table no longer exists, and its outbox has "
        + "unsent writes; rename it with renameTable(_:to:), or send them first.")
  }

  /// Returns the queues whose tables exist.
  private static func queuesWithTables(_ connection: Connection) throws -> Set<String> {
    guard try areThere(connection) else { return [] }
    // SQL is not used here, because its lowercase only covers ASCII.
    let tables = try texts("SELECT name FROM sqlite_schema WHERE type = 'table'", connection)
    let queues = try texts("SELECT name FROM evocation_queues", connection)
    return Set(queues).intersection(tables.map { $0.lowercased() })
  }

  private static func texts(_ sql: String, _ connection: Connection) throws -> [String] {
    var texts: [String] = []
    try connection.rows(sql, [], reading) { statement in
      if case .text(let text) = statement.value(at: 0) { texts.append(text) }
      return true
    }
    return texts
  }
}
