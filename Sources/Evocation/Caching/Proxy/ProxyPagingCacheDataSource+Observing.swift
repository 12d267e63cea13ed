extension ProxyPagingCacheDataSource: ListCacheDataSource {
  /// Gives the part of the list that is looked at, and then again whenever it changes.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    observeStore(requirements).caches
  }

  /// Reads the whole list.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    try await local.store.part(of: tag(for: requirements), in: nil)?.models
  }

  func readStore(_ requirements: Criteria) async throws -> StoreValue<[Model]>? {
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

  func observeStore(_ requirements: Criteria) -> StoreObservation<[Model]> {
    let list = tag(for: requirements)
    let changes = ListChanges()
    return StoreObservation(reach: changes.reach) { tell in
      try await observe(list, changes, tell)
    }
  }

  private func observe(
    _ list: String, _ changes: ListChanges, _ tell: (StoreEvent<[Model]>) -> Void
  ) async throws {
    let shown = ShownModels<Model>(ModelAccess<Model>.make())
    let window = try proxy.wiring.lists.watch(list) { changes.note() }
    let observable = try local.repository as? any ObservableRepository<Model>
    let observation = observable?.observeChanges { change in
      if shown.isChanged(by: change) { changes.note() }
    }
    defer {
      window.cancel()
      observation?.cancel()
    }
    var version: UInt64?
    for await _ in changes.signals {
      let (isChanged, reached) = changes.take()
      if !isChanged, let known = version, known >= reached {
        tell(.unchanged(version: known))
        continue
      }
      // Until it is known what is shown, any change may be one of it.
      shown.forget()
      let value = try await part(of: list)
      version = value.version
      tell(.value(value))
      shown.remember(value.cache)
    }
  }

  private func part(of list: String) async throws -> StoreValue<[Model]> {
    let window = try proxy.wiring.lists.window(of: list)
    let part = try await local.store.part(of: list, in: window)
    return StoreValue(
      cache: part?.models ?? [],
      extent: CacheExtent(range: part?.range ?? 0..<0, count: part?.count ?? 0),
      version: part?.version)
  }
}

/// What may have changed of a list since it was read last.
private final class ListChanges: Sendable {
  private struct State {
    var isChanged = true
    var reached: UInt64 = 0
  }

  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let state = Lock(State())

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    signal.yield()
  }

  /// Something of the list has changed.
  func note() {
    state.withLock { $0.isChanged = true }
    signal.yield()
  }

  /// Somebody wants to be told of a version.
  @Sendable func reach(_ version: UInt64) {
    state.withLock { $0.reached = max($0.reached, version) }
    signal.yield()
  }

  /// Whether anything has changed since this was asked last, and which version is wanted.
  func take() -> (isChanged: Bool, reached: UInt64) {
    state.withLock { state in
      defer { state.isChanged = false }
      return (state.isChanged, state.reached)
    }
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
