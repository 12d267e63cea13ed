internal import Evocation

extension SQLPredicate {
  /// Whether text begins with these bytes: a range, so that an index serves.
  func hasPrefix(_ place: SQLExpression, _ prefix: String, _ negated: Bool) -> SQLQuery {
    guard !prefix.isEmpty else {
      if place.kind == .json {
        return SQLQuery("typeof(\(place.value)) IS \(negated ? "NOT " : "")'text'")
      }
      guard place.isNullable else { return negated ? .never : .always }
      return SQLQuery("\(place.value) IS \(negated ? "NULL" : "NOT NULL")")
    }
    // The last byte of UTF-8 is never the greatest byte there is, so the next one ends the range.
    var end = Array(prefix.utf8)
    end[end.count - 1] += 1
    let value = place.value
    guard negated else {
      return .all([
        SQLQuery("\(value) >= ?", [.text(prefix)]), SQLQuery("\(value) < ?", [.textBytes(end)]),
      ])
    }
    return .any(
      [
        SQLQuery("\(value) < ?", [.text(prefix)]), SQLQuery("\(value) >= ?", [.textBytes(end)]),
      ] + (place.isNullable ? [SQLQuery("\(value) IS NULL")] : []))
  }

  /// Whether text has these bytes somewhere, or a list this element.
  func contains(_ place: SQLExpression, _ value: Criteria.Scalar, _ negated: Bool) -> SQLQuery {
    switch place.kind {
    case .list(let kind):
      return hasElement(place, kind, value, negated)
    case .json:
      let isElement: SQLQuery = .all([
        SQLQuery(place.isList), hasElement(place, .json, value, false),
      ])
      guard case .text(let text) = value else { return Self.truth(isElement, negated) }
      let isPart: SQLQuery = .all([
        SQLQuery("typeof(\(place.value)) = 'text'"),
        SQLQuery("instr(\(place.value), ?) > 0", [.text(text)]),
      ])
      return Self.truth(.any([isElement, isPart]), negated)
    case .scalar, .object:
      guard case .text(let text) = value else { return negated ? .always : .never }
      let condition = SQLQuery("instr(\(place.value), ?) \(negated ? "=" : ">") 0", [.text(text)])
      guard negated, place.isNullable else { return condition }
      return .any([condition, SQLQuery("\(place.value) IS NULL")])
    }
  }

  private func hasElement(
    _ place: SQLExpression, _ kind: ModelSchema.Kind, _ value: Criteria.Scalar, _ negated: Bool
  ) -> SQLQuery {
    let element = place.element(of: kind)
    let condition =
      value == .null
      ? SQLQuery("evocation_element.type = 'null'")
      : SQLQuery("\(element) = ?", [SQLValue(Criteria.Scalar.nestedForm(value))])
    return SQLQuery("\(negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(place.elements) WHERE ")
      + condition + ")"
  }

  /// A condition that may be unknown, turned into one that is not.
  private static func truth(_ condition: SQLQuery, _ negated: Bool) -> SQLQuery {
    negated ? condition + " IS NOT TRUE" : condition
  }
}
