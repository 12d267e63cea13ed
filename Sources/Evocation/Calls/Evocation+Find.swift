/// All models that match.
enum Find: ReadAction {
  static var name: String { "find" }
  static var action: Strategy.Action { .find }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(try await repository.find(criteria))
  }
}

/// The first model that matches.
enum FindOne: ReadAction {
  static var name: String { "findOne" }
  static var action: Strategy.Action { .findOne }
  static func scope(of criteria: Criteria) -> Criteria { criteria.limit(1) }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(try await repository.findOne(criteria))
  }
}

extension Evocation {
  /// Gives all models that match, in the order that the criteria ask for.
  ///
  /// An empty answer is not an error: `data` is `[]`.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.read(Find.self, criteria ?? Criteria()) as Operation<Model>, rule)
  }

  /// Gives all models that match, in the order that the criteria ask for.
  ///
  /// An empty answer is not an error: `data` is `[]`. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(Find.self, criteria ?? Criteria()) as Operation<Model>, rule, callback)
  }

  /// Gives the first model that matches.
  ///
  /// When nothing matches, `data` and `error` are nil.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await performFindOne(criteria, rule).one()
  }

  /// Gives the first model that matches.
  ///
  /// When nothing matches, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submitFindOne(criteria, rule) { (result: Result<[Model]>) in callback(result.one()) }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Gives all models that match, in the order that the criteria ask for, through ``shared``.
  ///
  /// An empty answer is not an error: `data` is `[]`.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.find(model: model, criteria: criteria, rule: rule)
  }

  /// Gives all models that match, in the order that the criteria ask for, through ``shared``.
  ///
  /// An empty answer is not an error: `data` is `[]`. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.find(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Gives the first model that matches, through ``shared``.
  ///
  /// When nothing matches, `data` and `error` are nil.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.findOne(model: model, criteria: criteria, rule: rule)
  }

  /// Gives the first model that matches, through ``shared``.
  ///
  /// When nothing matches, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.findOne(model: model, criteria: criteria, rule: rule, callback: callback)
  }
}
