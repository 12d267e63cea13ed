extension ProxyPagingCacheDataSource: StoreCacheDataSource {
  /// Returns a stream of the part of the list in the window: now, and after each change.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    observeStore(requirements).caches
  }

  /// Reads the whole list.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    try await base.evocation.environment.unlessSignedOut("\(Model.self)") {
      try await local.store.part(of: tag(for: requirements), in: nil)?.models
    }
  }

  func readStore(_ requirements: Criteria) async throws -> StoreValue<[Model]>? {
    try await base.evocation.environment.unlessSignedOut("\(Model.self)") {
      try await part(of: tag(for: requirements))
    }
  }

  func isKept(_ tag: String) async throws -> Bool {
    // The error of a missing repository is thrown by the calls that need the repository.
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
    try await local.store.commit(StoreWrite(list: .delete(tag, removing: nil)))
  }

  func observeStore(_ requirements: Criteria) -> StoreObservation<[Model]> {
    let list = tag(for: requirements)
    let changes = ListChanges()
    return StoreObservation(barrier: changes.barrier) { tell in
      try await observe(list, changes, tell)
    }
  }

  private func observe(
    _ list: String, _ changes: ListChanges, _ tell: (StoreEvent<[Model]>) -> Void
  ) async throws {
    let shown = ShownModels<Model>(ModelAccess<Model>.make())
    let window = try proxy.wiring.lists.watch(list) { changes.report() }
    let observable = try local.repository.role((any ObservableRepository<Model>).self)
    let observation = observable?.observeChanges { change in
      if shown.isChanged(by: change) { changes.report() }
    }
    let live = try proxy.followLive()
    defer {
      window.cancel()
      observation?.cancel()
      live.cancel()
    }
    var version: UInt64?
    for await _ in changes.signals {
      let (isChanged, reached) = changes.take()
      if !isChanged, let known = version, known >= reached {
        tell(.unchanged(version: known))
        continue
      }
      // Until the list is read, any change may affect it.
      shown.forget()
      version = nil
      do {
        let value = try await part(of: list)
        version = value.version
        tell(.value(value))
        shown.remember(value.cache)
      } catch {
        // A damaged list is discarded, which ends its observation.
        if error is ListDamage || error is CancellationError { throw error }
        tell(.failed(error))
      }
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

/// Whether a list may have changed since it was last read.
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

  /// Reports a change of the list.
  func report() {
    state.withLock { $0.isChanged = true }
    signal.yield()
  }

  /// Has a version reported, also without a change.
  @Sendable func barrier(_ version: UInt64) {
    state.withLock { $0.reached = max($0.reached, version) }
    signal.yield()
  }

  /// Returns whether the list has changed since the last call, and which version must be reported.
  func take() -> (isChanged: Bool, reached: UInt64) {
    state.withLock { state in
      defer { state.isChanged = false }
      return (state.isChanged, state.reached)
    }
  }
}

extension ProxyPagingCacheDataSource {
  /// Returns the part of a list that its observers see.
  func window(of requirements: Criteria) -> Range<Int>? {
    (try? proxy)?.wiring.lists.window(of: tag(for: requirements))
  }

  /// Sets the part of a list that its observers see.
  func show(_ range: Range<Int>?, of requirements: Criteria) {
    (try? proxy)?.wiring.lists.show(range, of: tag(for: requirements))
  }
}

/// The models of a list that an observer saw last.
private final class ShownModels<Model: Sendable>: Sendable {
  private struct State {
    /// Nil when they are unknown, so that any change may affect them.
    var ids: Set<ModelID>?
  }

  private let access: ModelAccess<Model>?
  private let state = Lock(State())

  init(_ access: ModelAccess<Model>?) {
    self.access = access
  }

  func forget() {
    state.withLock { $0.ids = nil }
  }

  func remember(_ models: [Model]) {
    guard let access else { return }
    let ids = try? Set(models.map(access.id))
    state.withLock { $0.ids = ids }
  }

  /// Whether a change may be visible; a removed model may move all models after it.
  func isChanged(by change: RepositoryChange<Model>) -> Bool {
    guard case .models(let stored, let updated, let removed) = change.extent, removed.isEmpty,
      let access, let ids = state.withLock({ $0.ids })
    else { return true }
    let changed = stored + updated.map(\.after)
    return changed.contains { model in (try? access.id(model)).map(ids.contains) ?? true }
  }
}
