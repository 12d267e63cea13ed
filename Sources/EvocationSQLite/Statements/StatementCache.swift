internal import Evocation

/// A connection's prepared statements by their text, without the least recently used ones.
///
/// It compares texts by their bytes, as SQLite does, because an app's SQL may contain values.
struct StatementCache {
  private let capacity: Int
  private var statements: [ByteText: Statement] = [:]
  private var clock = 0
  /// Recent statements, by a number that is quickly computed from the text.
  ///
  /// Hashing a text costs as much as a short statement ("storeOne, by the outbox").
  private var recent: [(sql: String, statement: Statement)?] = StatementCache.nothing

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func statement(_ sql: String) -> Statement? {
    let number = Self.number(of: sql)
    clock += 1
    // The same text as last time has the same storage, so it compares equal without reading the
    // bytes.
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

  /// Finalizes all statements, also those in use, because the connection cannot close before.
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
