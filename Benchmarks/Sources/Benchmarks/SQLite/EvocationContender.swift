import Evocation
import EvocationSQLite

/// The items through `Evocation`, with a strategy that knows the local repository only.
struct EvocationContender: Contender {
  let evocation = Evocation()
  let repository: SQLiteRepository<Item>

  init(path: String) throws {
    repository = try SQLiteRepository(SQLiteDatabase(path: path))
    evocation.register(for: Item.self).repository(local: repository).strategy(.localOnly)
  }

  func store(_ items: [Item]) async throws {
    try await expect(evocation.store(items).get().count == items.count)
  }

  func storeOrUpdate(_ items: [Item]) async throws {
    try await expect(evocation.storeOrUpdate(items).get().count == items.count)
  }

  func remove(_ items: [Item]) async throws {
    try await expect(evocation.remove(items).get().count == items.count)
  }

  func storeOne(_ item: Item) async throws {
    _ = try await evocation.storeOne(item).get()
  }

  func findAll() async throws -> [Item] {
    try await evocation.find(model: Item.self).get()
  }

  func findOne(_ id: Int64) async throws -> Item? {
    try await evocation.findOne(model: Item.self, criteria: ["id": id]).get()
  }
}
