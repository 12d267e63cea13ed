/// Removing models.
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

/// Removing one model.
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
  /// `data` is those that were there.
  public func remove<Model: Sendable>(
    _ models: [Model]
  ) async -> Result<[Model]> {
    await perform(.write(Remove.self, models))
  }

  /// Removes models by their ids.
  ///
  /// `data` is those that were there. The task can be cancelled; it ends when the callback has
  /// returned.
  @discardableResult
  public func remove<Model: Sendable>(
    _ models: [Model],
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(Remove.self, models), callback)
  }

  /// Removes a model by its id.
  ///
  /// When it was not there, `data` and `error` are nil.
  @inlinable
  public func removeOne<Model: Sendable>(
    _ model: Model
  ) async -> Result<Model> {
    await perform(.remove, [model]).one()
  }

  /// Removes a model by its id.
  ///
  /// When it was not there, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  @inlinable
  @discardableResult
  public func removeOne<Model: Sendable>(
    _ model: Model,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.remove, [model]) { callback($0.one()) }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Removes models by their ids, through ``shared``.
  ///
  /// `data` is those that were there.
  public static func remove<Model: Sendable>(
    _ models: [Model]
  ) async -> Result<[Model]> {
    await shared.remove(models)
  }

  /// Removes models by their ids, through ``shared``.
  ///
  /// `data` is those that were there. The task can be cancelled; it ends when the callback has
  /// returned.
  @discardableResult
  public static func remove<Model: Sendable>(
    _ models: [Model],
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.remove(models, callback: callback)
  }

  /// Removes a model by its id, through ``shared``.
  ///
  /// When it was not there, `data` and `error` are nil.
  @inlinable
  public static func removeOne<Model: Sendable>(
    _ model: Model
  ) async -> Result<Model> {
    await shared.removeOne(model)
  }

  /// Removes a model by its id, through ``shared``.
  ///
  /// When it was not there, `data` and `error` are nil. The task can be cancelled; it ends when the
  /// callback has returned.
  @inlinable
  @discardableResult
  public static func removeOne<Model: Sendable>(
    _ model: Model,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.removeOne(model, callback: callback)
  }
}
