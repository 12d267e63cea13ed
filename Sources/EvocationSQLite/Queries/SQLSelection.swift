internal import Evocation

/// Translates resolved criteria.
///
/// The result depends only on the criteria and the schema.
struct SQLSelection {
  let plan: TablePlan
  private let predicate: SQLPredicate

  init(_ plan: TablePlan) {
    self.plan = plan
    predicate = SQLPredicate(plan: plan)
  }

  /// Returns the statement that reads the models, in order.
  func query(_ criteria: Criteria) throws -> SQLQuery {
    if let ranked = try ranked("SELECT \(plan.columnList)", criteria) { return ranked }
    if let first = try firstOfRange(criteria) { return first }
    let terms = try terms(criteria.order)
    let (condition, parts) = (try condition(of: criteria), try partsAfter(criteria, terms))
    guard parts.count > 1, parts.count * condition.values.count <= SQLCondition.mostValues / 2
    else { return try SQLQuery("SELECT \(plan.columnList)") + source(criteria) + page(criteria) }
    // SQLite merges the parts in their order, and reads each from where it begins in an index.
    let nested = terms.map(\.expression).filter(\.isNested).map(\.value)
    let columns = plan.columns.map(\.name.quoted) + nested
    let selects = parts.map { part in
      SQLQuery("SELECT \(columns.joined(separator: ", ")) FROM \(plan.table.quoted) WHERE ")
        + .all([condition, part])
    }
    // The order of several parts names columns of the result.
    let order = terms.compactMap { term in
      columns.firstIndex { $0.hasSameBytes(as: term.expression.value) }
        .map { "\($0 + 1)" + term.direction }
    }
    return .list(selects, " UNION ALL ") + page(criteria, order)
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
    return try SQLQuery("DELETE FROM \(plan.table.quoted) WHERE (\(plan.keyList)) IN (")
      + keys(criteria) + ")"
  }

  /// Returns the statement that reads the keys of the models.
  func keys(_ criteria: Criteria) throws -> SQLQuery {
    let select = "SELECT \(plan.keyList)"
    guard isPage(criteria) else { return try SQLQuery(select) + source(criteria) }
    return try ranked(select, criteria) ?? SQLQuery(select) + source(criteria) + page(criteria)
  }

  /// Returns the statement that reads the rows with the words of a search, the best ones first.
  ///
  /// It is nil for criteria with an order of their own, and without words that all models must have.
  private func ranked(
    _ select: @autoclosure () -> String, _ criteria: Criteria
  ) throws -> SQLQuery? {
    guard let index = plan.fullText, criteria.order.isEmpty,
      let parts = criteria.predicate?.conjuncts,
      let first = parts.firstIndex(where: { if case .matching = $0 { true } else { false } }),
      case .matching(let words) = parts[first],
      let (source, join) = index.ranking(words)
    else { return nil }
    guard criteria.cursor == nil else {
      throw EvocationError.incomparableValue(
        key: "cursor",
        reason:
          "the best matches come first, which is an order without cursors; use an offset, or sort "
          + "by a key")
    }
    var rest = parts
    rest.remove(at: first)
    let condition = SQLQuery.all([join] + [try predicate.condition(.all(rest))])
    let order = ["evocation_rank"] + plan.key.map { plan.columns[$0].name.quoted }
    return SQLQuery("\(select()) FROM ") + source + " WHERE " + condition + page(criteria, order)
  }

  private func isPage(_ criteria: Criteria) -> Bool {
    criteria.limit != nil || criteria.offset > 0
  }

  /// Returns the table, and the condition for its rows.
  private func source(_ criteria: Criteria) throws -> SQLQuery {
    let parts = try partsAfter(criteria, terms(criteria.order))
    let condition = SQLQuery.all([try self.condition(of: criteria), .any(parts)])
    let table = SQLQuery(" FROM \(plan.table.quoted)")
    return condition == .always ? table : table + " WHERE " + condition
  }

  private func condition(of criteria: Criteria) throws -> SQLQuery {
    try criteria.predicate.map { try predicate.condition($0) } ?? .always
  }

  /// Returns the order, and the limit and offset.
  private func page(_ criteria: Criteria) throws(EvocationError) -> SQLQuery {
    page(criteria, try terms(criteria.order).map { $0.expression.value + $0.direction })
  }

  private func page(_ criteria: Criteria, _ order: [String]) -> SQLQuery {
    var page = SQLQuery(" ORDER BY " + order.joined(separator: ", "))
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

    var direction: String { isDescending ? " DESC" : "" }
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

  /// Returns the conditions of the rows after the criteria's cursor: one for each range of the first
  /// key, in the order of the ranges.
  ///
  /// Rows after a cursor are one range of values, and all rows with null, or without, if these come
  /// after it. SQLite finds the beginning of a range in an index, but not the one of a condition that
  /// covers several keys, so each range is a condition of its own.
  private func partsAfter(
    _ criteria: Criteria, _ terms: [Term]
  ) throws(EvocationError) -> [SQLQuery] {
    guard let cursor = criteria.cursor else { return [.always] }
    let scalars = cursor.values + cursor.id
    guard scalars.count == terms.count else { throw Criteria.Cursor.madeForAnotherID }
    let parts = zip(terms, scalars).map { term, scalar in
      (term: term, value: scalar == .null ? nil : SQLOperand(scalar, term.expression).nearest)
    }
    if parts.count > 1, parts.allSatisfy({ !$0.term.isDescending && $0.value != nil }) {
      let row = SQLQuery(parts.map(\.term.expression.value).joined(separator: ", "))
      let values = parts.compactMap { part in part.value.map { SQLQuery("?", [$0]) } }
      return ["(" + row + ") > (" + .list(values) + ")"]
    }
    guard let first = parts.first else { return [.never] }
    let rest = parts.dropFirst().reversed().reduce(SQLQuery.never) { rest, part in
      .any([
        Self.isBehind(part.term, part.value), .all([Self.isSame(part.term, part.value), rest]),
      ])
    }
    return Self.ranges(first.term, first.value, rest: rest)
  }

  /// Returns the ranges of a key that are after a value, or have the value and fulfill the rest.
  private static func ranges(_ term: Term, _ value: SQLValue?, rest: SQLQuery) -> [SQLQuery] {
    let sql = term.expression.value
    guard let value else {
      let same = SQLQuery.all([isSame(term, nil), rest])
      return term.isDescending ? [same] : [same, SQLQuery("\(sql) IS NOT NULL")]
    }
    let sign = term.isDescending ? "<" : ">"
    var range = SQLQuery("\(sql) \(sign) ?", [value])
    if rest != .never {
      // Without the first condition, which the others imply, SQLite reads from the beginning.
      range = .all([
        SQLQuery("\(sql) \(sign)= ?", [value]), .any([range, .all([isSame(term, value), rest])]),
      ])
    }
    let hasNulls = term.isDescending && term.expression.isNullable
    return hasNulls ? [range, isSame(term, nil)] : [range]
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
