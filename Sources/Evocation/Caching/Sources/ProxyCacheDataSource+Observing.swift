extension ProxyCacheDataSource {
  /// Gives what the local repository has for the criteria, and then again whenever that changes.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await observe(requirements) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Asks the local repository.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    try await local.find(requirements).value
  }

  private func observe(_ criteria: Criteria, _ show: ([Model]) -> Void) async throws {
    guard try local is any ObservableRepository<Model> else {
      return show(try await local.find(criteria).value)
    }
    for await result in evocation.observed(Model.self, criteria) {
      if let error = result.error { throw error }
      show(result.data ?? [])
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
