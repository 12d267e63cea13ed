import EvocationSQLite
import Foundation

/// The item, with a mapping of its columns written by hand.
struct MappedItem: SQLiteMappedModel, ItemModel {
  enum CodingKeys: CodingKey, CaseIterable { case id, name, price, tags, updatedAt }

  var id: Int64
  var name: String
  var price: Double
  var tags: String?
  var updatedAt: Date

  init(_ item: Item) {
    id = item.id
    name = item.name
    price = item.price
    tags = item.tags
    updatedAt = item.updatedAt
  }

  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    id = try row.read(.id)
    name = try row.read(.name)
    price = try row.read(.price)
    tags = try row.readIfPresent(.tags)
    updatedAt = try row.read(.updatedAt)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(id, to: .id)
    try row.write(name, to: .name)
    try row.write(price, to: .price)
    try row.writeIfPresent(tags, to: .tags)
    try row.write(updatedAt, to: .updatedAt)
  }
}
