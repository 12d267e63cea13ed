internal import Evocation

/// The statements that a connection has prepared, by their text; the least used goes first.
///
/// Texts are told apart by their bytes, as SQLite does: an app's SQL may hold values.
struct StatementCache {
  private let capacity: Int
  private var statements: [ByteText: Statement] = [:]
  private var clock = 0
  /// One statement for each of some numbers that are made of a text for next to nothing: to hash a
  /// text costs as much as a short statement ("storeOne, by the outbox").
  private var recent: [(sql: String, statement: Statement)?] = StatementCache.nothing

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func statement(_ sql: String) -> Statement? {
    let number = Self.number(of: sql)
    clock += 1
    // The same text as last time is the same storage, which tells without a look at the bytes.
    if let recent = recent[number], recent.sql.hasSameBytes(as: sql) {
      recent.statement.lastUse = clock
      return recent.statement
    }
    guard let statement = statements[ByteText(sql)] else { return nil }
    recent[number] = (sql, statement)
    statement.lastUse = clock
    return statement
  }

  mutating func insert(_ statement: Statement, for sql: String) {
    if statements.count >= capacity,
      let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      statements[oldest.key] = nil
    }
    recent = Self.nothing
    clock += 1
    statement.lastUse = clock
    statements[ByteText(sql)] = statement
  }

  /// Ends all statements, also those in use: a connection does not close before.
  mutating func finalizeAll() {
    for statement in statements.values { statement.finalize() }
    statements = [:]
    recent = Self.nothing
  }

  var count: Int { statements.count }

  private static var nothing: [(sql: String, statement: Statement)?] {
    Array(repeating: nil, count: 128)
  }

  private static func number(of sql: String) -> Int {
    sql.utf8.withContiguousStorageIfAvailable { bytes in
      let middle = bytes.isEmpty ? 0 : Int(bytes[bytes.count / 2])
      return (37 * bytes.count + 11 * middle) & 127
    } ?? 0
  }
}
