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
  /// ``criteria`` is the same as ``Criteria``, with the models' coding keys. Join both kinds with
  /// `&&`, for example if you know a key only at run time:
  ///
  /// ```swift
  /// let chosen: Criteria.Of<Car> = \.year >= 1980 && Criteria.Key(column) == value
  /// ```
  ///
  /// A property that the model does not encode, such as a computed one, becomes a key that no model
  /// has. The call then throws ``EvocationError/unknownKey(_:model:nearest:)`` with its name.
  public struct Of<Model>: Sendable, Hashable, PlainlyPrinted {
    /// The same criteria with coding keys, for the calls and repositories that take ``Criteria``.
    public var criteria: Criteria

    /// Creates criteria of this model type from criteria with coding keys.
    public init(_ criteria: Criteria) {
      self.criteria = criteria
    }
  }
}

extension Criteria.Of: ExpressibleByDictionaryLiteral {
  /// Creates criteria that compare each key for equality; an empty literal matches all models.
  public init(dictionaryLiteral elements: (Criteria.Key, (any CriteriaValue)?)...) {
    var criteria = Criteria()
    for (key, value) in elements { criteria = criteria && key == value }
    self.init(criteria)
  }
}

extension Criteria.Of {
  /// Returns criteria for models whose value is one of these; an empty sequence matches no model.
  public static func isIn<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value>, _ values: some Sequence<Value>
  ) -> Self {
    Self(Criteria.Key(path).in(values))
  }

  /// Returns criteria for models whose optional value is one of these; an empty one matches no
  /// model.
  public static func isIn<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value?>, _ values: some Sequence<Value>
  ) -> Self {
    Self(Criteria.Key(path).in(values))
  }

  /// Returns criteria for models whose value is in the range, both ends included.
  public static func isBetween<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value>, _ range: ClosedRange<Value>
  ) -> Self {
    Self(Criteria.Key(path).between(range.lowerBound, and: range.upperBound))
  }

  /// Returns criteria for models whose optional value is in the range, both ends included.
  public static func isBetween<Value: CriteriaValue>(
    _ path: KeyPath<Model, Value?>, _ range: ClosedRange<Value>
  ) -> Self {
    Self(Criteria.Key(path).between(range.lowerBound, and: range.upperBound))
  }

  /// Returns criteria for models whose text begins with this prefix, compared byte by byte.
  public static func hasPrefix(_ path: KeyPath<Model, String>, _ prefix: String) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix))
  }

  /// Returns criteria for models whose optional text begins with this prefix, compared byte by
  /// byte.
  public static func hasPrefix(_ path: KeyPath<Model, String?>, _ prefix: String) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix))
  }

  /// Returns criteria for models whose text contains this text, compared byte by byte.
  public static func contains(_ path: KeyPath<Model, String>, _ text: String) -> Self {
    Self(Criteria.Key(path).contains(text))
  }

  /// Returns criteria for models whose optional text contains this text, compared byte by byte.
  public static func contains(_ path: KeyPath<Model, String?>, _ text: String) -> Self {
    Self(Criteria.Key(path).contains(text))
  }

  /// Returns criteria for models whose list contains this element.
  public static func contains<Element: CriteriaValue>(
    _ path: KeyPath<Model, [Element]>, _ element: Element
  ) -> Self {
    Self(Criteria.Key(path).contains(element))
  }
}

extension Criteria.Of {
  /// Returns the same criteria, sorted by a further property, which decides among equal models.
  public func sorted(by path: PartialKeyPath<Model>, descending: Bool = false) -> Self {
    Self(criteria.sorted(by: Criteria.Key(path), descending: descending))
  }

  /// Returns the same criteria for at most this many models; a negative number counts as zero.
  public func limit(_ count: Int) -> Self {
    Self(criteria.limit(count))
  }

  /// Returns the same criteria without the first models; a negative number counts as zero.
  public func offset(_ count: Int) -> Self {
    Self(criteria.offset(count))
  }

  /// Returns the same criteria for the models after the cursor; nil for all of them.
  public func after(_ cursor: Criteria.Cursor?) -> Self {
    Self(criteria.after(cursor))
  }
}
