/// The read of all models that match.
package enum Find: ReadAction {
  package static var name: String { "find" }
  package static var action: Strategy.Action { .find }

  package static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(try await repository.find(criteria))
  }
}

/// The read of the first model that matches.
enum FindOne: ReadAction {
  static var name: String { "findOne" }
  static var action: Strategy.Action { .findOne }
  static var findsOne: Bool { true }
  static func scope(of criteria: Criteria) -> Criteria {
    criteria.limit(min(criteria.limit ?? 1, 1))
  }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(try await repository.findOne(criteria))
  }
}

extension Evocation {
  /// Returns all models that match, in the order of the criteria.
  ///
  /// An empty answer is not an error: `data` is `[]`.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.read(Find.self, criteria ?? Criteria()) as Operation<Model>, rule)
  }

  /// Returns all models that match, in the order of the criteria.
  ///
  /// An empty answer is not an error: `data` is `[]`. You can cancel the returned task. It ends
  /// when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(Find.self, criteria ?? Criteria()) as Operation<Model>, rule, callback)
  }

  /// Returns the first model that matches.
  ///
  /// If no model matches, `data` and `error` are nil.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await performFindOne(criteria, rule).one()
  }

  /// Returns the first model that matches.
  ///
  /// If no model matches, `data` and `error` are nil. You can cancel the returned task. It ends
  /// when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  @discardableResult
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submitFindOne(criteria, rule) { (result: Result<[Model]>) in callback(result.one()) }
  }
}
