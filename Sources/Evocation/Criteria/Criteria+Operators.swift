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
    switch (left.predicate, right.predicate) {
    case (nil, nil): left.joined(right, nil, levels: 0)
    case (nil, let other?): left.joined(right, other, levels: right.levels)
    case (let other?, nil): left.joined(right, other, levels: left.levels)
    case (let first?, let second?): left.joined(right, .all, first, second)
    }
  }

  /// Models that satisfy at least one; the rest as for `&&`.
  public static func || (left: Criteria, right: Criteria) -> Criteria {
    guard let first = left.predicate, let second = right.predicate else {
      return left.joined(right, nil, levels: 0)
    }
    return left.joined(right, .any, first, second)
  }

  /// Models that do not satisfy it; the order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Criteria) -> Criteria {
    guard criteria.levels <= mostLevels else { return criteria }
    switch criteria.predicate {
    // The logic has two values, so a double negation is what it negates.
    case .not(let part): return criteria.joined(criteria, part, levels: criteria.levels - 1)
    case let part?: return criteria.joined(criteria, .not(part), levels: criteria.levels + 1)
    case nil: return criteria.joined(criteria, .any([]), levels: 1)
    }
  }

  /// Joins the predicates, unless one of them is too deep already.
  ///
  /// What is too deep is refused with whatever it is joined to, so it stays as it is, and never
  /// becomes so deep that letting it go overflows the stack.
  private func joined(
    _ other: Criteria, _ join: Predicate.Join, _ first: Predicate, _ second: Predicate
  ) -> Criteria {
    let most = Self.mostLevels
    guard levels <= most else { return joined(other, first, levels: levels) }
    guard other.levels <= most else { return joined(other, second, levels: other.levels) }
    let (left, right) = (first.parts(of: join), second.parts(of: join))
    let parts = (left ?? [first]) + (right ?? [second])
    return joined(
      other, join == .all ? .all(parts) : .any(parts),
      levels: max(levels + (left == nil ? 1 : 0), other.levels + (right == nil ? 1 : 0))
    )
  }

  private func joined(_ other: Criteria, _ predicate: Predicate?, levels: Int) -> Criteria {
    Criteria(
      predicate,
      levels: levels,
      order: order.isEmpty ? other.order : order,
      limit: limit ?? other.limit,
      offset: offset == 0 ? other.offset : offset,
      cursor: cursor ?? other.cursor
    )
  }
}

extension Criteria.Predicate {
  /// The parts of a conjunction, or the predicate alone.
  package var conjuncts: [Criteria.Predicate] { parts(of: .all) ?? [self] }

  /// The parts that are joined in this way, so that long joins do not nest; nil for another kind.
  fileprivate func parts(of join: Join) -> [Criteria.Predicate]? {
    guard let (own, parts) = joined, own == join else { return nil }
    return parts
  }
}
