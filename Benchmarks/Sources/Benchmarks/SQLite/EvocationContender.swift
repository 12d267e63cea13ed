import Evocation
import EvocationSQLite

/// Stores items by `Evocation`, with a strategy that uses only the local repository.
struct EvocationContender<Model: ItemModel>: Contender {
  let evocation = Evocation()
  let repository: SQLiteRepository<Model>

  static func rows(_ items: [Item]) -> [Model] { items.map { Model($0) } }

  init(path: String) throws {
    try self.init(path: path, .severalProcesses)
  }

  init(path: String, _ sharing: SQLiteDatabase.Configuration.Sharing) throws {
    let database = try SQLiteDatabase(path: path, configuration: .init(sharing: sharing))
    repository = try SQLiteRepository(database, table: "item")
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

/// Does the same with a file that no other process may open.
struct EvocationAloneContender: Contender {
  let shared: EvocationContender<Item>

  init(path: String) throws {
    shared = try EvocationContender(path: path, .oneProcess)
  }

  func store(_ items: [Item]) async throws { try await shared.store(items) }
  func storeOrUpdate(_ items: [Item]) async throws { try await shared.storeOrUpdate(items) }
  func remove(_ items: [Item]) async throws { try await shared.remove(items) }
  func storeOne(_ item: Item) async throws { try await shared.storeOne(item) }
  func findAll() async throws -> [Item] { try await shared.findAll() }
  func findOne(_ id: Int64) async throws -> Item? { try await shared.findOne(id) }
}
