import CSQLite
import Foundation

/// Stores items by SQLite's C API, in code written by hand for speed.
final class CContender: Contender, @unchecked Sendable {  // a case uses it from one task
  private let database: CDatabase
  private let insert: CStatement
  private let upsert: CStatement
  private let delete: CStatement
  private let all: CStatement
  private let one: CStatement
  private let twenty: CStatement
  private let counting: CStatement
  private let record: CStatement

  init(path: String) throws {
    database = try CDatabase(path: path)
    try database.run(Item.create.replacing("CREATE TABLE", with: "CREATE TABLE IF NOT EXISTS"))
    let values = "INTO item (id, name, price, tags, updatedAt) VALUES (?, ?, ?, ?, ?)"
    insert = try database.prepare("INSERT \(values)")
    upsert = try database.prepare(
      """
      INSERT \(values) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
      price = excluded.price, tags = excluded.tags, updatedAt = excluded.updatedAt
      """)
    delete = try database.prepare("DELETE FROM item WHERE id = ?")
    all = try database.prepare("SELECT id, name, price, tags, updatedAt FROM item ORDER BY id")
    one = try database.prepare("SELECT id, name, price, tags, updatedAt FROM item WHERE id = ?")
    twenty = try database.prepare(
      """
      SELECT id, name, price, tags, updatedAt FROM item WHERE price >= ? ORDER BY price, id LIMIT 20
      """)
    counting = try database.prepare("SELECT count(*) FROM item")
    try database.run(
      "CREATE TABLE IF NOT EXISTS fetch (tag TEXT PRIMARY KEY, fetchedAt REAL) WITHOUT ROWID")
    record = try database.prepare(
      """
      INSERT INTO fetch VALUES (?, ?) ON CONFLICT (tag) DO UPDATE SET fetchedAt = excluded.fetchedAt
      """)
  }

  func store(_ items: [Item]) throws {
    try database.inTransaction { for item in items { try insert.write(item) } }
  }

  func storeOrUpdate(_ items: [Item]) throws {
    try database.inTransaction { for item in items { try upsert.write(item) } }
  }

  func remove(_ items: [Item]) throws {
    try database.inTransaction {
      for item in items {
        sqlite3_bind_int64(delete.handle, 1, item.id)
        try delete.finish()
      }
    }
  }

  func storeOne(_ item: Item) throws { try insert.write(item) }

  /// Stores an item together with the time at which it was fetched by criteria.
  func storeOrUpdate(_ item: Item, fetchedBy criteria: String) throws {
    try database.inTransaction {
      try upsert.write(item)
      try record.write(criteria, Date.now.timeIntervalSinceReferenceDate)
    }
  }

  func findAll() throws -> [Item] {
    var items: [Item] = []
    while sqlite3_step(all.handle) == SQLITE_ROW { items.append(all.item) }
    sqlite3_reset(all.handle)
    return items
  }

  func findOne(_ id: Int64) throws -> Item? {
    sqlite3_bind_int64(one.handle, 1, id)
    defer { sqlite3_reset(one.handle) }
    return sqlite3_step(one.handle) == SQLITE_ROW ? one.item : nil
  }

  func findTwenty(from price: Double) throws -> [Item] {
    sqlite3_bind_double(twenty.handle, 1, price)
    var items: [Item] = []
    while sqlite3_step(twenty.handle) == SQLITE_ROW { items.append(twenty.item) }
    sqlite3_reset(twenty.handle)
    return items
  }

  func count() throws -> Int {
    defer { sqlite3_reset(counting.handle) }
    try expect(sqlite3_step(counting.handle) == SQLITE_ROW)
    return Int(sqlite3_column_int64(counting.handle, 0))
  }
}
