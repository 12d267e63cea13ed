import Foundation

extension Criteria.Predicate {
  /// Whether a model satisfies the predicate, which must be resolved against the model's schema.
  ///
  /// The logic has two values. A comparison with null is false, except for `equal` and `notEqual`,
  /// and `not` reverses every result.
  package func matches(_ fields: Fields) -> Bool {
    // Loops and not closures, which would take more of the stack at each level.
    switch self {
    case .all(let parts):
      for part in parts where !part.matches(fields) { return false }
      return true
    case .any(let parts):
      for part in parts where part.matches(fields) { return true }
      return false
    case .not(let part): return !part.matches(fields)
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      return termMatches(fields)
    }
  }

  private func termMatches(_ fields: Fields) -> Bool {
    switch self {
    case .comparison(let key, let comparison, let operand):
      comparison.holds(fields.field(at: key), operand.value)
    case .isIn(let key, let values):
      Self.isIn(fields.field(at: key), values)
    case .between(let key, let lower, let upper):
      Self.isBetween(fields.field(at: key), lower, upper: upper)
    case .isNull(let key):
      fields.field(at: key) == .scalar(.null)
    case .hasPrefix(let key, let prefix):
      fields.field(at: key).text?.utf8.starts(with: prefix.utf8) ?? false
    case .contains(let key, let operand):
      Self.contains(fields.field(at: key), operand.value)
    case .text(let key, let comparison, let text, let options):
      Self.holds(
        comparison, fields.field(at: key), other: options.folded(text), options: options)
    // Only an index or a service knows, so nobody asks here who has not looked at `isOpaque` first.
    case .matching, .parameter: true
    case .all, .any, .not: matches(fields)
    }
  }

  private static func isIn(_ field: Field, _ values: [Criteria.Scalar]) -> Bool {
    values.contains { Criteria.Comparison.equal.holds(field, $0) }
  }

  private static func isBetween(
    _ field: Field, _ lower: Criteria.Scalar, upper: Criteria.Scalar
  ) -> Bool {
    Criteria.Comparison.greaterOrEqual.holds(field, lower)
      && Criteria.Comparison.lessOrEqual.holds(field, upper)
  }

  private static func contains(_ field: Field, _ value: Criteria.Scalar) -> Bool {
    if case .list(let elements) = field {
      return elements.contains { element in
        guard case .scalar(let scalar) = element else { return false }
        return ScalarOrder.of(.nestedForm(scalar), value) == .same
      }
    }
    guard let text = field.text, case .text(let part) = value else { return false }
    return text.hasBytes(part)
  }
}

extension Criteria.Predicate {
  /// Whether a text, or for `contains` an element of a list, compares with a folded text.
  private static func holds(
    _ comparison: Criteria.TextComparison, _ field: Field, other: String,
    options: Criteria.CompareOptions
  ) -> Bool {
    if case .list(let elements) = field, comparison == .contains {
      return elements.contains { holds(.equal, $0, other: other, options: options) }
    }
    guard let text = field.text else { return false }
    return comparison.holds(options.folded(text), other)
  }
}

extension Criteria.Comparison {
  /// Whether the comparison holds between a field and a value; a list or an object equals no value.
  func holds(_ field: Field, _ value: Criteria.Scalar) -> Bool {
    guard case .scalar(let scalar) = field else { return self == .notEqual }
    let order = ScalarOrder.of(scalar, value)
    var isOrdered: Bool { scalar != .null && value != .null }
    return switch self {
    case .equal: order == .same
    case .notEqual: order != .same
    case .less: isOrdered && order == .less
    case .lessOrEqual: isOrdered && order != .greater
    case .greater: isOrdered && order == .greater
    case .greaterOrEqual: isOrdered && order != .less
    }
  }
}

extension Field {
  fileprivate var text: String? {
    switch self {
    case .scalar(.text(let value)): value
    case .scalar(.url(let value)): value.absoluteString
    case .scalar, .list, .object: nil
    }
  }
}

extension String {
  /// Whether the text has these bytes; `contains` would also match canonical equivalents.
  func hasBytes(_ part: String) -> Bool {
    let part = Array(part.utf8)
    guard let first = part.first else { return true }
    var rest = Substring(self).utf8
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
