extension Proxy {
  private typealias Known = (wiring: Wiring<Model>, hub: ObservationHub<Model>)

  /// What leads the changes of the repository that is observed, and which that is.
  ///
  /// - Throws: ``EvocationError/notObservable(model:)``.
  func observationHub() throws(EvocationError) -> (
    ObservationHub<Model>, Evocation.RepositoryType
  ) {
    let wiring = wiring
    for type in [Evocation.RepositoryType.local, .remote] {
      guard let repository = wiring[type] as? any ObservableRepository<Model> else { continue }
      // Looked into before the lock is taken, because that runs the model's own code.
      guard let access = ModelAccess<Model>.make() else { break }
      let (found, old) = hub.withLock { known -> (ObservationHub<Model>, Known?) in
        // One may be kept of an old wiring, made while somebody rewired.
        if let known, known.wiring === wiring { return (known.hub, nil) }
        let old = known
        let made = ObservationHub(repository, access, onTrace: environment.onEvent)
        known = (wiring, made)
        return (made, old)
      }
      // The replaced hub is released after the lock, because that ends its observation.
      withExtendedLifetime(old) {}
      return (found, type)
    }
    throw .notObservable(model: model)
  }
}
