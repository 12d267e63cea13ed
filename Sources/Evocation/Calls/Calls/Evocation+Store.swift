/// The write that inserts models.
enum Store: WriteAction {
  static var name: String { "store" }
  static var action: Strategy.Action { .store }
  static var kind: Outbox.EntryKind { .store }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.store(models))
  }
}

/// The write that inserts one model.
enum StoreOne: WriteAction {
  static var name: String { "storeOne" }
  static var action: Strategy.Action { .storeOne }
  static var isBulk: Bool { false }
  static var kind: Outbox.EntryKind { .store }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.storeOne(models[0]))
  }
}

extension Evocation {
  /// Inserts models: all of them, or none if one with the same id exists.
  ///
  /// `data` has the models as the repository saved them.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(Store.self, models), rule)
  }

  /// Inserts models: all of them, or none if one with the same id exists.
  ///
  /// `data` has the models as the repository saved them. You can cancel the returned task. It ends
  /// when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Store.self, models), rule, callback)
  }

  /// Inserts a model, unless one with its id exists.
  ///
  /// `data` has the model as the repository saved it.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  public func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await perform(.store, [model], rule: rule).one()
  }

  /// Inserts a model, unless one with its id exists.
  ///
  /// `data` has the model as the repository saved it. You can cancel the returned task. It ends
  /// when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  @discardableResult
  public func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.store, [model], rule: rule) { callback($0.one()) }
  }
}
