extension Proxy {
  private typealias Known = (wiring: Wiring<Model>, hub: ObservationHub<Model>)

  /// Returns the hub of the repository that is observed, and which repository that is.
  ///
  /// - Throws: ``EvocationError/notObservable(model:)``.
  package func observationHub() throws(EvocationError) -> (
    ObservationHub<Model>, Evocation.RepositoryType
  ) {
    let wiring = wiring
    for type in [Evocation.RepositoryType.local, .remote] {
      guard let repository = wiring[type]?.role((any ObservableRepository<Model>).self),
        (repository as? FallbackRepository<Model>)?.isObservable != false
      else { continue }
      // Created before the lock is taken, because that runs the model's own code.
      guard let access = ModelAccess<Model>.make() else { break }
      return hub.change { known -> (hub: ObservationHub<Model>, old: Known?) in
        // The hub may belong to an old wiring, if it was created while the proxy was rewired.
        if let known, known.wiring === wiring { return (known.hub, nil) }
        let old = known
        let made = ObservationHub(
          repository, access, onTrace: environment.onAnyEvent,
          ids: type == .local ? followedIDs : nil
        ) { [weak self] hub in self?.follow(hub, of: wiring, as: type) }
        known = (wiring, made)
        return (made, old)
      } afterwards: {
        ($0.hub, type)
      }
    }
    throw .notObservable(model: model)
  }

  /// Follows, for the observers of a repository, the changes of its service, and registrations.
  private func follow(
    _ hub: ObservationHub<Model>, of wiring: Wiring<Model>, as type: Evocation.RepositoryType
  ) -> Evocation.Observation {
    let live = type == .local ? followLive { [weak hub] in hub?.observedCriteria ?? [] } : nil
    let (log, store, registration) = (log, wiring.binding.store, wiring.registration)
    let registrations = environment.registrations.observe { [weak hub] model in
      guard model == ObjectIdentifier(Model.self) else { return }
      let isPresent = type == .local ? log.presentStore == store : !registration.isOver
      if !isPresent { hub?.endReplaced() }
    }
    return Evocation.Observation {
      live?.cancel()
      registrations.cancel()
    }
  }
}
