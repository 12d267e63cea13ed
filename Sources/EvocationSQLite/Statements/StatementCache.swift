/// The statements that a connection has prepared, by their text; the least used goes first.
struct StatementCache {
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var clock = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  mutating func statement(_ sql: String) -> Statement? {
    guard let statement = statements[sql] else { return nil }
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
    clock += 1
    statement.lastUse = clock
    statements[sql] = statement
  }

  mutating func removeAll() {
    statements = [:]
  }

  var count: Int { statements.count }
}
