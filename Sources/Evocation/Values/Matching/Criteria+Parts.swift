/// Which part of the models that match an answer has.
///
/// A limit, an offset and a cursor name a part in an order, and only the repository that was asked
/// knows its own: a service sorts text, ties and missing values in its own way, and the newest
/// first where nobody asked for an order. So another repository cannot tell which models are in
/// that part. Which models have the words of a search is known to the index of one repository alone,
/// too.
extension Criteria {
  /// Whether the criteria ask for some of the models that match, chosen by an order, or for those that
  /// an index finds.
  ///
  /// Criteria that name a model by its id have no part, because at most one model matches them.
  package func isPart<Model>(of type: Model.Type) -> Bool {
    guard offset <= 0, cursor == nil, predicate?.isOpaque != true else { return true }
    guard let limit else { return false }
    return limit < 1 || !namesOne(of: type)
  }

  /// The criteria of all models that match.
  package var unlimited: Criteria {
    var all = self
    (all.limit, all.offset, all.cursor) = (nil, 0, nil)
    return all
  }

  /// Whether an answer of so many models ended before the limit, so that the limit cut nothing.
  package func isEnded(by count: Int) -> Bool {
    guard offset <= 0, cursor == nil else { return false }
    return limit.map { count < $0 } ?? true
  }

  /// Whether an answer has all models that match, as far as the repository says so.
  ///
  /// An answer shorter than the limit may have been cut by the service, unless it is empty.
  ///
  /// - Parameters:
  ///   - models: The answer.
  ///   - total: How many models match in all, as the repository says; nil if it does not say.
  /// - Returns: Whether it has.
  package func isWhole<Model>(_ models: [Model], of total: Int?) -> Bool {
    guard isPart(of: Model.self) else { return true }
    guard offset <= 0, cursor == nil, let limit, limit > 0 else { return false }
    return total.map { $0 == models.count } ?? models.isEmpty
  }

  /// Whether the criteria name a model by all values of its id.
  private func namesOne<Model>(of type: Model.Type) -> Bool {
    let named = (predicate?.conjuncts ?? []).compactMap { part in
      if case .comparison(let key, .equal, _) = part { key } else { nil }
    }
    if named.isEmpty { return false }
    let keys = (type as? any Identifiable.Type).map { ModelIdentity.of($0).keys } ?? []
    return !keys.isEmpty && keys.allSatisfy(named.contains)
  }
}
