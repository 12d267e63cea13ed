extension Criteria {
  /// Criteria of one model type, made from key paths that the compiler checks.
  ///
  /// Every call that takes a model type takes them as `where:`, where the key paths need no root:
  ///
  /// ```swift
  /// let thrifty = try await Evocation.find(
  ///   Car.self, where: \.origin == "Japan" && \.milesPerGallon > 30, sortedBy: \.year)
  /// ```
  ///
  /// ``criteria`` has the same as ``Criteria``, with the models' coding keys. Join both kinds with
  /// `&&`, for example where a key is known at run time only:
  ///
  /// ```swift
  /// let chosen: Criteria.Of<Car> = \.year >= 1980 && Criteria.Key(column) == value
  /// ```
  ///
  /// A property that the model does not code, such as a computed one, becomes a key that no model
  /// has, and the call throws ``EvocationError/unknownKey(_:model:nearest:)`` with its name.
  public struct Of<Model>: Sendable, Hashable {
    /// The same criteria with coding keys, for the calls and repositories that take ``Criteria``.
    public var criteria: Criteria

    /// Takes criteria to be of this model type.
    public init(_ criteria: Criteria) {
      self.criteria = criteria
    }
  }
}

extension Criteria.Of: ExpressibleByDictionaryLiteral {
  /// Creates criteria of keys as text, each of which equals its value; all models without one.
  public init(dictionaryLiteral elements: (Criteria.Key, (any CriteriaValue)?)...) {
    var criteria = Criteria()
    for (key, value) in elements { criteria = criteria && key == value }
    self.init(criteria)
  }
}

extension Criteria.Of {
  /// Models whose value is one of these; none of them when there are none.
  public static func isIn<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value>, _ values: some Sequence<Value>
  ) -> Self {
    Self(Criteria.Key(path).in(values))
  }

  /// Models whose optional value is one of these; none of them when there are none.
  public static func isIn<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value?>, _ values: some Sequence<Value>
  ) -> Self {
    Self(Criteria.Key(path).in(values))
  }

  /// Models whose value lies in the range, both ends included.
  public static func isBetween<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value>, _ range: ClosedRange<Value>
  ) -> Self {
    Self(Criteria.Key(path).between(range.lowerBound, and: range.upperBound))
  }

  /// Models whose optional value lies in the range, both ends included.
  public static func isBetween<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value?>, _ range: ClosedRange<Value>
  ) -> Self {
    Self(Criteria.Key(path).between(range.lowerBound, and: range.upperBound))
  }

  /// Models whose text begins with this, compared byte by byte.
  public static func hasPrefix(_ path: KeyPath<Model, String>, _ prefix: String) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix))
  }

  /// Models whose optional text begins with this, compared byte by byte.
  public static func hasPrefix(_ path: KeyPath<Model, String?>, _ prefix: String) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix))
  }

  /// Models whose text contains this, compared byte by byte.
  public static func contains(_ path: KeyPath<Model, String>, _ text: String) -> Self {
    Self(Criteria.Key(path).contains(text))
  }

  /// Models whose optional text contains this, compared byte by byte.
  public static func contains(_ path: KeyPath<Model, String?>, _ text: String) -> Self {
    Self(Criteria.Key(path).contains(text))
  }

  /// Models whose list contains this element.
  public static func contains<Element: CriteriaValue>(
    _ path: KeyPath<Model, [Element]>, _ element: Element
  ) -> Self {
    Self(Criteria.Key(path).contains(element))
  }
}

extension Criteria.Of {
  /// Returns the same criteria, ordered by a property; called again, by the next one among equals.
  public func sorted(by path: PartialKeyPath<Model>, descending: Bool = false) -> Self {
    Self(criteria.sorted(by: Criteria.Key(path), descending: descending))
  }

  /// Returns the same criteria with at most this many models; a negative number counts as none.
  public func limit(_ count: Int) -> Self {
    Self(criteria.limit(count))
  }

  /// Returns the same criteria without the first models; a negative number counts as none.
  public func offset(_ count: Int) -> Self {
    Self(criteria.offset(count))
  }

  /// Returns the same criteria for the models behind the cursor.
  public func after(_ cursor: Criteria.Cursor?) -> Self {
    Self(criteria.after(cursor))
  }
}
