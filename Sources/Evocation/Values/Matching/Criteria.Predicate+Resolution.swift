extension Criteria.Predicate {
  func resolved(against schema: ModelSchema) throws(EvocationError) -> Self {
    try folded { (term, _) throws(EvocationError) in
      try term.termResolved(against: schema)
    } _: { (join, parts, _) throws(EvocationError) in
      join.of(parts)
    }
  }

  private func termResolved(against schema: ModelSchema) throws(EvocationError) -> Self {
    switch self {
    case .comparison(let key, let comparison, let operand):
      let value = try operand.value.coerced(to: schema.target(of: key), key: key)
      return .comparison(key, comparison, Criteria.Operand(value))
    case .isIn(let key, let values):
      let target = try schema.target(of: key)
      var coerced: [Criteria.Scalar] = []
      for value in values { coerced.append(try value.coerced(to: target, key: key)) }
      return .isIn(key, coerced)
    case .between(let key, let lower, let upper):
      let target = try schema.target(of: key)
      return .between(
        key, try lower.coerced(to: target, key: key), try upper.coerced(to: target, key: key)
      )
    case .isNull(let key):
      _ = try schema.target(of: key)
      return self
    case .hasPrefix(let key, _):
      let kind = try schema.target(of: key).kind
      guard kind.isText else {
        throw .incomparableValue(
          key: key.name, reason: "the key holds \(kind), and only text has a prefix"
        )
      }
      return self
    case .contains(let key, let operand):
      let target = try schema.target(of: key)
      return .contains(key, try Self.element(operand, of: target, key: key))
    case .text(let key, let comparison, _, _):
      let target = try schema.target(of: key)
      guard comparison.compares(target.kind) else {
        throw .incomparableValue(
          key: key.name,
          reason: "the key holds \(target.kind), and options compare only text"
            + (comparison == .contains ? " and lists of it" : ""))
      }
      return self
    case .matching, .parameter, .all, .any, .not: return self
    }
  }

  private static func element(
    _ operand: Criteria.Operand, of target: ModelSchema.Target, key: Criteria.Key
  ) throws(EvocationError) -> Criteria.Operand {
    switch target.kind {
    case .scalar(.text), .scalar(.url):
      guard case .text = operand.value else {
        throw .incomparableValue(
          key: key.name, reason: "the key holds text, which contains only text"
        )
      }
      return operand
    case .list(.object), .list(.list):
      throw .incomparableValue(
        key: key.name, reason: "the key holds a list whose elements are not single values"
      )
    case .list(let kind):
      let value = try operand.value.coerced(to: kind, key: key)
      return Criteria.Operand(Criteria.Scalar.nestedForm(value))
    case .json:
      return Criteria.Operand(Criteria.Scalar.nestedForm(operand.value))
    case .scalar, .object:
      throw .incomparableValue(
        key: key.name,
        reason: "the key holds \(target.kind), and only text and lists contain something"
      )
    }
  }
}

extension Criteria.TextComparison {
  fileprivate func compares(_ kind: ModelSchema.Kind) -> Bool {
    if kind.isText { return true }
    guard self == .contains, case .list(let element) = kind else { return false }
    return element.isText
  }
}

extension ModelSchema.Kind {
  /// Whether values of the kind may be text, which has parts, case and accents.
  package var isText: Bool {
    self == .scalar(.text) || self == .scalar(.url) || self == .json
  }
}
