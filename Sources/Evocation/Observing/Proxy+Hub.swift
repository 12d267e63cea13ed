extension Proxy {
  /// What leads the changes of the repository that is observed, and which that is.
  ///
  /// - Throws: ``EvocationError/notObservable(model:)``.
  func observationHub() throws(EvocationError) -> (
    ObservationHub<Model>, Evocation.RepositoryType
  ) {
    let wiring = wiring
    for type in [Evocation.RepositoryType.local, .remote] {
      guard let repository = wiring[type] as? any ObservableRepository<Model> else { continue }
      let hub = hub.withLock { hub in
        hub = hub ?? ModelAccess<Model>.make().map { ObservationHub(repository, $0) }
        return hub
      }
      guard let hub else { break }
      return (hub, type)
    }
    throw .notObservable(model: model)
  }
}
