internal import Evocation

/// The table of one model type's entries, with the SQL that reads and writes it, made once.
///
/// Each queue has a table of its own, so that its first entry is found by reading one row. Entries
/// are in the order of their positions, and an index finds those of an instance.
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
    ofKey = "\(select) WHERE key = ? ORDER BY position"
    hasKey = Self.hasKey(queue)
    after = "\(select) WHERE position > ? ORDER BY position LIMIT ?"
    heads = """
      SELECT \(QueueRow.columns) FROM \(name) AS entry WHERE position > ? AND state NOT IN \
      (\(Self.parked)) AND NOT EXISTS (SELECT 1 FROM \(name) AS earlier WHERE earlier.key = entry.key \
      AND earlier.position < entry.position) ORDER BY position LIMIT ?
      """
    referring = """
      \(select) WHERE position IN (SELECT position FROM evocation_outbox_references WHERE queue = ? AND \
      key = ? AND owner = \(queue.literal)) ORDER BY position
      """
    any = "SELECT 1 FROM \(name) LIMIT 1"
    count = "SELECT count(*) FROM \(name)"
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
    keys = "SELECT DISTINCT key FROM \(name) LIMIT ?"
  }

  /// The states of the entries that are not sent by themselves, as the index of these has them.
  private static let parked = "'parked', 'unreadable'"

  private static func name(of queue: String) -> String { "evocation_queue_\(queue)" }

  /// The query for whether a queue has entries on an instance.
  static func hasKey(_ queue: String) -> String {
    "SELECT 1 FROM \(name(of: queue).quoted) WHERE key = ? LIMIT 1"
  }

  /// Whether a queue has a table.
  static func isThere(_ queue: String, _ connection: Connection) throws -> Bool {
    try connection.first(
      "SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(name(of: queue))]) != nil
  }

  /// Makes the table where it is missing.
  func make(_ connection: Connection) throws {
    try OutboxTable(connection).make()
    guard try !Self.isThere(queue, connection) else { return }
    for definition in definitions { try connection.execute(definition, OutboxTable.writing) }
  }

  private var definitions: [String] {
    [
      """
      CREATE TABLE \(name.quoted) (position INTEGER PRIMARY KEY, key TEXT NOT NULL, id TEXT NOT NULL, \
      kind TEXT NOT NULL, state TEXT NOT NULL, until REAL, failure TEXT, reason TEXT, attempts INTEGER \
      NOT NULL, wasAttempted INTEGER NOT NULL, queuedAt REAL NOT NULL, refs TEXT, model TEXT NOT NULL, \
      base TEXT)
      """,
      "CREATE INDEX \("\(name)_key".quoted) ON \(name.quoted) (key)",
      """
      CREATE INDEX \("\(name)_parked".quoted) ON \(name.quoted) (state) WHERE state IN (\(Self.parked))
      """,
    ]
  }
}
