/// Changing models.
enum Update: WriteAction {
  static var name: String { "update" }
  static var action: Strategy.Action { .update }
  static var kind: Outbox.EntryKind { .update }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.update(models))
  }
}

/// Changing one model.
enum UpdateOne: WriteAction {
  static var name: String { "updateOne" }
  static var action: Strategy.Action { .updateOne }
  static var isBulk: Bool { false }
  static var kind: Outbox.EntryKind { .update }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.updateOne(models[0]))
  }
}

extension Evocation {
  /// Changes the models that are there.
  ///
  /// `data` is those that were there, as they now are.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(Update.self, models), rule)
  }

  /// Changes the models that are there.
  ///
  /// `data` is those that were there, as they now are. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Update.self, models), rule, callback)
  }

  /// Changes a model, if it is there.
  ///
  /// When it is not there, `data` and `error` are nil.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await perform(.update, [model], rule).one()
  }

  /// Changes a model, if it is there.
  ///
  /// When it is not there, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.update, [model], rule) { callback($0.one()) }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Changes the models that are there, through ``shared``.
  ///
  /// `data` is those that were there, as they now are.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.update(models, rule: rule)
  }

  /// Changes the models that are there, through ``shared``.
  ///
  /// `data` is those that were there, as they now are. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.update(models, rule: rule, callback: callback)
  }

  /// Changes a model, if it is there, through ``shared``.
  ///
  /// When it is not there, `data` and `error` are nil.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  public static func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await shared.updateOne(model, rule: rule)
  }

  /// Changes a model, if it is there, through ``shared``.
  ///
  /// When it is not there, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @inlinable
  @discardableResult
  public static func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.updateOne(model, rule: rule, callback: callback)
  }
}
