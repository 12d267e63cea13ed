/// A way to store items in a database file, to be compared with others.
protocol Contender: Sendable {
  /// The type in which it takes an item.
  associatedtype Row: Identifiable<Int64> & Sendable = Item

  /// Returns the items as the type that the calls take.
  static func rows(_ items: [Item]) -> [Row]

  /// Opens the file, and creates the table if it is missing.
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
