extension Evocation {
  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them.
  public static func store<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await shared.store(models)
  }

  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func store<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.store(models, callback: callback)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it.
  public static func storeOne<Model: Sendable>(_ model: Model) async -> Result<Model> {
    await shared.storeOne(model)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func storeOne<Model: Sendable>(
    _ model: Model, callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOne(model, callback: callback)
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them.
  public static func storeOrUpdate<Model: Sendable>(_ models: [Model]) async -> Result<[Model]> {
    await shared.storeOrUpdate(models)
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func storeOrUpdate<Model: Sendable>(
    _ models: [Model], callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOrUpdate(models, callback: callback)
  }
}
