/// A way to keep items in a database file, to be compared with the others.
protocol Contender: Sendable {
  /// What it takes an item for.
  associatedtype Row: Identifiable<Int64> & Sendable = Item

  /// Makes of the items what the calls take.
  static func rows(_ items: [Item]) -> [Row]

  /// Opens the file, and makes the table where it is missing.
  init(path: String) throws

  func store(_ rows: [Row]) async throws
  func storeOrUpdate(_ rows: [Row]) async throws
  func remove(_ rows: [Row]) async throws
  func storeOne(_ row: Row) async throws
  func findAll() async throws -> [Row]
  func findOne(_ id: Int64) async throws -> Row?
}

extension Contender where Row == Item {
  static func rows(_ items: [Item]) -> [Item] { items }
}
