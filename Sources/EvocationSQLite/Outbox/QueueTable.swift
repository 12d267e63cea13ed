internal import Evocation

/// The table of one model type's entries, with the SQL that reads and writes it, made once.
///
/// Each queue has a table of its own, so that its first entry is found by reading one row. Entries
/// are in the order of their positions. Those of an instance are found by a table of keys, which gets
/// the entries ``batch`` at a time: an index would have a page of its own in each commit, which costs
/// as much as the entry ("storeOne, by the outbox"). What it does not have yet is read through.
final class QueueTable: Sendable {
  /// The name of the queue: that of the model's table, as SQLite tells names apart.
  let queue: String

  /// Whether the table is known to be there, so that it need not be looked for.
  let isKnown = Lock(false)

  let insert: String
  let replace: String
  let setState: String
  let delete: String
  let ofKey: String
  let lastOfKey: String
  let hasKey: String
  let after: String
  let heads: String
  let referring: String
  let any: String
  let count: String
  let countParked: String
  let oldest: String
  let park: String
  let revive: String
  let keys: String
  /// Writes the keys of the batch that ends at a position.
  let addKeys: String
  private let name: String

  init(table: String) {
    queue = table.lowercased()
    let name = Self.name(of: queue).quoted
    self.name = Self.name(of: queue)
    let select = "SELECT \(QueueRow.columns) FROM \(name)"
    let values = (1...QueueRow.written.count).map { "?\($0)" }.joined(separator: ", ")
    let changes = QueueRow.written.enumerated().map { "\($1) = ?\($0 + 1)" }
    let position = "position = ?\(QueueRow.written.count + 1)"
    insert =
      "INSERT INTO \(name) (\(QueueRow.written.joined(separator: ", "))) VALUES (\(values))"
    replace = "UPDATE \(name) SET \(changes.joined(separator: ", ")) WHERE \(position)"
    setState = """
      UPDATE \(name) SET state = ?1, until = ?2, failure = ?3, reason = ?4, attempts = ?5, \
      wasAttempted = ?6 WHERE position = ?7 AND id = ?8
      """
    delete = "DELETE FROM \(name) WHERE position = ?"
    let (keys, end) = (Self.keys(of: queue).quoted, Self.endOfKeys(queue))
    ofKey = """
      SELECT \(QueueRow.columns(of: "entry")) FROM \(keys) AS keys CROSS JOIN \(name) AS entry ON \
      entry.position = keys.position WHERE keys.key = ?1 ORDER BY keys.position
      """
    lastOfKey = "\(select) WHERE position > \(end) AND key = ?1 ORDER BY position"
    hasKey = Self.hasKey(queue)
    after = "\(select) WHERE position > ? ORDER BY position LIMIT ?"
    heads = """
      SELECT \(QueueRow.columns) FROM \(name) AS entry WHERE position > ? AND state NOT IN \
      (\(Self.parked)) AND NOT EXISTS (SELECT 1 FROM \(keys) AS keys WHERE keys.key = entry.key AND \
      keys.position < entry.position) AND NOT EXISTS (SELECT 1 FROM \(name) AS earlier WHERE \
      earlier.position > \(end) AND earlier.position < entry.position AND earlier.key = entry.key) \
      ORDER BY position LIMIT ?
      """
    referring = """
      \(select) WHERE position IN (SELECT position FROM evocation_outbox_references WHERE queue = ? AND \
      key = ? AND owner = \(queue.literal)) ORDER BY position
      """
    any = "SELECT 1 FROM \(name) LIMIT 1"
    // By the keys, which lie on fewer pages.
    count = """
      SELECT (SELECT count(*) FROM \(keys)) + (SELECT count(*) FROM \(name) AS entry WHERE position > \
      \(end) AND NOT EXISTS (SELECT 1 FROM \(keys) AS keys WHERE keys.key = entry.key AND \
      keys.position = entry.position))
      """
    countParked = "SELECT count(*) FROM \(name) WHERE state IN (\(Self.parked))"
    oldest = "SELECT queuedAt FROM \(name) ORDER BY position LIMIT 1"
    park = """
      UPDATE \(name) SET state = 'unreadable', reason = ?1 WHERE position = ?2 AND (id = ?3 OR \
      typeof(id) <> 'text')
      """
    // The index is used only where its own condition stands too.
    revive = """
      UPDATE \(name) SET state = 'pending', reason = NULL WHERE state IN (\(Self.parked)) AND state = \
      'unreadable'
      """
    addKeys = """
      INSERT OR IGNORE INTO \(keys) SELECT key, position FROM \(name) WHERE position > ?1 - \
      \(Self.batch) AND position <= ?1
      """
    self.keys = """
      SELECT DISTINCT key FROM (SELECT key FROM \(keys) UNION ALL SELECT key FROM \(name) WHERE position \
      > \(end)) LIMIT ?
      """
  }

  /// The states of the entries that are not sent by themselves, as the index of these has them.
  private static let parked = "'parked', 'unreadable'"

  /// How many entries are added until their keys are written.
  static let batch: Int64 = 16

  /// The name of a queue's table.
  static func name(of queue: String) -> String { "evocation_queue_\(queue)" }

  private static func keys(of queue: String) -> String { "evocation_keys_\(queue)" }

  /// The last position up to which the table of keys has all entries; null without entries.
  ///
  /// A new entry stands one behind the last, so a batch ends with the entry at each multiple. When
  /// last entries are deleted this goes back, and the table has some of those behind it too.
  private static func endOfKeys(_ queue: String) -> String {
    """
    ((SELECT position FROM \(name(of: queue).quoted) ORDER BY position DESC LIMIT 1) / \(batch) * \
    \(batch))
    """
  }

  /// The query for whether a queue has entries on an instance.
  static func hasKey(_ queue: String) -> String {
    """
    SELECT 1 FROM \(keys(of: queue).quoted) WHERE key = ?1 UNION ALL SELECT 1 FROM \
    \(name(of: queue).quoted) WHERE position > \(endOfKeys(queue)) AND key = ?1 LIMIT 1
    """
  }

  /// Whether there are entries.
  func hasEntries(_ connection: Connection) throws -> Bool {
    try Self.isThere(queue, connection) && connection.first(any) != nil
  }

  /// Whether a queue has its tables.
  ///
  /// Where the app's SQL has dropped one of the two, it is made again, as soon as something is written.
  static func isThere(_ queue: String, _ connection: Connection) throws -> Bool {
    let count = try connection.first(
      "SELECT count(*) FROM sqlite_schema WHERE name IN (?, ?)",
      [.text(name(of: queue)), .text(keys(of: queue))])
    if count == .integer(1), connection.isWriting {
      try QueueTable(table: queue).define(connection)
      return true
    }
    return count == .integer(2)
  }

  /// Makes the tables where they are missing.
  func make(_ connection: Connection) throws {
    try OutboxTable(connection).make()
    if try !Self.isThere(queue, connection) { try define(connection) }
  }

  private func define(_ connection: Connection) throws {
    for definition in definitions { try connection.execute(definition, OutboxTable.writing) }
  }

  /// Makes the table of another queue this one's, which may have its name already.
  func takeOver(_ other: String, _ connection: Connection) throws {
    let isThere = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    var steps: [String] = []
    if try connection.first(isThere, [.text(Self.name(of: other))]) != nil {
      let rename = "ALTER TABLE \(Self.name(of: other).quoted) RENAME TO \(name.quoted)"
      try connection.execute(rename, OutboxTable.writing)
    }
    // Its indexes and triggers have the names of the other one's.
    let parts = "SELECT type, name FROM sqlite_schema WHERE tbl_name = ? AND type <> 'table'"
    try connection.rows(parts, [.text(name)], OutboxTable.reading) { statement in
      if case .text(let type) = statement.value(at: 0),
        case .text(let part) = statement.value(at: 1)
      {
        steps.append("DROP \(type) \(part.quoted)")
      }
      return true
    }
    steps.append("DROP TABLE IF EXISTS \(Self.keys(of: other).quoted)")
    for step in steps + definitions { try connection.execute(step, OutboxTable.writing) }
  }

  /// The tables, and what belongs to them.
  private var definitions: [String] {
    let (name, keys) = (name.quoted, Self.keys(of: queue).quoted)
    return [
      """
      CREATE TABLE IF NOT EXISTS \(name) (position INTEGER PRIMARY KEY, key TEXT NOT NULL, id TEXT NOT NULL, kind TEXT \
      NOT NULL, state TEXT NOT NULL, until REAL, failure TEXT, reason TEXT, attempts INTEGER NOT NULL, \
      wasAttempted INTEGER NOT NULL, queuedAt REAL NOT NULL, refs TEXT, model TEXT NOT NULL, base TEXT)
      """,
      """
      CREATE INDEX IF NOT EXISTS \("evocation_parked_\(queue)".quoted) ON \(name) (state) WHERE state IN \
      (\(Self.parked))
      """,
      """
      CREATE TABLE IF NOT EXISTS \(keys) (key TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (key, position)) \
      WITHOUT ROWID
      """,
      """
      CREATE TRIGGER IF NOT EXISTS \("evocation_rekeyed_\(queue)".quoted) AFTER UPDATE OF key ON \(name) WHEN new.key \
      <> old.key BEGIN UPDATE OR REPLACE \(keys) SET key = new.key WHERE key = old.key AND position = \
      old.position; END
      """,
      """
      CREATE TRIGGER IF NOT EXISTS \("evocation_deleted_\(queue)".quoted) AFTER DELETE ON \(name) BEGIN DELETE FROM \
      \(keys) WHERE key = old.key AND position = old.position; END
      """,
      // The app's SQL may have dropped one of the two.
      "DELETE FROM \(keys)", "INSERT INTO \(keys) SELECT key, position FROM \(name)",
    ]
  }
}
