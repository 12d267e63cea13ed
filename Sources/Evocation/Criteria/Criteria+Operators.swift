extension Criteria.Key {
  /// Models whose value is this one; with nil, those that have none.
  public static func == (key: Self, value: (any CriteriaValue)?) -> Criteria {
    key.compared(.equal, value)
  }

  /// Models whose value is another one; with nil, those that have one.
  public static func != (key: Self, value: (any CriteriaValue)?) -> Criteria {
    key.compared(.notEqual, value)
  }

  /// Models whose value is less.
  public static func < (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.less, value)
  }

  /// Models whose value is less, or the same.
  public static func <= (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.lessOrEqual, value)
  }

  /// Models whose value is greater.
  public static func > (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.greater, value)
  }

  /// Models whose value is greater, or the same.
  public static func >= (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.greaterOrEqual, value)
  }

  /// Models whose value is one of these; none of them when there are none.
  public func `in`(_ values: some Sequence<any CriteriaValue>) -> Criteria {
    Criteria(.isIn(self, values.map(\.criteriaValue)))
  }

  /// Models whose value is one of these; none of them when there are none.
  public func `in`<Element: CriteriaValue>(_ values: some Sequence<Element>) -> Criteria {
    Criteria(.isIn(self, values.map(\.criteriaValue)))
  }

  /// Models whose value is neither less than `lower` nor greater than `upper`.
  public func between(_ lower: any CriteriaValue, and upper: any CriteriaValue) -> Criteria {
    Criteria(.between(self, lower.criteriaValue, upper.criteriaValue))
  }

  /// Models that have no value here.
  public var isNull: Criteria { Criteria(.isNull(self)) }

  /// Models whose text begins with this, compared byte by byte.
  public func hasPrefix(_ prefix: String) -> Criteria {
    Criteria(.hasPrefix(self, prefix))
  }

  /// Models whose text has this somewhere, byte by byte, or whose list has it as an element.
  public func contains(_ element: any CriteriaValue) -> Criteria {
    Criteria(.contains(self, Criteria.Operand(element)))
  }

  private func compared(
    _ comparison: Criteria.Comparison, _ value: (any CriteriaValue)?
  ) -> Criteria {
    Criteria(.comparison(self, comparison, Criteria.Operand(value)))
  }
}

extension Criteria {
  /// Models that satisfy both.
  ///
  /// The order, limit, offset and cursor are the left side's where it has them, else the right's.
  public static func && (left: Criteria, right: Criteria) -> Criteria {
    left.joined(right) { left, right in
      switch (left, right) {
      case (nil, let other), (let other, nil): other
      case (let left?, let right?): .all(left.conjuncts + right.conjuncts)
      }
    }
  }

  /// Models that satisfy at least one; the rest as for `&&`.
  public static func || (left: Criteria, right: Criteria) -> Criteria {
    left.joined(right) { left, right in
      guard let left, let right else { return nil }
      return .any(left.disjuncts + right.disjuncts)
    }
  }

  /// Models that do not satisfy it; the order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Criteria) -> Criteria {
    var result = criteria
    result.predicate = criteria.predicate?.opposite ?? .any([])
    return result
  }

  private func joined(
    _ other: Criteria, _ join: (Predicate?, Predicate?) -> Predicate?
  ) -> Criteria {
    Criteria(
      join(predicate, other.predicate),
      order: order.isEmpty ? other.order : order,
      limit: limit ?? other.limit,
      offset: offset == 0 ? other.offset : offset,
      cursor: cursor ?? other.cursor
    )
  }
}

extension Criteria.Predicate {
  /// The parts of a conjunction, or the predicate alone.
  package var conjuncts: [Criteria.Predicate] {
    guard case .all(let parts) = self else { return [self] }
    return parts
  }

  /// The parts of a disjunction, or the predicate alone, so that long ones do not nest.
  fileprivate var disjuncts: [Criteria.Predicate] {
    guard case .any(let parts) = self else { return [self] }
    return parts
  }

  /// What holds when it does not; the logic has two values, so twice is not at all.
  fileprivate var opposite: Criteria.Predicate {
    if case .not(let part) = self { return part }
    return .not(self)
  }
}
