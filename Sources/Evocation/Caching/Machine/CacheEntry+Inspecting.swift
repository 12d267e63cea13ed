extension CacheEntry: InspectedCache {
  func inspected(showsValues: Bool) -> Inspection.Cache? {
    let now = time.now
    let (snapshot, source, observers) = state.withLock { state in
      (
        state.machine.snapshot(), state.subscribers.values.first?.source,
        state.subscribers.values.reduce(0) { $0 + $1.buffers.count }
      )
    }
    guard let source else { return nil }
    let shown = snapshot.state(source.policy, at: now, tag: tag)
    var cache = Inspection.Cache(tag: tag, showsValues: showsValues)
    if let record = snapshot.stored.record { cache.note(record) }
    if source.pages != nil { cache.pages = cache.pages ?? 0 }
    cache.source = sourceName
    cache.observers = observers
    cache.freshness = shown.freshness
    cache.isRefreshing = shown.isRefreshing
    cache.error = shown.refreshError.map { LogText.of($0, showsValues: showsValues) }
    cache.count = shown.extent?.count ?? (shown.cache as? any Collection)?.count
    return cache
  }
}
