/// An item as the repository on SQLite takes it: by `Codable`, or mapped by hand.
protocol ItemModel: Codable, Identifiable<Int64>, Sendable {
  init(_ item: Item)
}

extension Item: ItemModel {}
