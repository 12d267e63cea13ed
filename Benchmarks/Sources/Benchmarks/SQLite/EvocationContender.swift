import Evocation
import EvocationSQLite

/// Stores items by `Evocation`, with a strategy that uses only the local repository.
struct EvocationContender<Model: ItemModel>: Contender {
  let evocation = Evocation()
  let repository: SQLiteRepository<Model>

  static func rows(_ items: [Item]) -> [Model] { items.map { Model($0) } }

  init(path: String) throws {
    repository = try SQLiteRepository(SQLiteDatabase(path: path), table: "item")
    evocation.register(for: Model.self).repository(local: repository).strategy(.localOnly)
  }

  func store(_ items: [Model]) async throws {
    try await expect(evocation.store(items).get().count == items.count)
  }

  func storeOrUpdate(_ items: [Model]) async throws {
    try await expect(evocation.storeOrUpdate(items).get().count == items.count)
  }

  func remove(_ items: [Model]) async throws {
    try await expect(evocation.remove(items).get().count == items.count)
  }

  func storeOne(_ item: Model) async throws {
    _ = try await evocation.storeOne(item).get()
  }

  func findAll() async throws -> [Model] {
    try await evocation.find(model: Model.self).get()
  }

  func findOne(_ id: Int64) async throws -> Model? {
    try await evocation.findOne(model: Model.self, criteria: ["id": id]).get()
  }
}
