extension Evocation {
  /// Gives the present answer to a question, and then each one that differs from the last.
  ///
  /// ```swift
  /// for await result in evocation.observe(model: Car.self, criteria: ["origin": "Japan"]) {
  ///   print(result.data?.count ?? 0)
  /// }
  /// ```
  ///
  /// What is observed is the local repository, or the remote one when local tells no changes; no
  /// other is asked. There is an answer for each commit that changes it, in order; who reads too
  /// slowly for a few hundred commits is given the state that they led to. So is everybody after
  /// what the repository is asked again for: pages, commits of more than 256 models, and changes
  /// that cannot be told model by model. A write does not wait for its observers, and only those
  /// are woken whose answer it can change.
  ///
  /// The sequence goes on until its task is cancelled, with the proxy that it began with. An error
  /// of the repository is an answer too; a question that does not fit the model is the only one.
  public func observe<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria)
  }

  /// Calls back with the present answer to a question, and then with each that differs.
  ///
  /// The callback is called on the configuration's queue if it has one, one call after another. It
  /// ends when the observation is cancelled or released: where that is done on the queue, no call comes
  /// after it.
  public func observe<Model: Sendable>(
    model: Model.Type,
    criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Observation {
    .calling(callback, on: environment.callbackQueue, with: observed(model, criteria))
  }

  /// Returns the current answer, and then each one that differs, for criteria from key paths.
  ///
  /// ```swift
  /// for await result in evocation.observe(Car.self, where: \.origin == "Japan") {
  ///   print(result.data?.count ?? 0)
  /// }
  /// ```
  ///
  /// It only looks, as the form with `model:` does: it asks no server.
  public func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria.criteria)
  }

  /// Returns the current answer, and then each one that differs; of all models without criteria.
  public func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria)
  }

  /// Returns the current answer, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model: model, criteria: criteria)
  }

  /// Returns the current answer, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model, where: criteria)
  }

  /// Returns the current answer, and then each one that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    shared.observe(model, where: criteria)
  }

  /// Calls back with the present answer, and then with each that differs, through ``shared``.
  public static func observe<Model: Sendable>(
    model: Model.Type,
    criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Observation {
    shared.observe(model: model, criteria: criteria, callback: callback)
  }

  func observed<Model: Sendable>(
    _ model: Model.Type, _ criteria: Criteria?
  ) -> ObservedResults<Model> {
    let criteria = criteria ?? Criteria()
    return ObservedResults(
      begin: { [weak self] () throws(EvocationError) in
        guard let self else { throw .proxyNotFound(model: "\(model)") }
        let (hub, origin) = try self.proxy(for: model).observationHub()
        return try Observer(hub, origin, criteria)
      },
      date: { [weak self] result in
        guard let self, let proxy = try? self.proxy(for: model) else { return }
        await proxy.date(&result, of: criteria)
      },
      call: Trace(model: "\(model)", call: "observe")
    )
  }
}
