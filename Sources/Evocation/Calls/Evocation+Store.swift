/// Adding models.
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

/// Adding one model.
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
  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// `data` is the models as the repository keeps them.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(Store.self, models), rule)
  }

  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Store.self, models), rule, callback)
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await perform(.store, [model], rule).one()
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.store, [model], rule) { callback($0.one()) }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.store(models, rule: rule)
  }

  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func store<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.store(models, rule: rule, callback: callback)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public static func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.storeOne(model, rule: rule)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public static func storeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOne(model, rule: rule, callback: callback)
  }
}
