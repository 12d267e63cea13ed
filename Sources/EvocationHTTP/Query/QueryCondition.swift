import Evocation

/// One condition on one property, as an operator of ``HTTPFilters`` and its values.
struct QueryCondition {
  let key: Criteria.Key
  let operation: HTTPFilters.Operator
  let values: [Criteria.Scalar]

  init(_ key: Criteria.Key, _ operation: HTTPFilters.Operator, _ values: [Criteria.Scalar]) {
    self.key = key
    self.operation = operation
    self.values = values
  }

  init(_ key: Criteria.Key, _ comparison: Criteria.Comparison, _ value: Criteria.Scalar) {
    switch (comparison, value) {
    case (.equal, .null): self.init(key, .isNull, [])
    case (.notEqual, .null): self.init(key, .isNotNull, [])
    case (.equal, _): self.init(key, .equal, [value])
    case (.notEqual, _): self.init(key, .notEqual, [value])
    case (.less, _): self.init(key, .less, [value])
    case (.lessOrEqual, _): self.init(key, .lessOrEqual, [value])
    case (.greater, _): self.init(key, .greater, [value])
    case (.greaterOrEqual, _): self.init(key, .greaterOrEqual, [value])
    }
  }

  /// Whether its values stand in a list.
  var takesList: Bool { operation == .isIn || operation == .between }
}

/// A predicate as a query says it: one condition, or others that are joined or turned round.
enum QueryPart {
  case condition(QueryCondition)
  case all([Criteria.Predicate])
  case any([Criteria.Predicate])
  case not(Criteria.Predicate)

  init(_ predicate: Criteria.Predicate) {
    self =
      switch predicate {
      case .comparison(let key, let comparison, let operand):
        .condition(QueryCondition(key, comparison, operand.value))
      case .isIn(let key, let values): .condition(QueryCondition(key, .isIn, values))
      case .between(let key, let lower, let upper):
        .condition(QueryCondition(key, .between, [lower, upper]))
      case .isNull(let key): .condition(QueryCondition(key, .isNull, []))
      case .hasPrefix(let key, let prefix):
        .condition(QueryCondition(key, .hasPrefix, [.text(prefix)]))
      case .contains(let key, let operand):
        .condition(QueryCondition(key, .contains, [operand.value]))
      case .all(let parts): .all(parts)
      case .any(let parts): .any(parts)
      case .not(let part): .not(part)
      }
  }
}

extension HTTPFilters.Operator {
  /// How sentences name it.
  var word: String {
    switch self {
    case .equal: "="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .isIn: "in"
    case .between: "between"
    case .isNull: "null"
    case .isNotNull: "not null"
    case .hasPrefix: "prefix"
    case .contains: "contains"
    }
  }
}

extension HTTPFilters {
  /// Whether the service has an operator.
  func has(_ operation: Operator) -> Bool {
    items[operation] != nil || operators[operation] != nil
  }

  /// The name of a property of which these are the parts.
  func name(_ parts: [String], ofText isText: Bool) -> String {
    guard isText, let textSeparator, let last = parts.last, parts.count > 1 else {
      return parts.joined(separator: separator)
    }
    return parts.dropLast().joined(separator: separator) + textSeparator + last
  }

  /// Whether the name of a property that stands alone would be read as an operator and a key.
  func isAmbiguous(_ name: String) -> Bool {
    let own = items.map { (name: QueryTemplate(pattern: $1).parts.name, word: operators[$0]) }
    let named = operators.map { (name: QueryTemplate(pattern: pattern).parts.name, word: $1) }
    return (own + named).contains { template, word in
      let parts = template.filled(word.map { ["op": $0] } ?? [:]).split(
        separator: "{key}", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let before = parts.first, let behind = parts.last,
        name.count > before.count + behind.count, !(before + behind).isEmpty
      else { return false }
      return name.hasPrefix(before) && name.hasSuffix(behind)
    }
  }

  /// The names of items that are no properties.
  var taken: Set<String> {
    var names = reserved
    for name in [sort.name, after, groups?.any, groups?.all] { name.map { _ = names.insert($0) } }
    switch paging {
    case .offset(let limit, let offset): names.formUnion([limit, offset])
    case .page(let number, let size, _): names.formUnion([number, size ?? number])
    case .range: break
    case .limit(let limit): names.insert(limit)
    }
    return names
  }
}
