extension Criteria.Predicate: Codable {
  enum Name: String, CodingKey, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case isIn = "in"
    case between, isNull, hasPrefix, contains, all, any, not
  }

  enum Part: String, CodingKey {
    case key, value, values, lower, upper, prefix
  }

  /// Writes an object with one key, such as `{"less": {"key": "year", "value": 2002}}`.
  ///
  /// - Throws: ``EvocationError/nestedTooDeeply(most:)``, or an error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    guard levels <= Criteria.mostCodedLevels else {
      throw EvocationError.nestedTooDeeply(most: Criteria.mostCodedLevels)
    }
    var open = [(predicate: self, object: encoder.container(keyedBy: Name.self))]
    while case (let predicate, var object)? = open.popLast() {
      guard let (join, parts) = predicate.joined else {
        try predicate.encodeTerm(to: &object)
        continue
      }
      if join == .not {
        open += parts.map { ($0, object.nestedContainer(keyedBy: Name.self, forKey: .not)) }
      } else {
        var list = object.nestedUnkeyedContainer(forKey: join == .all ? .all : .any)
        open += parts.map { ($0, list.nestedContainer(keyedBy: Name.self)) }
      }
    }
  }

  private func encodeTerm(to object: inout KeyedEncodingContainer<Name>) throws {
    switch self {
    case .isNull(let key): try object.encode(key, forKey: .isNull)
    case .comparison(let key, let comparison, let operand):
      var parts = object.nestedContainer(keyedBy: Part.self, forKey: Name(comparison))
      try parts.encode(key, forKey: .key)
      try parts.encode(operand, forKey: .value)
    case .isIn(let key, let values):
      var parts = object.nestedContainer(keyedBy: Part.self, forKey: .isIn)
      try parts.encode(key, forKey: .key)
      try parts.encode(values, forKey: .values)
    case .between(let key, let lower, let upper):
      var parts = object.nestedContainer(keyedBy: Part.self, forKey: .between)
      try parts.encode(key, forKey: .key)
      try parts.encode(lower, forKey: .lower)
      try parts.encode(upper, forKey: .upper)
    case .hasPrefix(let key, let prefix):
      var parts = object.nestedContainer(keyedBy: Part.self, forKey: .hasPrefix)
      try parts.encode(key, forKey: .key)
      try parts.encode(prefix, forKey: .prefix)
    case .contains(let key, let operand):
      var parts = object.nestedContainer(keyedBy: Part.self, forKey: .contains)
      try parts.encode(key, forKey: .key)
      try parts.encode(operand, forKey: .value)
    case .all, .any, .not: break
    }
  }
}

extension Criteria.Predicate.Name {
  fileprivate init(_ comparison: Criteria.Comparison) {
    switch comparison {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    }
  }
}
