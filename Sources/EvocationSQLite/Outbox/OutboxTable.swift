internal import Evocation
internal import Foundation

/// Reads and writes on one connection what the queues of a file have in common.
///
/// That is one row, which says who sends and whether sending waits for a sign-in, and a table that
/// finds the entries which refer to an instance.
struct OutboxTable {
  static let reading = "Reading the outbox"
  static let writing = "Writing the outbox"

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Makes the tables where they are missing.
  func make() throws {
    if try connection.checkOutboxFormat() { return }
    try connection.writeFormat()
    for definition in Self.definitions { try connection.execute(definition, Self.writing) }
  }

  private static let definitions = [
    """
    CREATE TABLE IF NOT EXISTS evocation_outbox (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, \
    isHeld INTEGER NOT NULL, holder TEXT, until REAL)
    """,
    "INSERT OR IGNORE INTO evocation_outbox (id, version, isHeld) VALUES (1, 1, 0)",
    """
    CREATE TABLE IF NOT EXISTS evocation_outbox_references (queue TEXT NOT NULL, key TEXT NOT NULL, \
    owner TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (queue, key, owner, position)) \
    WITHOUT ROWID
    """,
    """
    CREATE INDEX IF NOT EXISTS evocation_outbox_references_owner ON evocation_outbox_references \
    (owner, position)
    """,
  ]

  /// Who sends; nil for nobody, and for what cannot be read.
  func lease() throws -> OutboxLease? {
    var lease: OutboxLease?
    try connection.rows(
      "SELECT holder, until FROM evocation_outbox WHERE id = 1", [], Self.reading
    ) { statement in
      if case .text(let holder) = statement.value(at: 0),
        let until = StoredDate.read(statement, at: 1)
      {
        lease = OutboxLease(holder: holder, until: until)
      }
      return false
    }
    return lease
  }

  func setLease(_ lease: OutboxLease?) throws {
    // A row that the app's SQL has deleted is made anew, or several would send.
    try connection.run(
      """
      INSERT INTO evocation_outbox (id, version, isHeld, holder, until) VALUES (1, 1, 0, ?, ?) ON \
      CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until
      """,
      [
        lease.map { .text($0.holder) } ?? .null,
        lease.map { .real(StoredDate.seconds($0.until)) } ?? .null,
      ], Self.writing)
  }

  func isHeld() throws -> Bool {
    try connection.first("SELECT isHeld FROM evocation_outbox WHERE id = 1") == .integer(1)
  }

  func setHeld(_ isHeld: Bool) throws {
    try connection.run(
      """
      INSERT INTO evocation_outbox (id, version, isHeld) VALUES (1, 1, ?) ON CONFLICT (id) DO UPDATE \
      SET isHeld = excluded.isHeld
      """, [.integer(isHeld ? 1 : 0)], Self.writing)
  }

  /// Makes an entry found by the instances that it refers to.
  func insert(_ references: [Outbox.Reference], of queue: String, _ position: Int64) throws {
    for reference in references {
      try connection.run(
        """
        INSERT OR IGNORE INTO evocation_outbox_references (queue, key, owner, position) VALUES (?, ?, \
        ?, ?)
        """,
        [.text(reference.queue), .text(reference.key), .text(queue), .integer(position)],
        Self.writing)
    }
  }

  func deleteReferences(of queue: String, _ position: Int64) throws {
    try connection.run(
      "DELETE FROM evocation_outbox_references WHERE owner = ? AND position = ?",
      [.text(queue), .integer(position)], Self.writing)
  }
}

/// Dates of the outbox as they lie in its columns: seconds since 2001, within bounds.
enum StoredDate {
  /// The seconds of a date; one that no calendar has becomes the nearest that is stored.
  static func seconds(_ date: Date) -> Double {
    let seconds = date.timeIntervalSinceReferenceDate
    // Written so that NaN becomes a date too.
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
