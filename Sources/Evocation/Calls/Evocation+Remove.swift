extension Evocation {
  /// Removes models by their ids.
  ///
  /// `data` is those that were there.
  public func remove<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await perform(.remove(models))
  }

  /// Removes models by their ids.
  ///
  /// `data` is those that were there. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func remove<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.remove(models), { $0 }, callback)
  }

  /// Removes a model by its id.
  ///
  /// When it was not there, `data` and `error` are nil.
  public func removeOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await perform(.removeOne(model)).one()
  }

  /// Removes a model by its id.
  ///
  /// When it was not there, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func removeOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.removeOne(model), { $0.one() }, callback)
  }
}
