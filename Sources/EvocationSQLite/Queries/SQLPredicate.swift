internal import Evocation

/// Translates a predicate of criteria.
///
/// The result depends only on the predicate and the schema.
///
/// Criteria have two truth values, and SQL has three: a term holds where its condition is true, and
/// its negation where the condition is false or unknown. A negation of several terms moves inward.
struct SQLPredicate {
  let plan: TablePlan
  /// Whether SQLite is to expect that a range matches few rows, or else most.
  var expectsFew = true

  /// Returns the condition under which the predicate holds.
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` if it is larger than SQLite accepts.
  func condition(_ predicate: Criteria.Predicate) throws -> SQLQuery {
    let condition = try predicate.folded { term, negated in
      SQLCondition(negated ? try negation(of: term) : try self.term(term))
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

  /// Returns the condition under which a single term holds.
  private func term(_ predicate: Criteria.Predicate) throws -> SQLQuery {
    switch predicate {
    case .all, .any, .not: return try condition(predicate)
    case .comparison(let key, let comparison, let operand):
      return compare(try expression(of: key), comparison, value: operand.value)
    case .isIn(let key, let values): return isIn(try expression(of: key), values)
    case .between(let key, let lower, let upper):
      let expression = try expression(of: key)
      return .all([
        compare(expression, .greaterOrEqual, value: lower),
        compare(expression, .lessOrEqual, value: upper),
      ])
    case .isNull(let key): return try expression(of: key).isNull
    case .hasPrefix(let key, let prefix): return hasPrefix(try expression(of: key), prefix)
    case .contains(let key, let operand):
      return contains(try expression(of: key), operand.value)
    case .text(let key, let comparison, let text, let options):
      return compare(try expression(of: key), comparison, text: text, options: options)
    case .matching(let words): return try index().condition(words) ?? .always
    case .parameter(let key, _):
      throw EvocationError.unsearchable(
        model: plan.model, reason: Criteria.Predicate.reason(of: key))
    }
  }

  /// Returns the condition under which a single term does not hold.
  ///
  /// Where null does not fail both, this is the opposite comparison, which can use an index.
  private func negation(of term: Criteria.Predicate) throws -> SQLQuery {
    if case .comparison(let key, let comparison, let operand) = term {
      let expression = try expression(of: key)
      let isDecided = !expression.isNullable && operand.value != .null
      if isDecided || comparison == .equal || comparison == .notEqual {
        return compare(expression, comparison.opposite, value: operand.value)
      }
    }
    if case .isNull(let key) = term { return try expression(of: key).isNotNull }
    return try self.term(term).negation
  }

  /// Returns the table's full-text index.
  func index() throws(EvocationError) -> FullTextIndex {
    if let index = plan.fullText { return index }
    throw .unsearchable(
      model: plan.model,
      reason:
        "the table \(plan.table.quoted) has no full-text index; add SQLiteIndex.fullText with "
        + "the properties to search to its indexes")
  }

  /// Returns the SQL for a key.
  func expression(of key: Criteria.Key) throws(EvocationError) -> SQLExpression {
    let target = try plan.schema.target(of: key)
    guard target.hasJSONPath else { throw target.hasNoPath(key) }
    return SQLExpression(target, table: plan.table)
  }
}

extension Criteria.Comparison {
  /// The comparison that holds for all other values.
  fileprivate var opposite: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }
}
