extension Criteria.Key {
  /// Returns criteria for models with this value; with nil, for models without a value.
  public static func == (key: Self, value: (any CriteriaValue)?) -> Criteria {
    key.compared(.equal, value)
  }

  /// Returns criteria for models without this value; with nil, for models that have a value.
  public static func != (key: Self, value: (any CriteriaValue)?) -> Criteria {
    key.compared(.notEqual, value)
  }

  /// Returns criteria for models whose value is less than this one.
  public static func < (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.less, value)
  }

  /// Returns criteria for models whose value is at most this one.
  public static func <= (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.lessOrEqual, value)
  }

  /// Returns criteria for models whose value is greater than this one.
  public static func > (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.greater, value)
  }

  /// Returns criteria for models whose value is at least this one.
  public static func >= (key: Self, value: any CriteriaValue) -> Criteria {
    key.compared(.greaterOrEqual, value)
  }

  /// Returns criteria for models whose value is one of these; an empty sequence matches no model.
  public func `in`(_ values: some Sequence<any CriteriaValue>) -> Criteria {
    Criteria(.isIn(self, values.map(\.criteriaValue)))
  }

  /// Returns criteria for models whose value is one of these; an empty sequence matches no model.
  public func `in`<Element: CriteriaValue>(_ values: some Sequence<Element>) -> Criteria {
    Criteria(.isIn(self, values.map(\.criteriaValue)))
  }

  /// Returns criteria for models whose value is at least `lower` and at most `upper`.
  public func between(_ lower: any CriteriaValue, and upper: any CriteriaValue) -> Criteria {
    Criteria(.between(self, lower.criteriaValue, upper.criteriaValue))
  }

  /// Criteria for models that have no value for this key.
  public var isNull: Criteria { Criteria(.isNull(self)) }

  /// Returns criteria for models whose text begins with this prefix, compared byte by byte.
  public func hasPrefix(_ prefix: String) -> Criteria {
    Criteria(.hasPrefix(self, prefix))
  }

  /// Returns criteria for models whose text contains this text, or whose list has this element.
  ///
  /// Text is compared byte by byte.
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
  /// Returns criteria for models that satisfy both sides.
  ///
  /// The order, limit, offset and cursor come from the left side if it has them, and otherwise from
  /// the right side.
  public static func && (left: Criteria, right: Criteria) -> Criteria {
    switch (left.predicate, right.predicate) {
    case (nil, nil): left.joined(right, nil, levels: 0)
    case (nil, let other?): left.joined(right, other, levels: right.levels)
    case (let other?, nil): left.joined(right, other, levels: left.levels)
    case (let first?, let second?): left.joined(right, .all, first, second)
    }
  }

  /// Returns criteria for models that satisfy at least one side.
  ///
  /// The order, limit, offset and cursor come from the left side if it has them, and otherwise from
  /// the right side.
  public static func || (left: Criteria, right: Criteria) -> Criteria {
    guard let first = left.predicate, let second = right.predicate else {
      return left.joined(right, nil, levels: 0)
    }
    return left.joined(right, .any, first, second)
  }

  /// Returns criteria for models that do not satisfy these; order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Criteria) -> Criteria {
    guard criteria.levels <= mostLevels else { return criteria }
    switch criteria.predicate {
    // The logic has two values, so a double negation equals its inner predicate.
    case .not(let part): return criteria.joined(criteria, part, levels: criteria.levels - 1)
    case let part?: return criteria.joined(criteria, .not(part), levels: criteria.levels + 1)
    case nil: return criteria.joined(criteria, .any([]), levels: 1)
    }
  }

  /// Joins the predicates, unless one of them already has too many levels.
  ///
  /// Such a predicate stays as it is: every repository refuses it, with everything that it is
  /// joined to. So no predicate gets so deep that its release overflows the stack.
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
