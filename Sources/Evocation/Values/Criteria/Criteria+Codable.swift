extension Criteria {
  private enum Name: String, CodingKey, CaseIterable {
    case predicate = "where"
    case order, limit, offset
    case cursor = "after"
  }

  /// Reads the format of ``encode(to:)``; a missing field has no effect.
  public init(from decoder: any Decoder) throws {
    let all = try decoder.container(keyedBy: AnyKey.self)
    for key in all.allKeys where Name(stringValue: key.stringValue) == nil {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: all.codingPath + [key],
          debugDescription: "Criteria have no \"\(key.stringValue)\", only "
            + Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + "."
        )
      )
    }
    let container = try decoder.container(keyedBy: Name.self)
    self.init(
      try container.decodeIfPresent(Predicate.self, forKey: .predicate),
      order: try container.decodeIfPresent([Sort].self, forKey: .order) ?? [],
      limit: try Self.count(.limit, in: container),
      offset: try Self.count(.offset, in: container) ?? 0,
      cursor: try container.decodeIfPresent(Cursor.self, forKey: .cursor)
    )
  }

  /// Writes `where`, `order`, `limit`, `offset` and `after`, without those that have no effect.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encodeIfPresent(predicate, forKey: .predicate)
    if !order.isEmpty { try container.encode(order, forKey: .order) }
    try container.encodeIfPresent(limit, forKey: .limit)
    if offset != 0 { try container.encode(offset, forKey: .offset) }
    try container.encodeIfPresent(cursor, forKey: .cursor)
  }

  private static func count(
    _ name: Name, in container: KeyedDecodingContainer<Name>
  ) throws -> Int? {
    guard let count = try container.decodeIfPresent(Int.self, forKey: name) else { return nil }
    guard count >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: name, in: container,
        debugDescription: "The \(name.rawValue) is negative."
      )
    }
    return count
  }
}

extension Criteria.Operand {
  /// Reads a plain or tagged value.
  public init(from decoder: any Decoder) throws {
    self.init(try Criteria.Scalar(from: decoder))
  }

  /// Writes the value; ``original`` is lost.
  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}
