internal import Evocation

extension SQLPredicate {
  /// Compares an expression with a value, or requires that the comparison does not hold.
  func compare(
    _ expression: SQLExpression, _ comparison: Criteria.Comparison, _ value: Criteria.Scalar,
    _ negated: Bool
  ) -> SQLQuery {
    if value == .null { return compareWithNull(expression, comparison, negated) }
    let operation = negated ? comparison.negation : comparison
    // A row without a value is not compared, so it satisfies the negation.
    let takesNull = expression.isNullable && (comparison == .notEqual) != negated
    switch SQLOperand(value, expression) {
    case .exact(let value):
      let sign = operation == .notEqual && takesNull ? "IS NOT" : operation.sign
      let condition = SQLQuery(operation.planned("\(expression.value) \(sign) ?"), [value])
      guard takesNull, operation != .notEqual else { return condition }
      return .any([condition, SQLQuery("\(expression.value) IS NULL")])
    case .between(let below, let above):
      let condition: SQLQuery
      switch operation {
      case .equal: return .never
      case .notEqual: return takesNull ? .always : SQLQuery("\(expression.value) IS NOT NULL")
      case .less, .lessOrEqual:
        condition = SQLQuery(operation.planned("\(expression.value) <= ?"), [below])
      case .greater, .greaterOrEqual:
        condition = SQLQuery(operation.planned("\(expression.value) >= ?"), [above])
      }
      return takesNull ? .any([condition, SQLQuery("\(expression.value) IS NULL")]) : condition
    }
  }

  /// Null equals null, and no other comparison with it holds.
  private func compareWithNull(
    _ expression: SQLExpression, _ comparison: Criteria.Comparison, _ negated: Bool
  ) -> SQLQuery {
    guard comparison == .equal || comparison == .notEqual else {
      return negated ? .always : .never
    }
    let isNegative = (comparison == .notEqual) != negated
    guard expression.isNullable else { return isNegative ? .always : .never }
    return SQLQuery("\(expression.raw) IS \(isNegative ? "NOT NULL" : "NULL")")
  }
}

extension Criteria.Comparison {
  /// The comparison that holds if this one does not.
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

  /// Returns the condition with a hint for SQLite's planner.
  ///
  /// Without it, SQLite expects a range with one end to match a fourth of the table, and would read
  /// the whole table in the order of the ids instead of using an index.
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
