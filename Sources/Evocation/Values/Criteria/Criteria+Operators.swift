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

  /// Returns criteria for models whose text equals this one, without what the options leave out.
  public func equals(_ text: String, options: Criteria.CompareOptions) -> Criteria {
    options.isEmpty ? self == text : Criteria(.text(self, .equal, text, options))
  }

  /// Returns criteria for models whose text begins with this prefix, without what the options leave
  /// out.
  public func hasPrefix(_ prefix: String, options: Criteria.CompareOptions) -> Criteria {
    options.isEmpty ? hasPrefix(prefix) : Criteria(.text(self, .hasPrefix, prefix, options))
  }

  /// Returns criteria for models whose text contains this text, or whose list has it as an element,
  /// without what the options leave out.
  public func contains(_ text: String, options: Criteria.CompareOptions) -> Criteria {
    options.isEmpty ? contains(text) : Criteria(.text(self, .contains, text, options))
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
    guard let first = left.predicate, let second = right.predicate else {
      return left.joined(right, left.predicate ?? right.predicate)
    }
    return left.joined(right, .all(first.conjuncts + second.conjuncts))
  }

  /// Returns criteria for models that satisfy at least one side.
  ///
  /// The order, limit, offset and cursor come from the left side if it has them, and otherwise from
  /// the right side.
  public static func || (left: Criteria, right: Criteria) -> Criteria {
    guard let first = left.predicate, let second = right.predicate else {
      return left.joined(right, nil)
    }
    return left.joined(right, .any(first.disjuncts + second.disjuncts))
  }

  /// Returns criteria for models that do not satisfy these; order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Criteria) -> Criteria {
    guard !criteria.areTooDeep else { return criteria }
    var result = criteria
    switch criteria.predicate {
    // The logic has two values, so a double negation equals its inner predicate.
    case .not(let part): result.predicate = part
    case let part?: result.predicate = .not(part)
    case nil: result.predicate = .any([])
    }
    return result
  }

  /// Joins all but the predicates, and takes the predicate that joins both.
  ///
  /// A predicate that has too many levels already stays as it is, so that none gets so deep that
  /// its release overflows the stack.
  private func joined(_ other: Criteria, _ predicate: Predicate?) -> Criteria {
    var result = areTooDeep ? self : other
    if predicate == nil || !result.areTooDeep { result.predicate = predicate }
    result.order = order.isEmpty ? other.order : order
    result.limit = limit ?? other.limit
    result.offset = offset == 0 ? other.offset : offset
    result.cursor = cursor ?? other.cursor
    return result
  }
}

extension Criteria.Predicate {
  /// The parts of a conjunction, or the predicate alone.
  package var conjuncts: [Criteria.Predicate] {
    if case .all(let parts) = self { parts } else { [self] }
  }

  fileprivate var disjuncts: [Criteria.Predicate] {
    if case .any(let parts) = self { parts } else { [self] }
  }
}
