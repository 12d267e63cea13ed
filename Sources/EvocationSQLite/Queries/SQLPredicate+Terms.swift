internal import Evocation

/// The conditions of single terms, which are true exactly where the term holds.
extension SQLPredicate {
  /// Compares an expression with a value.
  ///
  /// Null equals only null, and is neither less nor greater than any value.
  func compare(
    _ expression: SQLExpression, _ comparison: Criteria.Comparison, value: Criteria.Scalar
  ) -> SQLQuery {
    let sql = expression.value
    if value == .null {
      return switch comparison {
      case .equal: expression.isNull
      case .notEqual: expression.isNotNull
      case .less, .lessOrEqual, .greater, .greaterOrEqual: .never
      }
    }
    switch (SQLOperand(value, expression), comparison) {
    case (.exact(let value), .notEqual):
      return SQLQuery("\(sql) \(expression.isNullable ? "IS NOT" : "<>") ?", [value])
    case (.exact(let value), _):
      return SQLQuery(planned(comparison, "\(sql) \(comparison.sign) ?"), [value])
    case (.between, .equal): return .never
    case (.between, .notEqual): return .always
    case (.between(let below, _), .less), (.between(let below, _), .lessOrEqual):
      return SQLQuery(planned(comparison, "\(sql) <= ?"), [below])
    case (.between(_, let above), .greater), (.between(_, let above), .greaterOrEqual):
      return SQLQuery(planned(comparison, "\(sql) >= ?"), [above])
    }
  }

  /// Returns the condition with a hint for SQLite's planner.
  ///
  /// Without it, SQLite expects a range with one end to match a fourth of the table, and would read
  /// the whole table in the order of the ids instead of using an index.
  private func planned(_ comparison: Criteria.Comparison, _ condition: String) -> String {
    comparison.isRange ? "likelihood(\(condition), \(expectsFew ? "0.01" : "0.9"))" : condition
  }

  /// Requires one of the values.
  func isIn(_ expression: SQLExpression, _ values: [Criteria.Scalar]) -> SQLQuery {
    var wanted: [SQLValue] = []
    for value in values where value != .null {
      if case .exact(let value) = SQLOperand(value, expression) { wanted.append(value) }
    }
    var parts: [SQLQuery] = []
    if !wanted.isEmpty {
      parts.append(SQLQuery("\(expression.value) IN (") + Self.members(wanted) + ")")
    }
    if values.contains(.null) { parts.append(expression.isNull) }
    return .any(parts)
  }

  /// Up to this many values are separate parameters.
  private static let few = 8

  private static func members(_ values: [SQLValue]) -> SQLQuery {
    if values.count <= few { return .list(values.map { SQLQuery("?", [$0]) }) }
    // Calling a function for each value costs as much as the rest.
    let areNumbers = values.allSatisfy { if case .integer = $0 { true } else { false } }
    let value = areNumbers ? "value" : "evocation_unpack(value)"
    return SQLQuery("SELECT \(value) FROM json_each(?)", [.text(PackedValues.array(values))])
  }

  /// Requires that text begins with these bytes.
  ///
  /// The condition is a range, so it can use an index.
  func hasPrefix(_ expression: SQLExpression, _ prefix: String) -> SQLQuery {
    let value = expression.value
    guard !prefix.isEmpty else {
      return expression.kind == .json
        ? SQLQuery("typeof(\(value)) = 'text'") : expression.isNotNull
    }
    return Self.hasPrefix(value, prefix)
  }

  private static func hasPrefix(_ value: String, _ prefix: String) -> SQLQuery {
    // The last byte of UTF-8 is never 255, so the next byte ends the range.
    var end = Array(prefix.utf8)
    end[end.count - 1] += 1
    return .all([
      SQLQuery("\(value) >= ?", [.text(prefix)]), SQLQuery("\(value) < ?", [.textBytes(end)]),
    ])
  }

  /// Requires that text contains these bytes, or a list this element.
  func contains(_ expression: SQLExpression, _ value: Criteria.Scalar) -> SQLQuery {
    if case .list(let kind) = expression.kind { return hasElement(expression, kind, value: value) }
    var isPart = SQLQuery.never
    if case .text(let text) = value {
      isPart = SQLQuery("instr(\(expression.value), ?) > 0", [.text(text)])
    }
    guard expression.kind == .json else { return isPart }
    return .any([
      .all([SQLQuery(expression.isList), hasElement(expression, .json, value: value)]),
      .all([SQLQuery("typeof(\(expression.value)) = 'text'"), isPart]),
    ])
  }

  /// Compares text, or the elements of a list, after both sides are folded.
  ///
  /// A folded index has the same expression, so equality and prefixes can use it.
  func compare(
    _ expression: SQLExpression, _ comparison: Criteria.TextComparison, text: String,
    options: Criteria.CompareOptions
  ) -> SQLQuery {
    let folded = options.folded(text)
    let other = SQLValue.text(folded)
    func isElement(of kind: ModelSchema.Kind) -> SQLQuery {
      let element = options.folding(expression.element(of: kind))
      return SQLQuery(
        "EXISTS (SELECT 1 FROM \(expression.elements) WHERE \(element) = ?)", [other])
    }
    if case .list(let kind) = expression.kind { return isElement(of: kind) }
    let value = options.folding(expression.value)
    switch comparison {
    case .equal: return SQLQuery("\(value) = ?", [other])
    case .hasPrefix where folded.isEmpty: return SQLQuery("\(value) IS NOT NULL")
    case .hasPrefix: return Self.hasPrefix(value, folded)
    case .contains:
      let isPart = SQLQuery("instr(\(value), ?) > 0", [other])
      guard expression.kind == .json else { return isPart }
      return .any([.all([SQLQuery(expression.isList), isElement(of: .json)]), isPart])
    }
  }

  private func hasElement(
    _ expression: SQLExpression, _ kind: ModelSchema.Kind, value: Criteria.Scalar
  ) -> SQLQuery {
    let condition =
      value == .null
      ? SQLQuery("evocation_element.type = 'null'")
      : SQLQuery(
        "\(expression.element(of: kind)) = ?", [SQLValue(Criteria.Scalar.nestedForm(value))])
    return SQLQuery("EXISTS (SELECT 1 FROM \(expression.elements) WHERE ") + condition + ")"
  }
}

extension Criteria.CompareOptions {
  /// Returns SQL for the folded text of SQL; null for what is no text.
  func folding(_ sql: String) -> String { isEmpty ? sql : "evocation_fold(\(sql),\(rawValue))" }
}

extension Criteria.Comparison {
  /// Whether it matches a range of values.
  var isRange: Bool {
    switch self {
    case .equal, .notEqual: false
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
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
