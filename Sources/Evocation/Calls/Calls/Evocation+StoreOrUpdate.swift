/// The write that inserts new models and updates existing ones.
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
  /// Inserts new models and updates existing ones, by the rule for `store`.
  ///
  /// `data` has the models as the repository saved them.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil
  ) async -> Result<[Model]> {
    await perform(.write(StoreOrUpdate.self, models), rule)
  }

  /// Inserts new models and updates existing ones, by the rule for `store`.
  ///
  /// `data` has the models as the repository saved them. You can cancel the returned task. It ends
  /// when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func storeOrUpdate<Model: Sendable>(
    _ models: [Model], rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.write(StoreOrUpdate.self, models), rule, callback)
  }
}
