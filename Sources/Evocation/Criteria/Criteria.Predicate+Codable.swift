extension Criteria.Predicate: Codable {
  private enum Name: String, CodingKey, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case isIn = "in"
    case between, isNull, hasPrefix, contains, all, any, not
  }

  private enum Part: String, CodingKey {
    case key, value, values, lower, upper, prefix
  }

  /// Reads what ``encode(to:)`` writes: an object with one key, the operator.
  public init(from decoder: any Decoder) throws {
    let names = try decoder.container(keyedBy: NameKey.self).allKeys.map(\.stringValue)
    guard names.count == 1, let name = Name(rawValue: names[0]) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "A predicate is an object with one operator, such as \"equal\"; here "
            + (names.isEmpty
              ? "is none." : "is \(names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")).")
        )
      )
    }
    let container = try decoder.container(keyedBy: Name.self)
    switch name {
    case .isNull: self = .isNull(try container.decode(Criteria.Key.self, forKey: name))
    case .all: self = .all(try container.decode([Self].self, forKey: name))
    case .any: self = .any(try container.decode([Self].self, forKey: name))
    case .not: self = .not(try container.decode(Self.self, forKey: name))
    default: try self.init(name, container.nestedContainer(keyedBy: Part.self, forKey: name))
    }
  }

  private init(_ name: Name, _ parts: KeyedDecodingContainer<Part>) throws {
    let key = try parts.decode(Criteria.Key.self, forKey: .key)
    switch name {
    case .isIn:
      self = .isIn(key, try parts.decode([Criteria.Scalar].self, forKey: .values))
    case .between:
      self = .between(
        key, try parts.decode(Criteria.Scalar.self, forKey: .lower),
        try parts.decode(Criteria.Scalar.self, forKey: .upper)
      )
    case .hasPrefix:
      self = .hasPrefix(key, try parts.decode(String.self, forKey: .prefix))
    case .contains:
      self = .contains(key, try parts.decode(Criteria.Operand.self, forKey: .value))
    default:
      let comparison = Criteria.Comparison(rawValue: name.rawValue) ?? .equal
      let operand = try parts.decode(Criteria.Operand.self, forKey: .value)
      self = .comparison(key, comparison, operand)
    }
  }

  /// Writes an object with one key, such as `{"less": {"key": "year", "value": 2002}}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    switch self {
    case .isNull(let key): try container.encode(key, forKey: .isNull)
    case .all(let parts): try container.encode(parts, forKey: .all)
    case .any(let parts): try container.encode(parts, forKey: .any)
    case .not(let part): try container.encode(part, forKey: .not)
    case .comparison(let key, let comparison, let operand):
      let name = Name(rawValue: comparison.rawValue) ?? .equal
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: name)
      try parts.encode(key, forKey: .key)
      try parts.encode(operand, forKey: .value)
    case .isIn(let key, let values):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .isIn)
      try parts.encode(key, forKey: .key)
      try parts.encode(values, forKey: .values)
    case .between(let key, let lower, let upper):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .between)
      try parts.encode(key, forKey: .key)
      try parts.encode(lower, forKey: .lower)
      try parts.encode(upper, forKey: .upper)
    case .hasPrefix(let key, let prefix):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .hasPrefix)
      try parts.encode(key, forKey: .key)
      try parts.encode(prefix, forKey: .prefix)
    case .contains(let key, let operand):
      var parts = container.nestedContainer(keyedBy: Part.self, forKey: .contains)
      try parts.encode(key, forKey: .key)
      try parts.encode(operand, forKey: .value)
    }
  }
}
