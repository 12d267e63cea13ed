/// Adding models, or changing those that are there.
enum StoreOrUpdate: WriteAction {
  static var name: String { "storeOrUpdate" }
  static var action: Strategy.Action { .store }
  static var kind: Outbox.EntryKind { .storeOrUpdate }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model> {
    Answer(try await repository.storeOrUpdate(models))
  }
}

extension Evocation {
  /// Adds those models that are not there and changes the others, by the rule for `store`.
  ///
  /// `data` is the models as the repository keeps them.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(StoreOrUpdate.self, models), rule)
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(StoreOrUpdate.self, models), rule, callback)
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Adds those models that are not there and changes the others, by the rule for `store`, through
  /// ``shared``.
  ///
  /// `data` is the models as the repository keeps them.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await shared.storeOrUpdate(models, rule: rule)
  }

  /// Adds those models that are not there and changes the others, by the rule for `store`, through
  /// ``shared``.
  ///
  /// `data` is the models as the repository keeps them. The task can be cancelled; it ends when the
  /// callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.storeOrUpdate(models, rule: rule, callback: callback)
  }
}
