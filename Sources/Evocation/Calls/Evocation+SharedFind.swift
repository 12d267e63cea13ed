extension Evocation {
  /// Gives all models that match, in the order that the criteria ask for, through ``shared``.
  ///
  /// An empty answer is not an error: `data` is `[]`.
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) async -> Result<[Model]> {
    await shared.find(model: model, criteria: criteria)
  }

  /// Gives all models that match, in the order that the criteria ask for, through ``shared``.
  ///
  /// An empty answer is not an error: `data` is `[]`. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    shared.find(model: model, criteria: criteria, callback: callback)
  }

  /// Gives the first model that matches, through ``shared``.
  ///
  /// When nothing matches, `data` and `error` are nil.
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) async -> Result<Model> {
    await shared.findOne(model: model, criteria: criteria)
  }

  /// Gives the first model that matches, through ``shared``.
  ///
  /// When nothing matches, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public static func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    shared.findOne(model: model, criteria: criteria, callback: callback)
  }
}
