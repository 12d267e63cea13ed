internal import Evocation

/// Translates resolved criteria.
///
/// The result depends only on the criteria and the schema.
struct SQLSelection {
  private let plan: TablePlan
  private let predicate: SQLPredicate

  init(_ plan: TablePlan) {
    self.plan = plan
    predicate = SQLPredicate(plan: plan)
  }

  /// Returns the statement that reads the models, in order.
  func query(_ criteria: Criteria) throws -> SQLQuery {
    try SQLQuery("SELECT \(plan.columnList)") + source(criteria) + page(criteria)
  }

  /// Returns the statement that counts the models.
  func count(_ criteria: Criteria) throws -> SQLQuery {
    guard isPage(criteria) else { return try SQLQuery("SELECT count(*)") + source(criteria) }
    return try SQLQuery("SELECT count(*) FROM (SELECT 1") + source(criteria) + page(criteria) + ")"
  }

  /// Returns the statement whose result is 1 if there are any models, and 0 otherwise.
  func existence(_ criteria: Criteria) throws -> SQLQuery {
    try SQLQuery("SELECT EXISTS(SELECT 1") + source(criteria) + page(criteria) + ")"
  }

  /// Returns the statement that removes the models.
  func removal(_ criteria: Criteria) throws -> SQLQuery {
    guard isPage(criteria) else { return try SQLQuery("DELETE") + source(criteria) }
    let keys = plan.keyList
    return try SQLQuery("DELETE FROM \(plan.table.quoted) WHERE (\(keys)) IN (SELECT \(keys)")
      + source(criteria) + page(criteria) + ")"
  }

  private func isPage(_ criteria: Criteria) -> Bool {
    criteria.limit != nil || criteria.offset > 0
  }

  /// Returns the table, and the condition for its rows.
  private func source(_ criteria: Criteria) throws -> SQLQuery {
    var conditions: [SQLQuery] = []
    if let predicate = criteria.predicate {
      conditions.append(try self.predicate.condition(predicate))
    }
    if let cursor = criteria.cursor {
      conditions.append(try after(cursor, terms(criteria.order)))
    }
    let condition = SQLQuery.all(conditions)
    let table = SQLQuery(" FROM \(plan.table.quoted)")
    return condition == .always ? table : table + " WHERE " + condition
  }

  /// Returns the order, and the limit and offset.
  private func page(_ criteria: Criteria) throws(EvocationError) -> SQLQuery {
    let order = try terms(criteria.order).map(\.order).joined(separator: ", ")
    var page = SQLQuery(" ORDER BY " + order)
    guard isPage(criteria) else { return page }
    page += SQLQuery(" LIMIT ?", [.integer(criteria.limit.map { Int64(max(0, $0)) } ?? -1)])
    if criteria.offset > 0 {
      page += SQLQuery(" OFFSET ?", [.integer(Int64(criteria.offset))])
    }
    return page
  }

  /// One part of an order.
  private struct Term {
    let expression: SQLExpression
    let isDescending: Bool

    var order: String { expression.value + (isDescending ? " DESC" : "") }
  }

  /// Returns the parts of the order, and the key, which decides among equal models.
  private func terms(_ order: [Criteria.Sort]) throws(EvocationError) -> [Term] {
    var terms: [Term] = []
    for sort in order {
      terms.append(
        Term(expression: try predicate.expression(of: sort.key), isDescending: sort.descending))
    }
    for position in plan.key {
      let key = Criteria.Key(plan.columns[position].name)
      terms.append(Term(expression: try predicate.expression(of: key), isDescending: false))
    }
    return terms
  }

  private func after(
    _ cursor: Criteria.Cursor, _ terms: [Term]
  ) throws(EvocationError) -> SQLQuery {
    let scalars = cursor.values + cursor.id
    guard scalars.count == terms.count else { throw Criteria.Cursor.madeForAnotherID }
    let parts = zip(terms, scalars).map { term, scalar in
      (term: term, value: scalar == .null ? nil : SQLOperand(scalar, term.expression).nearest)
    }
    if parts.count > 1, parts.allSatisfy({ !$0.term.isDescending && $0.value != nil }) {
      return "("
        + SQLQuery(parts.map(\.term.expression.value).joined(separator: ", "))
        + ") > (" + .list(parts.compactMap { part in part.value.map { SQLQuery("?", [$0]) } })
        + ")"
    }
    var condition = SQLQuery.never
    for part in parts.reversed() {
      condition = .any([
        Self.isBehind(part.term, part.value),
        .all([Self.isSame(part.term, part.value), condition]),
      ])
    }
    return condition
  }

  /// Requires that a row is after the value.
  ///
  /// Null comes first, or last in a descending order.
  private static func isBehind(_ term: Term, _ value: SQLValue?) -> SQLQuery {
    let sql = term.expression.value
    switch (value, term.isDescending) {
    case (nil, true): return .never
    case (nil, false): return SQLQuery("\(sql) IS NOT NULL")
    case (let value?, false): return SQLQuery("\(sql) > ?", [value])
    case (let value?, true):
      let isLess = SQLQuery("\(sql) < ?", [value])
      return term.expression.isNullable
        ? .any([isLess, SQLQuery("\(sql) IS NULL")]) : isLess
    }
  }

  private static func isSame(_ term: Term, _ value: SQLValue?) -> SQLQuery {
    let sql = term.expression.value
    return value.map { SQLQuery("\(sql) = ?", [$0]) } ?? SQLQuery("\(sql) IS NULL")
  }
}
