/// The write that removes models.
enum Remove: WriteAction {
  static var name: String { "remove" }
  static var action: Strategy.Action { .remove }
  static var kind: Outbox.EntryKind { .remove }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.remove(models))
  }
}

/// The write that removes one model.
enum RemoveOne: WriteAction {
  static var name: String { "removeOne" }
  static var action: Strategy.Action { .removeOne }
  static var isBulk: Bool { false }
  static var kind: Outbox.EntryKind { .remove }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.removeOne(models[0]))
  }
}

extension Evocation {
  /// Removes models by their ids.
  ///
  /// `data` has the models that existed.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func remove<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(Remove.self, models), rule)
  }

  /// Removes models by their ids.
  ///
  /// `data` has the models that existed. You can cancel the returned task. It ends when the
  /// callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func remove<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Remove.self, models), rule, callback)
  }

  /// Removes a model by its id.
  ///
  /// If the model did not exist, `data` and `error` are nil.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  public func removeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil
  ) async -> Result<Model> {
    await perform(.remove, [model], rule: rule).one()
  }

  /// Removes a model by its id.
  ///
  /// If the model did not exist, `data` and `error` are nil. You can cancel the returned task. It
  /// ends when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @inlinable
  @discardableResult
  public func removeOne<Model: Sendable>(
    _ model: Model, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.remove, [model], rule: rule) { callback($0.one()) }
  }
}
