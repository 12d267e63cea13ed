extension ProxyCacheDataSource: StoreCacheDataSource {
  /// Gives what the local repository has for the criteria, and then again whenever that changes.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    observeStore(requirements).caches
  }

  /// Asks the local repository.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    try await local.find(requirements).value
  }

  func readStore(_ requirements: Criteria) async throws -> StoreValue<[Model]>? {
    StoreValue(cache: try await local.find(requirements).value)
  }

  func observeStore(_ requirements: Criteria) -> StoreObservation<[Model]> {
    do {
      guard try local is any ObservableRepository<Model> else {
        return StoreObservation { tell in
          tell(.value(StoreValue(cache: try await local.find(requirements).value)))
        }
      }
      let (hub, origin) = try proxy.observationHub()
      let observer = try Observer(hub, origin, requirements, tellsVersions: true)
      return StoreObservation(reach: observer.reach) { tell in
        var observer = observer
        while let sight = await observer.next() { try tell(sight.storeEvent()) }
      }
    } catch {
      return StoreObservation { _ in throw error }
    }
  }

  private var local: any Repository<Model> {
    get throws {
      let proxy = try proxy
      guard let local = proxy.wiring.local else {
        throw EvocationError.missingRepository(.local, model: proxy.model)
      }
      return local
    }
  }
}

extension Observer.Sight {
  fileprivate func storeEvent() throws -> StoreEvent<[Model]> {
    if let error = result.error { throw error }
    if isUnchanged, let version { return .unchanged(version: version) }
    return .value(StoreValue(cache: result.data ?? [], version: version))
  }
}
