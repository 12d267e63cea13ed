extension Criteria: ExpressibleByDictionaryLiteral {
  /// The values of a dictionary literal.
  public typealias Value = (any CriteriaValue)?

  /// Makes equality on each key, joined by *and*; nil asks for models without a value there.
  public init(dictionaryLiteral elements: (Key, (any CriteriaValue)?)...) {
    self.init(equalities: elements.map { ($0, Operand($1)) })
  }

  init(equalities: [(Key, Operand)]) {
    let parts = equalities.map { Predicate.comparison($0, .equal, $1) }
    self.init(parts.count > 1 ? .all(parts) : parts.first)
  }

  /// The value that the key must equal, as it was given, or nil when the criteria do not say.
  public subscript(key: Key) -> (any CriteriaValue)? {
    for case .comparison(key, .equal, let operand) in predicate?.conjuncts ?? [] {
      return operand.original
    }
    return nil
  }
}
