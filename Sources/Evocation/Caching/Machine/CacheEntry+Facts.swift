extension CacheEntry {
  package var facts: CacheRegistry.Facts? {
    let now = time.now
    let (snapshot, source, observers) = state.withLock { state in
      (
        state.machine.snapshot(), state.subscribers.values.first?.source,
        state.subscribers.values.reduce(0) { $0 + $1.buffers.count }
      )
    }
    guard let source else { return nil }
    let shown = snapshot.state(source.policy, at: now, tag: tag)
    return .init(
      record: snapshot.stored.record, isList: source.isList, observers: observers,
      freshness: shown.freshness, isRefreshing: shown.isRefreshing, error: shown.refreshError,
      count: shown.extent?.count ?? (shown.cache as? any Collection)?.count)
  }
}
