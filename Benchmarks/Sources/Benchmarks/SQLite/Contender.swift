/// A way to keep items in a database file, to be compared with the others.
protocol Contender: Sendable {
  /// Opens the file, and makes the table where it is missing.
  init(path: String) throws

  func store(_ items: [Item]) async throws
  func storeOrUpdate(_ items: [Item]) async throws
  func remove(_ items: [Item]) async throws
  func storeOne(_ item: Item) async throws
  func findAll() async throws -> [Item]
  func findOne(_ id: Int64) async throws -> Item?
}
