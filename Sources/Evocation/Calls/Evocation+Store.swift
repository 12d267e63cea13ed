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
  public func store<Model: Sendable>(
    _ models: [Model]
  ) async -> Result<[Model]> {
    await perform(.write(Store.self, models))
  }

  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  @discardableResult
  public func store<Model: Sendable>(
    _ models: [Model],
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Store.self, models), callback)
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it.
  @inlinable
  public func storeOne<Model: Sendable>(
    _ model: Model
  ) async -> Result<Model> {
    await perform(.store, [model]).one()
  }

  /// Adds a model, unless one with its id is there.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the
  /// callback has returned.
  @inlinable
  @discardableResult
  public func storeOne<Model: Sendable>(
    _ model: Model,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.store, [model]) { callback($0.one()) }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them.
  public static func store<Model: Sendable>(
    _ models: [Model]
  ) async -> Result<[Model]> {
    await shared.store(models)
  }

  /// Adds models: all of them or, when one with the same id is there, none, through ``shared``.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  @discardableResult
  public static func store<Model: Sendable>(
    _ models: [Model],
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.store(models, callback: callback)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it.
  @inlinable
  public static func storeOne<Model: Sendable>(
    _ model: Model
  ) async -> Result<Model> {
    await shared.storeOne(model)
  }

  /// Adds a model, unless one with its id is there, through ``shared``.
  ///
  /// `data` is the model as the repository keeps it. The task can be cancelled; it ends when the
  /// callback has returned.
  @inlinable
  @discardableResult
  public static func storeOne<Model: Sendable>(
    _ model: Model,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOne(model, callback: callback)
  }
}
