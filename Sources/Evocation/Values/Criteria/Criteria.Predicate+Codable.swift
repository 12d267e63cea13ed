extension Criteria.Predicate {
  private struct Comparand: Codable {
    let key: Criteria.Key
    let value: Criteria.Operand
  }

  private struct List: Codable {
    let key: Criteria.Key
    let values: [Criteria.Scalar]
  }

  private struct Bounds: Codable {
    let key: Criteria.Key
    let lower, upper: Criteria.Scalar
  }

  private struct Prefix: Codable {
    let key: Criteria.Key
    let prefix: String
  }

  private struct Text: Codable {
    let key: Criteria.Key
    let comparison: Criteria.TextComparison
    let text: String
    let options: Criteria.CompareOptions
  }

  /// Reads the format of ``encode(to:)``: an object with one key, the operator.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.container(keyedBy: AnyKey.self), level: 0)
  }

  /// Reads what is nested by calling itself, since a decoder would take more of the stack.
  private init(_ object: KeyedDecodingContainer<AnyKey>, level: Int) throws {
    let keys = object.allKeys
    guard keys.count == 1, let name = keys.first?.stringValue else {
      throw Self.noOperator(in: object)
    }
    guard ["all", "any", "not"].contains(name) else {
      self = try Self.term(name, in: object)
      return
    }
    guard level < Criteria.mostCodedLevels else { throw Self.tooDeep(object.codingPath) }
    if name == "not" {
      let part = try object.nestedContainer(keyedBy: AnyKey.self, forKey: keys[0])
      self = .not(try Self(part, level: level + 1))
      return
    }
    var list = try object.nestedUnkeyedContainer(forKey: keys[0])
    var parts: [Self] = []
    while !list.isAtEnd {
      parts.append(try Self(list.nestedContainer(keyedBy: AnyKey.self), level: level + 1))
    }
    self = name == "all" ? .all(parts) : .any(parts)
  }

  private static func term(
    _ name: String, in object: KeyedDecodingContainer<AnyKey>
  ) throws -> Self {
    func parts<Parts: Decodable>(_ type: Parts.Type) throws -> Parts {
      try object.decode(type, forKey: AnyKey(name))
    }
    switch name {
    case "in":
      let list = try parts(List.self)
      return .isIn(list.key, list.values)
    case "between":
      let bounds = try parts(Bounds.self)
      return .between(bounds.key, bounds.lower, bounds.upper)
    case "isNull": return .isNull(try parts(Criteria.Key.self))
    case "hasPrefix":
      let prefix = try parts(Prefix.self)
      return .hasPrefix(prefix.key, prefix.prefix)
    case "contains":
      let comparand = try parts(Comparand.self)
      return .contains(comparand.key, comparand.value)
    case "text":
      let text = try parts(Text.self)
      return .text(text.key, text.comparison, text.text, text.options)
    case "matching": return .matching(try parts(String.self))
    case "parameter":
      let comparand = try parts(Comparand.self)
      return .parameter(comparand.key, comparand.value)
    default:
      guard let comparison = Criteria.Comparison(rawValue: name) else {
        throw noOperator(in: object)
      }
      let comparand = try parts(Comparand.self)
      return .comparison(comparand.key, comparison, comparand.value)
    }
  }

  /// Writes an object with one key, such as `{"less": {"key": "year", "value": 2002}}`.
  ///
  /// - Throws: ``EvocationError/nestedTooDeeply(most:)``, or an error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    guard levels <= Criteria.mostCodedLevels else {
      throw EvocationError.nestedTooDeeply(most: Criteria.mostCodedLevels)
    }
    var object = encoder.container(keyedBy: AnyKey.self)
    try encode(into: &object)
  }

  /// Writes what is nested by calling itself, as it is read.
  private func encode(into object: inout KeyedEncodingContainer<AnyKey>) throws {
    switch self {
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      try encodeTerm(&object)
    case .all(let parts):
      try Self.encode(parts, object.nestedUnkeyedContainer(forKey: AnyKey("all")))
    case .any(let parts):
      try Self.encode(parts, object.nestedUnkeyedContainer(forKey: AnyKey("any")))
    case .not(let part):
      var inner = object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("not"))
      try part.encode(into: &inner)
    }
  }

  private static func encode(
    _ parts: [Self], _ list: any UnkeyedEncodingContainer
  ) throws {
    var list = list
    for part in parts {
      var inner = list.nestedContainer(keyedBy: AnyKey.self)
      try part.encode(into: &inner)
    }
  }

  private func encodeTerm(_ object: inout KeyedEncodingContainer<AnyKey>) throws {
    switch self {
    case .comparison(let key, let comparison, let value):
      try object.encode(Comparand(key: key, value: value), forKey: AnyKey(comparison.rawValue))
    case .isIn(let key, let values):
      try object.encode(List(key: key, values: values), forKey: AnyKey("in"))
    case .between(let key, let lower, let upper):
      try object.encode(Bounds(key: key, lower: lower, upper: upper), forKey: AnyKey("between"))
    case .isNull(let key): try object.encode(key, forKey: AnyKey("isNull"))
    case .hasPrefix(let key, let prefix):
      try object.encode(Prefix(key: key, prefix: prefix), forKey: AnyKey("hasPrefix"))
    case .contains(let key, let value):
      try object.encode(Comparand(key: key, value: value), forKey: AnyKey("contains"))
    case .text(let key, let comparison, let text, let options):
      let parts = Text(key: key, comparison: comparison, text: text, options: options)
      try object.encode(parts, forKey: AnyKey("text"))
    case .matching(let words): try object.encode(words, forKey: AnyKey("matching"))
    case .parameter(let key, let value):
      try object.encode(Comparand(key: key, value: value), forKey: AnyKey("parameter"))
    case .all, .any, .not: break
    }
  }

  private static func tooDeep(_ path: [any CodingKey]) -> DecodingError {
    let error = EvocationError.nestedTooDeeply(most: Criteria.mostCodedLevels)
    return .dataCorrupted(
      .init(codingPath: path, debugDescription: error.description, underlyingError: error)
    )
  }

  private static func noOperator(in object: KeyedDecodingContainer<AnyKey>) -> DecodingError {
    let names = object.allKeys.map { "\"\($0.stringValue)\"" }.sorted()
    return .dataCorrupted(
      .init(
        codingPath: object.codingPath,
        debugDescription: "A predicate is an object with one operator, such as \"equal\"; here "
          + (names.isEmpty ? "there is none." : "is \(names.joined(separator: ", ")).")
      )
    )
  }
}
