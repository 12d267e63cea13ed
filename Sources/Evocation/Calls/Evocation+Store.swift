extension Evocation {
  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// `data` is the models as the repository keeps them.
  public func store<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await perform(.store(models))
  }

  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func store<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.store(models), { $0 }, callback)
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it.
  public func storeOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await perform(.storeOne(model)).one()
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func storeOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.storeOne(model), { $0.one() }, callback)
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`.
  ///
  /// `data` is the models as the repository keeps them.
  public func storeOrUpdate<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await perform(.storeOrUpdate(models))
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func storeOrUpdate<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.storeOrUpdate(models), { $0 }, callback)
  }
}
