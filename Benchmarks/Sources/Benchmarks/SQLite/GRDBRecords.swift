import Foundation
import GRDB

/// The record that GRDB derives from `Codable`; dates are numbers, as in the other contenders.
extension Item: GRDBRecord {
  static let databaseTableName = "item"

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  init(_ item: Item) { self = item }

  var item: Item { self }
}

/// The record, with a mapping of its columns written by hand.
struct HandRecord: GRDBRecord {
  static let databaseTableName = "item"

  let item: Item

  init(_ item: Item) { self.item = item }

  init(row: Row) {
    item = Item(
      id: row[0], name: row[1], price: row[2], tags: row[3],
      updatedAt: Date(timeIntervalSinceReferenceDate: row[4]))
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = item.id
    container["name"] = item.name
    container["price"] = item.price
    container["tags"] = item.tags
    container["updatedAt"] = item.updatedAt.timeIntervalSinceReferenceDate
  }
}
