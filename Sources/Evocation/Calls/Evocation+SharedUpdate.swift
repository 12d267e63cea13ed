extension Evocation {
  /// Changes the models that are there, through ``shared``.
  ///
  /// `data` is those that were there, as they now are.
  public static func update<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await shared.update(models)
  }

  /// Changes the models that are there, through ``shared``.
  ///
  /// `data` is those that were there, as they now are. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func update<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.update(models, callback: callback)
  }

  /// Changes a model, if it is there, through ``shared``.
  ///
  /// When it is not there, `data` and `error` are nil.
  public static func updateOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await shared.updateOne(model)
  }

  /// Changes a model, if it is there, through ``shared``.
  ///
  /// When it is not there, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func updateOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.updateOne(model, callback: callback)
  }
}
