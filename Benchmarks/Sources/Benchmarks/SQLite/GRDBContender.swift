import Foundation
import GRDB

/// The record in which GRDB stores an item: by `Codable`, or by code written by hand.
protocol GRDBRecord: FetchableRecord, PersistableRecord, Sendable {
  init(_ item: Item)
  var item: Item { get }
}

/// Stores items by GRDB's records and its pool, as its documentation shows them.
struct GRDBContender<Record: GRDBRecord>: Contender {
  private let pool: DatabasePool

  init(path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192")
    }
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { database in
      if try !database.tableExists("item") { try database.execute(sql: Item.create) }
    }
  }

  func store(_ items: [Item]) throws {
    try pool.write { database in for item in items { try Record(item).insert(database) } }
  }

  func storeOrUpdate(_ items: [Item]) throws {
    try pool.write { database in for item in items { try Record(item).upsert(database) } }
  }

  func remove(_ items: [Item]) throws {
    try pool.write { database in
      for item in items { _ = try Record.deleteOne(database, key: item.id) }
    }
  }

  func storeOne(_ item: Item) throws {
    try pool.write { try Record(item).insert($0) }
  }

  func findAll() throws -> [Item] {
    try pool.read { try Record.order(Column("id")).fetchAll($0) }.map(\.item)
  }

  func findOne(_ id: Int64) async throws -> Item? {
    try await pool.read { try Record.fetchOne($0, key: id) }?.item
  }

  /// Does the same without suspending a task.
  func findOneNow(_ id: Int64) throws -> Item? {
    try pool.read { try Record.fetchOne($0, key: id) }?.item
  }
}
