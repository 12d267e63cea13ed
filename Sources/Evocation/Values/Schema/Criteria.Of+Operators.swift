// Operators of a key path belong to no type of this module, so they are functions of the module.

/// Returns criteria for models with this value.
public func == <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) == value)
}

/// Returns criteria for models with this optional value; with nil, for models without a value.
public func == <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value?
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) == value)
}

/// Returns criteria for models without this value.
public func != <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) != value)
}

/// Returns criteria for models without this optional value; with nil, for models with a value.
public func != <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value?
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) != value)
}

/// Returns criteria for models whose value is less than this one.
public func < <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) < value)
}

/// Returns criteria for models whose optional value is less than this one.
public func < <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) < value)
}

/// Returns criteria for models whose value is at most this one.
public func <= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) <= value)
}

/// Returns criteria for models whose optional value is at most this one.
public func <= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) <= value)
}

/// Returns criteria for models whose value is greater than this one.
public func > <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) > value)
}

/// Returns criteria for models whose optional value is greater than this one.
public func > <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) > value)
}

/// Returns criteria for models whose value is at least this one.
public func >= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) >= value)
}

/// Returns criteria for models whose optional value is at least this one.
public func >= <Model, Value: CriteriaValue>(
  path: KeyPath<Model, Value?>, value: Value
) -> Criteria.Of<Model> {
  Criteria.Of(Criteria.Key(path) >= value)
}

extension Criteria.Of {
  /// Returns criteria for models that satisfy both sides.
  ///
  /// The order, limit, offset and cursor come from the left side if it has them, and otherwise from
  /// the right side.
  public static func && (left: Self, right: Self) -> Self {
    Self(left.criteria && right.criteria)
  }

  /// Returns criteria for models that satisfy both sides, the right one with keys as text.
  public static func && (left: Self, right: Criteria) -> Self {
    Self(left.criteria && right)
  }

  /// Returns criteria for models that satisfy both sides, the left one with keys as text.
  public static func && (left: Criteria, right: Self) -> Self {
    Self(left && right.criteria)
  }

  /// Returns criteria for models that satisfy at least one side.
  ///
  /// The order, limit, offset and cursor come from the left side if it has them, and otherwise from
  /// the right side.
  public static func || (left: Self, right: Self) -> Self {
    Self(left.criteria || right.criteria)
  }

  /// Returns criteria for models that satisfy at least one side, the right one with keys as text.
  public static func || (left: Self, right: Criteria) -> Self {
    Self(left.criteria || right)
  }

  /// Returns criteria for models that satisfy at least one side, the left one with keys as text.
  public static func || (left: Criteria, right: Self) -> Self {
    Self(left || right.criteria)
  }

  /// Returns criteria for models that do not satisfy these; order, limit, offset and cursor stay.
  public static prefix func ! (criteria: Self) -> Self {
    Self(!criteria.criteria)
  }
}
