extension Evocation {
  /// Changes the models that are there.
  ///
  /// `data` is those that were there, as they now are.
  public func update<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await perform(.update(models))
  }

  /// Changes the models that are there.
  ///
  /// `data` is those that were there, as they now are. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func update<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.update(models), { $0 }, callback)
  }

  /// Changes a model, if it is there.
  ///
  /// When it is not there, `data` and `error` are nil.
  public func updateOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await perform(.updateOne(model)).one()
  }

  /// Changes a model, if it is there.
  ///
  /// When it is not there, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func updateOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.updateOne(model), { $0.one() }, callback)
  }
}
