extension ProxyPagingCacheDataSource: PartedCacheDataSource {
  /// Gives the part of the list that is looked at, and then again whenever it changes.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await part in observeParts(requirements) { continuation.yield(part.cache) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Reads the whole list.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    try await local.store.part(of: tag(for: requirements), in: nil)?.models
  }

  func readPart(_ requirements: Criteria) async throws -> CachePart<[Model]>? {
    try await part(of: tag(for: requirements))
  }

  func isKept(_ tag: String) async throws -> Bool {
    // What is missing is told by whatever needs it.
    guard let store = try? local.store else { return true }
    return try await store.part(of: tag, in: 0..<0) != nil
  }

  func isDamaged(_ tag: String) async throws -> Bool {
    do {
      let store = try local.store
      guard try await store.pageCount(of: tag) != nil else { return true }
      return try await store.part(of: tag, in: nil) == nil
    } catch is ListDamage {
      return true
    }
  }

  func drop(_ tag: String) async throws {
    try await local.store.commit(StoreWrite([.list(.delete(tag, removing: nil))]))
  }

  func observeParts(
    _ requirements: Criteria
  ) -> AsyncThrowingStream<CachePart<[Model]>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await observe(tag(for: requirements)) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func observe(_ list: String, _ show: (CachePart<[Model]>) -> Void) async throws {
    let shown = ShownModels<Model>(ModelAccess<Model>.make())
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let desk = try proxy.wiring.lists
    let window = desk.watch(list) { signal.yield() }
    let observable = try local.repository as? any ObservableRepository<Model>
    let changes = observable?.observeChanges { change in
      if shown.isChanged(by: change) { signal.yield() }
    }
    defer {
      window.cancel()
      changes?.cancel()
    }
    signal.yield()
    for await _ in signals {
      // Until it is known what is shown, any change may be one of it.
      shown.forget()
      let part = try await part(of: list)
      show(part)
      shown.remember(part.cache)
    }
  }

  private func part(of list: String) async throws -> CachePart<[Model]> {
    let window = try proxy.wiring.lists.window(of: list)
    let part = try await local.store.part(of: list, in: window)
    return CachePart(
      cache: part?.models ?? [],
      extent: CacheExtent(range: part?.range ?? 0..<0, count: part?.count ?? 0))
  }
}

extension ProxyPagingCacheDataSource: WindowedCacheDataSource {
  /// Which part of a list is looked at.
  public func window(of requirements: Criteria) -> Range<Int>? {
    (try? proxy)?.wiring.lists.window(of: tag(for: requirements))
  }

  /// Sets which part of a list is looked at.
  public func show(_ range: Range<Int>?, of requirements: Criteria) {
    (try? proxy)?.wiring.lists.show(range, of: tag(for: requirements))
  }
}
