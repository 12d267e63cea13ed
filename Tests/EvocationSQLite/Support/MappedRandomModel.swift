import EvocationSQLite
import Foundation

/// A random model that is mapped by hand.
struct MappedRandomModel: SQLiteMappedModel {
  enum CodingKeys: CodingKey, CaseIterable {
    case id, flag, number, small, large, largeOrNot, real, realOrNot, price, priceOrNot, name
    case nameOrNot, key, link, at, atOrNot, bytes, fuel, tags, numbers, part, open, loose
  }

  var model: RandomModel
  var id: Int { model.id }

  init(_ model: RandomModel) { self.model = model }

  init(from decoder: any Decoder) throws { model = try RandomModel(from: decoder) }

  func encode(to encoder: any Encoder) throws { try model.encode(to: encoder) }

  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    model = RandomModel(
      id: try row.read(.id), flag: try row.read(.flag), number: try row.read(.number),
      small: try row.readIfPresent(.small), large: try row.read(.large),
      largeOrNot: try row.readIfPresent(.largeOrNot), real: try row.read(.real),
      realOrNot: try row.readIfPresent(.realOrNot), price: try row.read(.price),
      priceOrNot: try row.readIfPresent(.priceOrNot), name: try row.read(.name),
      nameOrNot: try row.readIfPresent(.nameOrNot), key: try row.readIfPresent(.key),
      link: try row.readIfPresent(.link), at: try row.read(.at),
      atOrNot: try row.readIfPresent(.atOrNot), bytes: try row.readIfPresent(.bytes),
      fuel: try row.read(.fuel), tags: try row.read(.tags), numbers: try row.read(.numbers),
      part: try row.readIfPresent(.part), open: try row.read(.open),
      loose: try row.readIfPresent(.loose))
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.writeIfPresent(model.loose, to: .loose)
    try row.write(model.open, to: .open)
    try row.writeIfPresent(model.part, to: .part)
    // An optional is a value too, if a slower one.
    try row.write(model.numbers, to: .numbers)
    try row.write(model.tags, to: .tags)
    try row.write(model.fuel, to: .fuel)
    try row.writeIfPresent(model.bytes, to: .bytes)
    try row.write(model.atOrNot, to: .atOrNot)
    try row.write(model.at, to: .at)
    try row.writeIfPresent(model.link, to: .link)
    try row.writeIfPresent(model.key, to: .key)
    try row.writeIfPresent(model.nameOrNot, to: .nameOrNot)
    try row.write(model.name, to: .name)
    try row.writeIfPresent(model.priceOrNot, to: .priceOrNot)
    try row.write(model.price, to: .price)
    try row.writeIfPresent(model.realOrNot, to: .realOrNot)
    try row.write(model.real, to: .real)
    try row.writeIfPresent(model.largeOrNot, to: .largeOrNot)
    try row.write(model.large, to: .large)
    try row.writeIfPresent(model.small, to: .small)
    try row.write(model.number, to: .number)
    try row.write(model.flag, to: .flag)
    try row.write(model.id, to: .id)
  }
}
