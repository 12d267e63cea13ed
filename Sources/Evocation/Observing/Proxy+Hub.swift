extension Proxy {
  /// What leads the changes of the repository that is observed, and which that is.
  ///
  /// - Throws: ``EvocationError/notObservable(model:)``.
  func observationHub() throws(EvocationError) -> (
    ObservationHub<Model>, Evocation.RepositoryType
  ) {
    let found = hub.withLock { hub -> (ObservationHub<Model>, Evocation.RepositoryType)? in
      // Read here, because who rewires takes the hub away afterwards: none is kept of an old wiring.
      let wiring = wiring
      for type in [Evocation.RepositoryType.local, .remote] {
        guard let repository = wiring[type] as? any ObservableRepository<Model> else { continue }
        hub = hub ?? ModelAccess<Model>.make().map { ObservationHub(repository, $0) }
        return hub.map { ($0, type) }
      }
      return nil
    }
    guard let found else { throw .notObservable(model: model) }
    return found
  }
}
