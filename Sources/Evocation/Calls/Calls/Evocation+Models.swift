// Reads that return models and throw. Each has four forms: on an instance and through `shared`,
// with key paths and with keys as text.

extension Evocation {
  /// Returns all models that match.
  ///
  /// ```swift
  /// let cars = try await evocation.find(
  ///   Car.self, where: \.origin == "Japan" && \.year >= 1980, sortedBy: \.year)
  /// ```
  ///
  /// An empty array is not an error. The call asks the same repositories as
  /// `find(model:criteria:rule:)`, whose result also says where the models came
  /// from and what was tried.
  ///
  /// - Parameters:
  ///   - model: The registered model type.
  ///   - criteria: The models to find, from key paths of the model.
  ///   - key: The property to sort by, before the order of the criteria; nil for their order alone.
  ///   - descending: Whether the greatest value of `key` comes first.
  ///   - limit: The greatest number of models to return; nil for the limit of the criteria.
  ///   - rule: The rule of this call; nil for the strategy's rule.
  /// - Returns: The models in the order of the criteria, and otherwise in the order of their ids.
  /// - Throws: The ``Result/error`` of the call.
  public func find<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false, limit: Int? = nil,
    rule: Strategy.Rule? = nil
  ) async throws -> [Model] {
    try await find(
      model: model, criteria: criteria.criteria.sorted(by: key, descending, limit: limit),
      rule: rule
    ).get()
  }

  /// Returns all models that match criteria with keys as text; all models without criteria.
  ///
  /// ```swift
  /// let cars = try await evocation.find(Car.self, where: ["origin": "Japan"])
  /// ```
  ///
  /// Otherwise it does the same as the form with key paths.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func find<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false, limit: Int? = nil,
    rule: Strategy.Rule? = nil
  ) async throws -> [Model] {
    let criteria = (criteria ?? Criteria()).sorted(by: key, descending, limit: limit)
    return try await find(model: model, criteria: criteria, rule: rule).get()
  }

  /// Returns the model with this id; nil if there is none.
  ///
  /// ```swift
  /// let car = try await evocation.findOne(Car.self, id: 7)
  /// ```
  ///
  /// - Throws: The ``Result/error`` of the call, and ``EvocationError/notIdentifiable(model:)`` if
  ///   the model does not encode its id.
  public func findOne<Model: Identifiable & Sendable>(
    _ model: Model.Type, id: Model.ID, rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    try await findOne(model, where: Criteria(id: id, of: model), rule: rule)
  }

  /// Returns the first model that matches; nil if there is none.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func findOne<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false,
    rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    try await findOne(
      model, where: criteria.criteria, sortedBy: key, descending: descending, rule: rule)
  }

  /// Returns the first model that matches criteria with keys as text; nil if there is none.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func findOne<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil,
    sortedBy key: PartialKeyPath<Model>? = nil, descending: Bool = false,
    rule: Strategy.Rule? = nil
  ) async throws -> Model? {
    let criteria = (criteria ?? Criteria()).sorted(by: key, descending, limit: nil)
    let result = await findOne(model: model, criteria: criteria, rule: rule)
    if let error = result.error { throw error }
    return result.data
  }

  /// Returns how many models match, without fetching them if the repository can count.
  ///
  /// ```swift
  /// let cars = try await evocation.count(Car.self, where: \.origin == "Japan")
  /// ```
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func count<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, rule: Strategy.Rule? = nil
  ) async throws -> Int {
    try await count(model: model, criteria: criteria.criteria, rule: rule).get()
  }

  /// Returns how many models match criteria with keys as text; all models without criteria.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func count<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async throws -> Int {
    try await count(model: model, criteria: criteria, rule: rule).get()
  }

  /// Returns whether a model matches, without fetching it if the repository can answer that.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func exists<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, rule: Strategy.Rule? = nil
  ) async throws -> Bool {
    try await exists(model: model, criteria: criteria.criteria, rule: rule).get()
  }

  /// Returns whether a model matches criteria with keys as text; any model without criteria.
  ///
  /// - Throws: The ``Result/error`` of the call.
  public func exists<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async throws -> Bool {
    try await exists(model: model, criteria: criteria, rule: rule).get()
  }
}

extension Criteria {
  /// Returns the same criteria, sorted first by a property, with the lower of both limits.
  fileprivate func sorted<Model>(
    by path: PartialKeyPath<Model>?, _ descending: Bool, limit: Int?
  ) -> Criteria {
    var result = self
    if let path { result.order.insert(Sort(Key(path), descending: descending), at: 0) }
    return limit.map { result.limit(min($0, result.limit ?? .max)) } ?? result
  }
}
