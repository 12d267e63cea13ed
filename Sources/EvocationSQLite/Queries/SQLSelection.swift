internal import Evocation

/// Translates criteria that were resolved: a pure function of the criteria and the schema.
struct SQLSelection {
  private let plan: TablePlan
  private let predicate: SQLPredicate

  init(_ plan: TablePlan) {
    self.plan = plan
    predicate = SQLPredicate(plan: plan)
  }

  /// Gives the statement that reads the models, in order.
  func query(_ criteria: Criteria) throws(EvocationError) -> SQLQuery {
    let terms = try terms(criteria.order)
    var conditions: [SQLQuery] = []
    if let predicate = criteria.predicate {
      conditions.append(try self.predicate.condition(predicate))
    }
    if let cursor = criteria.cursor { conditions.append(try after(cursor, terms)) }
    var query = SQLQuery("SELECT \(plan.columnList) FROM \(plan.table.quoted)")
    let condition = SQLQuery.all(conditions)
    if condition != .always { query += " WHERE " + condition }
    query += SQLQuery(" ORDER BY " + terms.map(\.order).joined(separator: ", "))
    if criteria.limit != nil || criteria.offset > 0 {
      query += SQLQuery(" LIMIT ?", [.integer(criteria.limit.map { Int64(max(0, $0)) } ?? -1)])
    }
    if criteria.offset > 0 {
      query += SQLQuery(" OFFSET ?", [.integer(Int64(criteria.offset))])
    }
    return query
  }

  /// One part of an order.
  private struct Term {
    let place: SQLPlace
    let isDescending: Bool

    var order: String { place.value + (isDescending ? " DESC" : "") }
  }

  /// The parts of the order asked for, and the key, which decides among equals.
  private func terms(_ order: [Criteria.Sort]) throws(EvocationError) -> [Term] {
    var terms: [Term] = []
    for sort in order {
      terms.append(Term(place: try predicate.place(sort.key), isDescending: sort.descending))
    }
    for position in plan.key {
      let key = Criteria.Key(plan.columns[position].name)
      terms.append(Term(place: try predicate.place(key), isDescending: false))
    }
    return terms
  }

  private func after(
    _ cursor: Criteria.Cursor, _ terms: [Term]
  ) throws(EvocationError) -> SQLQuery {
    let scalars = cursor.values + cursor.id
    guard scalars.count == terms.count else {
      throw .incomparableValue(
        key: "cursor", reason: "it was made for another order or id; make one for this one")
    }
    let parts = zip(terms, scalars).map { term, scalar in
      (term: term, value: scalar == .null ? nil : SQLOperand(scalar, term.place).nearest)
    }
    if parts.count > 1, parts.allSatisfy({ !$0.term.isDescending && $0.value != nil }) {
      return "("
        + SQLQuery(parts.map(\.term.place.value).joined(separator: ", "))
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

  /// Whether a row stands behind the value; null comes first, or last when descending.
  private static func isBehind(_ term: Term, _ value: SQLValue?) -> SQLQuery {
    let place = term.place.value
    switch (value, term.isDescending) {
    case (nil, true): return .never
    case (nil, false): return SQLQuery("\(place) IS NOT NULL")
    case (let value?, false): return SQLQuery("\(place) > ?", [value])
    case (let value?, true):
      let isLess = SQLQuery("\(place) < ?", [value])
      return term.place.isNullable ? .any([isLess, SQLQuery("\(place) IS NULL")]) : isLess
    }
  }

  private static func isSame(_ term: Term, _ value: SQLValue?) -> SQLQuery {
    let place = term.place.value
    return value.map { SQLQuery("\(place) = ?", [$0]) } ?? SQLQuery("\(place) IS NULL")
  }
}
