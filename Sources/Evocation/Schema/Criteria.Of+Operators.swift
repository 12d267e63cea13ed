// Operators of a key path belong to no type of this module, so they are functions of the module.

/// Models whose value is this one.
public func == <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) == value)
}

/// Models whose optional value is this one; with nil, models that have none.
public func == <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value?
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) == value)
}

/// Models whose value is another one.
public func != <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) != value)
}

/// Models whose optional value is another one; with nil, models that have one.
public func != <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value?
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) != value)
}

/// Models whose value is less.
public func < <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) < value)
}

/// Models whose optional value is less.
public func < <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) < value)
}

/// Models whose value is less, or the same.
public func <= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) <= value)
}

/// Models whose optional value is less, or the same.
public func <= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) <= value)
}

/// Models whose value is greater.
public func > <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) > value)
}

/// Models whose optional value is greater.
public func > <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) > value)
}

/// Models whose value is greater, or the same.
public func >= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) >= value)
}

/// Models whose optional value is greater, or the same.
public func >= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) >= value)
}

extension Criteria.Of {
  /// Models that satisfy both; order, limit, offset and cursor are the left side's where it has them.
  public static func && (left: Self, right: Self) -> Self {
    Self(left.criteria && right.criteria)
  }

  /// Models that satisfy both, the right side with keys as text.
  public static func && (left: Self, right: Criteria) -> Self {
    Self(left.criteria && right)
  }

  /// Models that satisfy both, the left side with keys as text.
  public static func && (left: Criteria, right: Self) -> Self {
    Self(left && right.criteria)
  }

  /// Models that satisfy at least one; order, limit, offset and cursor as for `&&`.
  public static func || (left: Self, right: Self) -> Self {
    Self(left.criteria || right.criteria)
  }

  /// Models that satisfy at least one, the right side with keys as text.
  public static func || (left: Self, right: Criteria) -> Self {
    Self(left.criteria || right)
  }

  /// Models that satisfy at least one, the left side with keys as text.
  public static func || (left: Criteria, right: Self) -> Self {
    Self(left || right.criteria)
  }

  /// Models that do not satisfy it; order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Self) -> Self {
    Self(!criteria.criteria)
  }
}
