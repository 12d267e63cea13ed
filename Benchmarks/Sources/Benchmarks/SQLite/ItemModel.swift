/// An item for the SQLite repository: by `Codable`, or mapped by hand.
protocol ItemModel: Codable, Identifiable<Int64>, Sendable {
  init(_ item: Item)
}

extension Item: ItemModel {}
