internal import Evocation

extension SQLPredicate {
  /// Compares a place with a value, or says when the comparison does not hold.
  func compare(
    _ place: SQLExpression, _ comparison: Criteria.Comparison, _ value: Criteria.Scalar,
    _ negated: Bool
  ) -> SQLQuery {
    if value == .null { return compareWithNull(place, comparison, negated) }
    let operation = negated ? comparison.negation : comparison
    // Whatever is not compared, because there is no value, satisfies the negation.
    let takesNull = place.isNullable && (comparison == .notEqual) != negated
    switch SQLOperand(value, place) {
    case .exact(let value):
      let sign = operation == .notEqual && takesNull ? "IS NOT" : operation.sign
      let condition = SQLQuery(operation.planned("\(place.value) \(sign) ?"), [value])
      guard takesNull, operation != .notEqual else { return condition }
      return .any([condition, SQLQuery("\(place.value) IS NULL")])
    case .between(let below, let above):
      let condition: SQLQuery
      switch operation {
      case .equal: return .never
      case .notEqual: return takesNull ? .always : SQLQuery("\(place.value) IS NOT NULL")
      case .less, .lessOrEqual:
        condition = SQLQuery(operation.planned("\(place.value) <= ?"), [below])
      case .greater, .greaterOrEqual:
        condition = SQLQuery(operation.planned("\(place.value) >= ?"), [above])
      }
      return takesNull ? .any([condition, SQLQuery("\(place.value) IS NULL")]) : condition
    }
  }

  /// Null equals null, and nothing else stands in any relation to it.
  private func compareWithNull(
    _ place: SQLExpression, _ comparison: Criteria.Comparison, _ negated: Bool
  ) -> SQLQuery {
    guard comparison == .equal || comparison == .notEqual else {
      return negated ? .always : .never
    }
    let isNegative = (comparison == .notEqual) != negated
    guard place.isNullable else { return isNegative ? .always : .never }
    return SQLQuery("\(place.raw) IS \(isNegative ? "NOT NULL" : "NULL")")
  }
}

extension Criteria.Comparison {
  /// The comparison that holds when this one does not.
  fileprivate var negation: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  /// The condition as SQLite's planner shall see it.
  ///
  /// It takes a range with one end for a fourth of the table, and would rather read all of it in
  /// the order of the ids than use an index.
  fileprivate func planned(_ condition: String) -> String {
    switch self {
    case .equal, .notEqual: condition
    case .less, .lessOrEqual, .greater, .greaterOrEqual: "likelihood(\(condition), 0.01)"
    }
  }

  fileprivate var sign: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}
