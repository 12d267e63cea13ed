/// The write that updates models.
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

/// The write that updates one model.
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
  /// Updates those of the models that exist.
  ///
  /// `data` has the models that existed, as the repository saved them.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(Update.self, models), rule)
  }

  /// Updates those of the models that exist.
  ///
  /// `data` has the models that existed, as the repository saved them. You can cancel the returned
  /// task. It ends when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func update<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Update.self, models), rule, callback)
  }

  /// Updates a model, if it exists.
  ///
  /// If the model does not exist, `data` and `error` are nil.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  public func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await perform(.update, [model], rule: rule).one()
  }

  /// Updates a model, if it exists.
  ///
  /// If the model does not exist, `data` and `error` are nil. You can cancel the returned task. It
  /// ends when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  @discardableResult
  public func updateOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.update, [model], rule: rule) { callback($0.one()) }
  }
}
