internal import Evocation

/// The statements that a connection has prepared, by their text; the least used goes first.
///
/// Texts are told apart by their bytes, as SQLite does: an app's SQL may hold values.
struct StatementCache {
  private let capacity: Int
  private var statements: [ByteText: Statement] = [:]
  private var clock = 0
  private var last: (sql: String, statement: Statement)?

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func statement(_ sql: String) -> Statement? {
    // The same text as last time is the same storage, and found without being hashed.
    if let last, last.sql.hasSameBytes(as: sql) { return last.statement }
    guard let statement = statements[ByteText(sql)] else { return nil }
    last = (sql, statement)
    clock += 1
    statement.lastUse = clock
    return statement
  }

  mutating func insert(_ statement: Statement, for sql: String) {
    if statements.count >= capacity,
      let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      statements[oldest.key] = nil
    }
    last = nil
    clock += 1
    statement.lastUse = clock
    statements[ByteText(sql)] = statement
  }

  /// Ends all statements, also those in use: a connection does not close before.
  mutating func finalizeAll() {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    last = nil
  }

  var count: Int { statements.count }
}
