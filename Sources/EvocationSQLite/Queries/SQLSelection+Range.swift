internal import Evocation

/// The first models of a range, in the order of their ids.
///
/// There are two ways to find these, and which one is faster depends on how many rows the range has. If
/// it has most rows, SQLite has what it needs after a few rows in the order of the ids. If it has few,
/// SQLite has to find them by the index of the range. It knows no such numbers, and would read the whole
/// table where it takes the wrong way.
extension SQLSelection {
  /// From how many rows in the order of the ids each wanted one is taken.
  private static let rowsForOne = 20
  /// The most wanted rows; sorting takes the least part of more.
  private static let most = 1_000

  /// Returns the statement that first looks among a few rows in the order of the ids, and finds what is
  /// missing by the index; nil for criteria that one way serves.
  ///
  /// SQLite does not begin the second part if the first one has all wanted rows.
  func firstOfRange(_ criteria: Criteria) throws -> SQLQuery? {
    guard let limit = criteria.limit, limit > 0, criteria.order.isEmpty, criteria.cursor == nil,
      plan.key.count == 1, let condition = criteria.predicate,
      condition.conjuncts.contains(where: isIndexedRange),
      !condition.conjuncts.contains(where: isJoin),
      limit <= Self.most, criteria.offset <= Self.most
    else { return nil }
    let wanted = limit + criteria.offset
    let (key, table) = (plan.keyName.quoted, plan.table.quoted)
    let last = SQLQuery(
      "(SELECT max(\(key)) FROM (SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT ?))",
      [.integer(Int64(wanted * Self.rowsForOne))])
    let parts = try [true, false].map { isFirst in
      let predicate = SQLPredicate(plan: plan, expectsFew: !isFirst)
      // A sign before the key keeps SQLite from finding the second part by it.
      return try SQLQuery("SELECT * FROM (SELECT \(plan.columnList) FROM \(table) WHERE ")
        + .all([
          SQLQuery(isFirst ? "\(key) <= " : "+\(key) > ") + last,
          predicate.condition(condition),
        ])
        + SQLQuery(" ORDER BY \(key) LIMIT ?)", [.integer(Int64(wanted))])
    }
    let query = .list(parts, " UNION ALL ") + SQLQuery(" LIMIT ?", [.integer(Int64(limit))])
    guard query.values.count < SQLCondition.mostValues else { return nil }
    guard criteria.offset > 0 else { return query }
    return query + SQLQuery(" OFFSET ?", [.integer(Int64(criteria.offset))])
  }

  /// Whether a term, or its negation, is a range of a key that has an index.
  private func isIndexedRange(_ term: Criteria.Predicate) -> Bool {
    switch term {
    case .comparison(let key, let comparison, _):
      comparison.isRange && plan.indexedKeys.contains(key.name)
    case .between(let key, _, _): plan.indexedKeys.contains(key.name)
    case .not(let term): isIndexedRange(term)
    case .isIn, .isNull, .hasPrefix, .contains, .text, .matching, .parameter, .all, .any: false
    }
  }

  /// Whether it has several terms, which may nest as deeply as SQLite takes.
  private func isJoin(_ term: Criteria.Predicate) -> Bool {
    switch term {
    case .any, .all: true
    case .not(let term): isJoin(term)
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      false
    }
  }
}
