import Foundation

/// The row of the suite "sqlite": five columns, as in common models of apps.
struct Item: Codable, Identifiable, Hashable, Sendable {
  static let create = """
    CREATE TABLE item (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, price REAL NOT NULL, \
    tags TEXT, updatedAt REAL NOT NULL)
    """

  var id: Int64
  var name: String
  var price: Double
  var tags: String?
  var updatedAt: Date

  /// Creates the item of a number; its name has 20 characters, and every second item has tags.
  init(_ number: Int) {
    id = Int64(number)
    let digits = String(number)
    name = "item name " + String(repeating: "0", count: 10 - digits.count) + digits
    price = Double(number % 9_973) + 0.25
    tags = number.isMultiple(of: 2) ? "red,green,blue" : nil
    updatedAt = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number))
  }

  init(id: Int64, name: String, price: Double, tags: String?, updatedAt: Date) {
    self.id = id
    self.name = name
    self.price = price
    self.tags = tags
    self.updatedAt = updatedAt
  }

  /// Returns items with the numbers from zero.
  static func make(_ count: Int) -> [Item] { (0..<count).map { Item($0) } }
}
