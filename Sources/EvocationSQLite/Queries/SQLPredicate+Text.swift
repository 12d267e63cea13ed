internal import Evocation

extension SQLPredicate {
  /// Requires that text begins with these bytes.
  ///
  /// The condition is a range, so it can use an index.
  func hasPrefix(_ expression: SQLExpression, _ prefix: String, _ negated: Bool) -> SQLQuery {
    guard !prefix.isEmpty else {
      if expression.kind == .json {
        return SQLQuery("typeof(\(expression.value)) IS \(negated ? "NOT " : "")'text'")
      }
      guard expression.isNullable else { return negated ? .never : .always }
      return SQLQuery("\(expression.value) IS \(negated ? "NULL" : "NOT NULL")")
    }
    // The last byte of UTF-8 is never 255, so the next byte ends the range.
    var end = Array(prefix.utf8)
    end[end.count - 1] += 1
    let value = expression.value
    guard negated else {
      return .all([
        SQLQuery("\(value) >= ?", [.text(prefix)]), SQLQuery("\(value) < ?", [.textBytes(end)]),
      ])
    }
    return .any(
      [
        SQLQuery("\(value) < ?", [.text(prefix)]), SQLQuery("\(value) >= ?", [.textBytes(end)]),
      ] + (expression.isNullable ? [SQLQuery("\(value) IS NULL")] : []))
  }

  /// Requires that text contains these bytes, or a list this element.
  func contains(_ expression: SQLExpression, _ value: Criteria.Scalar, _ negated: Bool) -> SQLQuery
  {
    switch expression.kind {
    case .list(let kind):
      return hasElement(expression, kind, value, negated)
    case .json:
      let isElement: SQLQuery = .all([
        SQLQuery(expression.isList), hasElement(expression, .json, value, false),
      ])
      guard case .text(let text) = value else { return Self.truth(isElement, negated) }
      let isPart: SQLQuery = .all([
        SQLQuery("typeof(\(expression.value)) = 'text'"),
        SQLQuery("instr(\(expression.value), ?) > 0", [.text(text)]),
      ])
      return Self.truth(.any([isElement, isPart]), negated)
    case .scalar, .object:
      guard case .text(let text) = value else { return negated ? .always : .never }
      let condition = SQLQuery(
        "instr(\(expression.value), ?) \(negated ? "=" : ">") 0", [.text(text)])
      guard negated, expression.isNullable else { return condition }
      return .any([condition, SQLQuery("\(expression.value) IS NULL")])
    }
  }

  private func hasElement(
    _ expression: SQLExpression, _ kind: ModelSchema.Kind, _ value: Criteria.Scalar, _ negated: Bool
  ) -> SQLQuery {
    let element = expression.element(of: kind)
    let condition =
      value == .null
      ? SQLQuery("evocation_element.type = 'null'")
      : SQLQuery("\(element) = ?", [SQLValue(Criteria.Scalar.nestedForm(value))])
    return SQLQuery("\(negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(expression.elements) WHERE ")
      + condition + ")"
  }

  /// Turns a condition that may be unknown into one that is true or false.
  private static func truth(_ condition: SQLQuery, _ negated: Bool) -> SQLQuery {
    negated ? condition + " IS NOT TRUE" : condition
  }
}
