extension Evocation {
  /// Gives all models that match, in the order that the criteria ask for.
  ///
  /// An empty answer is not an error: `data` is `[]`.
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) async -> Result<[Model]> {
    await perform(.find(criteria ?? Criteria()) as Operation<Model>)
  }

  /// Gives all models that match, in the order that the criteria ask for.
  ///
  /// An empty answer is not an error: `data` is `[]`. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func find<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Task<Void, Never> {
    submit(.find(criteria ?? Criteria()) as Operation<Model>, { $0 }, callback)
  }

  /// Gives the first model that matches.
  ///
  /// When nothing matches, `data` and `error` are nil.
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) async -> Result<Model> {
    await perform(.findOne(criteria ?? Criteria()) as Operation<Model>).one()
  }

  /// Gives the first model that matches.
  ///
  /// When nothing matches, `data` and `error` are nil. The task can be cancelled; it ends when the callback has returned.
  @discardableResult
  public func findOne<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<Model>) -> Void
  ) -> Task<Void, Never> {
    submit(.findOne(criteria ?? Criteria()) as Operation<Model>, { $0.one() }, callback)
  }
}
