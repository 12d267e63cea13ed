extension Evocation {
  /// Returns the present result for criteria, and then each one that differs from the last.
  ///
  /// ```swift
  /// for await result in evocation.observe(model: Car.self, criteria: ["origin": "Japan"]) {
  ///   print(result.data?.count ?? 0)
  /// }
  /// ```
  ///
  /// Evocation observes the local repository, or the remote one if the local one reports no
  /// changes. It asks no other repository. If the service sends its changes automatically
  /// (``LiveRepository``), Evocation saves them in the meantime, and fetches what was missed as the
  /// strategy's rule for `find` does.
  ///
  /// The sequence has a result for each commit that changes the result, in order. A reader that
  /// falls more than 256 changes behind gets the latest state instead. Every reader gets only the
  /// latest state if Evocation has to ask the repository again: for criteria with a limit, an
  /// offset or a cursor, after a commit of more than 256 models, and if the repository does not
  /// report which models changed. A write does not wait for its observers, and wakes only those
  /// whose result it can change.
  ///
  /// The sequence goes on until you cancel its task. If your app registers the model type again, with
  /// another store, the next result is of that store. If your app unregisters it, the next result says so.
  /// An error of the repository is a result too. If the criteria do not fit the model, the model type is not
  /// registered, or no repository reports changes, that error is the only result.
  public func observe<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria)
  }

  /// Calls back with the present result for criteria, and then with each one that differs.
  ///
  /// Evocation calls the callback on the configuration's queue, if there is one, one call after
  /// another. It stops when you cancel or release the observation. If you do that on the queue, no
  /// call follows.
  public func observe<Model: Sendable>(
    model: Model.Type,
    criteria: Criteria? = nil,
    callback: @escaping @Sendable (Result<[Model]>) -> Void
  ) -> Observation {
    .calling(callback, on: environment.callbackQueue, with: observed(model, criteria))
  }

  /// Returns the present result, and then each one that differs, for criteria from key paths.
  ///
  /// ```swift
  /// for await result in evocation.observe(Car.self, where: \.origin == "Japan") {
  ///   print(result.data?.count ?? 0)
  /// }
  /// ```
  ///
  /// It observes as the form with `model:` does.
  public func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria.criteria)
  }

  /// Returns the present result, and then each one that differs; for all models without criteria.
  public func observe<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil
  ) -> some ObservedSequence<Result<[Model]>> {
    observed(model, criteria)
  }

  /// Returns the model with this id, and then each state of it that differs; its `data` is nil without it.
  ///
  /// ```swift
  /// for await result in evocation.observe(Draft.self, id: draft.id) { show(result.data) }
  /// ```
  ///
  /// It observes as the form with criteria does. If the server gives the model another id, the sequence
  /// stays on the model.
  public func observe<Model: Identifiable & Sendable>(
    _ model: Model.Type, id: Model.ID
  ) -> some ObservedSequence<Result<Model>> {
    observed(model, Criteria.Of<Model>(id: id).criteria).observedMap { $0.one() }
  }

  package func observed<Model: Sendable>(
    _ model: Model.Type, _ criteria: Criteria?
  ) -> ObservedResults<Model> {
    let criteria = criteria ?? Criteria()
    return ObservedResults(
      begin: { [weak self] () throws(EvocationError) in
        guard let self else { throw .proxyNotFound(model: "\(model)") }
        let proxy = try self.proxy(for: model)
        let (hub, origin) = try proxy.observationHub()
        let observer = try Observer(
          hub, origin, criteria: criteria.declaring(proxy.wiring.parameters))
        // These criteria may have been fetched before changes were missed.
        self.environment.demand.follower?.update(model)
        return observer
      },
      date: { [weak self] result in
        guard let self, let proxy = try? self.proxy(for: model) else { return }
        await proxy.date(&result, of: criteria)
      },
      call: Trace(model: "\(model)", call: "observe"),
      registrations: { [weak self] in self?.environment.registrations.events(keeping: 16) }
    )
  }
}
