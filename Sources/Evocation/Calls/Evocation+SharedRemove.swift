extension Evocation {
  /// Removes models by their ids, through ``shared``.
  ///
  /// `data` is those that were there.
  public static func remove<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await shared.remove(models)
  }

  /// Removes models by their ids, through ``shared``.
  ///
  /// `data` is those that were there. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func remove<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.remove(models, callback: callback)
  }

  /// Removes a model by its id, through ``shared``.
  ///
  /// When it was not there, `data` and `error` are nil.
  public static func removeOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await shared.removeOne(model)
  }

  /// Removes a model by its id, through ``shared``.
  ///
  /// When it was not there, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func removeOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.removeOne(model, callback: callback)
  }
}
