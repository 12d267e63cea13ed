extension Criteria.Predicate {
  /// A join while its parts are read.
  private struct Open {
    let join: Join
    /// The parts that are not read yet; nil for the one part of a negation.
    var rest: (any UnkeyedDecodingContainer)?
    var parts: [Criteria.Predicate] = []

    var whole: Criteria.Predicate? {
      switch join {
      case .all: .all(parts)
      case .any: .any(parts)
      case .not: parts.first.map { .not($0) }
      }
    }
  }

  /// Reads the format of ``encode(to:)``: an object with one key, the operator.
  public init(from decoder: any Decoder) throws {
    var open: [Open] = []
    var object = try decoder.container(keyedBy: AnyKey.self)
    while true {
      let name = try Self.name(in: object)
      var found: Self?
      if let join = name.join {
        guard open.count < Criteria.mostCodedLevels else { throw Self.tooDeep(object.codingPath) }
        open.append(Open(join: join))
        if join == .not {
          object = try object.nestedContainer(keyedBy: AnyKey.self, forKey: name.key)
          continue
        }
        open[open.count - 1].rest = try object.nestedUnkeyedContainer(forKey: name.key)
      } else {
        found = try Self.term(name, in: object)
      }
      while let last = open.indices.last {
        if let found { open[last].parts.append(found) }
        found = nil
        if open[last].rest?.isAtEnd == false, var rest = open[last].rest {
          object = try rest.nestedContainer(keyedBy: AnyKey.self)
          open[last].rest = rest
          break
        }
        found = open[last].whole
        open.removeLast()
      }
      if open.isEmpty, let found {
        self = found
        return
      }
    }
  }

  private static func name(in object: KeyedDecodingContainer<AnyKey>) throws -> Name {
    let names = object.allKeys.map(\.stringValue)
    guard names.count == 1, let name = Name(rawValue: names[0]) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: object.codingPath,
          debugDescription: "A predicate is an object with one operator, such as \"equal\"; here "
            + (names.isEmpty
              ? "there is none."
              : "is \(names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")).")
        )
      )
    }
    return name
  }

  private static func term(
    _ name: Name, in object: KeyedDecodingContainer<AnyKey>
  ) throws -> Self? {
    if name == .isNull { return .isNull(try object.decode(Criteria.Key.self, forKey: name.key)) }
    let parts = try object.nestedContainer(keyedBy: Part.self, forKey: name.key)
    let key = try parts.decode(Criteria.Key.self, forKey: .key)
    func comparison(_ comparison: Criteria.Comparison) throws -> Self {
      .comparison(key, comparison, try parts.decode(Criteria.Operand.self, forKey: .value))
    }
    switch name {
    case .equal: return try comparison(.equal)
    case .notEqual: return try comparison(.notEqual)
    case .less: return try comparison(.less)
    case .lessOrEqual: return try comparison(.lessOrEqual)
    case .greater: return try comparison(.greater)
    case .greaterOrEqual: return try comparison(.greaterOrEqual)
    case .isIn:
      return .isIn(key, try parts.decode([Criteria.Scalar].self, forKey: .values))
    case .between:
      return .between(
        key, try parts.decode(Criteria.Scalar.self, forKey: .lower),
        try parts.decode(Criteria.Scalar.self, forKey: .upper)
      )
    case .hasPrefix:
      return .hasPrefix(key, try parts.decode(String.self, forKey: .prefix))
    case .contains:
      return .contains(key, try parts.decode(Criteria.Operand.self, forKey: .value))
    case .isNull, .all, .any, .not: return nil
    }
  }

  private static func tooDeep(_ path: [any CodingKey]) -> DecodingError {
    let error = EvocationError.nestedTooDeeply(most: Criteria.mostCodedLevels)
    return .dataCorrupted(
      .init(codingPath: path, debugDescription: error.description, underlyingError: error)
    )
  }
}

extension Criteria.Predicate.Name {
  fileprivate var key: AnyKey { AnyKey(rawValue) }

  fileprivate var join: Criteria.Predicate.Join? {
    switch self {
    case .all: .all
    case .any: .any
    case .not: .not
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between,
      .isNull, .hasPrefix, .contains:
      nil
    }
  }
}
