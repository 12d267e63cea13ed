internal import Evocation

/// Translates a predicate of criteria.
///
/// The result depends only on the predicate and the schema.
///
/// Criteria have two truth values, and SQL has three. A negation therefore moves inward until it
/// reverses a comparison, which then includes the rows without a value. Indexes stay usable this
/// way.
struct SQLPredicate {
  let plan: TablePlan

  /// Returns the condition under which the predicate holds.
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` if it is larger than SQLite accepts.
  func condition(_ predicate: Criteria.Predicate) throws -> SQLQuery {
    let condition = try predicate.folded { term, negated in
      SQLCondition(try self.term(term, negated))
    } _: { join, parts, negated in
      switch join {
      case .all: negated ? .any(parts) : .all(parts)
      case .any: negated ? .all(parts) : .any(parts)
      case .not: parts[0]
      }
    }
    guard condition.levels <= SQLCondition.mostLevels else {
      throw refusal(
        "they nest && and || \(condition.levels) levels deep, and SQLite takes "
          + "\(SQLCondition.mostLevels); put the inner terms side by side")
    }
    let query = condition.query
    guard query.values.count <= SQLCondition.mostValues else {
      throw refusal(
        "they compare with \(query.values.count) values, and SQLite takes "
          + "\(SQLCondition.mostValues); use in(_:), which has no such limit")
    }
    return query
  }

  private func refusal(_ reason: String) -> SQLiteError {
    SQLiteError(
      .misuse,
      "Translating the criteria for the table \(plan.table.quoted) failed: \(reason).")
  }

  /// Returns the condition under which a single term holds, or does not hold.
  private func term(_ predicate: Criteria.Predicate, _ negated: Bool) throws -> SQLQuery {
    switch predicate {
    case .all, .any, .not: return try condition(negated ? .not(predicate) : predicate)
    case .comparison(let key, let comparison, let operand):
      return compare(try expression(of: key), comparison, operand.value, negated)
    case .isIn(let key, let values):
      return isIn(try expression(of: key), values, negated)
    case .between(let key, let lower, let upper):
      let expression = try expression(of: key)
      let parts = [
        compare(expression, .greaterOrEqual, lower, negated),
        compare(expression, .lessOrEqual, upper, negated),
      ]
      return negated ? .any(parts) : .all(parts)
    case .isNull(let key):
      return isNull(try expression(of: key), negated)
    case .hasPrefix(let key, let prefix):
      return hasPrefix(try expression(of: key), prefix, negated)
    case .contains(let key, let operand):
      return contains(try expression(of: key), operand.value, negated)
    }
  }

  /// Returns the SQL for a key.
  func expression(of key: Criteria.Key) throws(EvocationError) -> SQLExpression {
    let target = try plan.schema.target(of: key)
    guard target.path.allSatisfy(Self.canBeInPath) else {
      throw .incomparableValue(
        key: key.name,
        reason: "a nested key with a quote, a backslash or a control character cannot be part of a "
          + "path in SQLite")
    }
    return SQLExpression(target, table: plan.table)
  }

  private static func canBeInPath(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
  }

  private func isNull(_ expression: SQLExpression, _ negated: Bool) -> SQLQuery {
    guard expression.isNullable else { return negated ? .always : .never }
    return SQLQuery("\(expression.raw) IS \(negated ? "NOT NULL" : "NULL")")
  }

  private func isIn(
    _ expression: SQLExpression, _ values: [Criteria.Scalar], _ negated: Bool
  ) -> SQLQuery {
    var wanted: [SQLValue] = []
    for value in values where value != .null {
      if case .exact(let value) = SQLOperand(value, expression) { wanted.append(value) }
    }
    let hasNull = values.contains(.null)
    var parts: [SQLQuery] = []
    if !wanted.isEmpty {
      let condition =
        SQLQuery("\(expression.value) \(negated ? "NOT IN" : "IN") (") + Self.members(wanted) + ")"
      // A list has no value to compare, but is not null.
      let takesNull = negated && expression.isNullable && (!hasNull || expression.kind == .json)
      parts.append(
        takesNull ? .any([condition, SQLQuery("\(expression.value) IS NULL")]) : condition)
    }
    if hasNull { parts.append(isNull(expression, negated)) }
    return negated ? .all(parts) : .any(parts)
  }

  /// Up to this many values are separate parameters.
  private static let few = 8

  private static func members(_ values: [SQLValue]) -> SQLQuery {
    guard values.count > few else {
      // The last value is repeated up to a power of two, so that a few SQL texts serve all counts.
      var count = 1
      while count < values.count { count *= 2 }
      let repeated =
        values + Array(repeating: values[values.count - 1], count: count - values.count)
      return .list(repeated.map { SQLQuery("?", [$0]) })
    }
    // Calling a function for each value costs as much as the rest.
    let areNumbers = values.allSatisfy { if case .integer = $0 { true } else { false } }
    let value = areNumbers ? "value" : "evocation_unpack(value)"
    return SQLQuery("SELECT \(value) FROM json_each(?)", [.text(PackedValues.array(values))])
  }
}
