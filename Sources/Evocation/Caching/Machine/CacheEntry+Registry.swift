package import Foundation

// What the registry asks of a cache.
extension CacheEntry {
  package var sourceName: String { "\(sourceType)" }

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

  package func receive(_ signal: CacheRegistry.Signal) {
    switch signal {
    case .recorded: recallAgain()
    case .registered:
      let sources = state.withLock { $0.subscribers.values.map(\.source) }
      for source in sources { source.rebind() }
      // Those that stay are stale, and what runs for another service begins again.
      if recordRegistrations() { handle(.replaced) }
    case .liveChanged: handle { .live(Self.liveSince($0)) }
    case .lacking:
      change { state, now in
        state.machine.live.recordLack(during: state.machine.refresh.run?.number)
        return carryOut(state.machine.handle(.checked, at: now), nil, in: &state, at: now)
      }
    // It takes no turn, because the sign-out has it.
    case .signedOut: handle { .cleared(isKept: $0.machine.stored.isCleared) }
    }
  }

  /// Records for which registrations the cache is fetched, and returns whether one is new.
  private func recordRegistrations() -> Bool {
    let sources = state.withLock { $0.subscribers.values.map(\.source) }
    let present = Set(sources.compactMap { $0.stored?.registration.map(ObjectIdentifier.init) })
    return state.withLock { state in
      defer { state.registrations = present }
      return !present.isSubset(of: state.registrations)
    }
  }

  private func handle(_ event: (State) -> Machine.Event) {
    change { state, now in
      carryOut(state.machine.handle(event(state), at: now), nil, in: &state, at: now)
    }
  }

  /// Since when the service's changes arrive in the store of its repositories automatically.
  static func liveSince(_ state: State) -> LiveStatus.Since? {
    state.subscribers.values.first?.source.stored?.liveSince
  }

  package func invalidate() async throws {
    registry.recordInvalidation(prefix: tag)
    try await inTurn { () -> FetchRecord? in
      guard var record = try await registry.ledger.record(for: tag) else { return nil }
      record.isInvalidated = true
      try await registry.ledger.write(record, for: tag)
      registry.recordWritten(record, for: tag)
      return record
    } then: {
      handle(.invalidated($0))
    }
  }

  package func forget() async {
    _ = try? await inTurn {
      let isCleared = try await registry.ledger.record(for: tag)?.isCleared ?? false
      if !isCleared { try await registry.ledger.erase(tag: tag) }
      return isCleared
    } then: { isCleared in
      handle(.cleared(isKept: isCleared))
    }
  }

  package func isDue(since date: Date?) -> Bool { date == nil ? due != nil : isObserved }

  package func lacks(_ models: any Sendable) -> Bool {
    let (source, body, isObserved) = state.withLock { state in
      (
        state.subscribers.values.first?.source, state.machine.reading.body,
        state.machine.isObserved
      )
    }
    guard isObserved, let source, case .value(let content, _) = body else { return false }
    return source.lacks(models, content.value)
  }

  package func fetchObserved(since date: Date?) async -> (any Error)? {
    if let date { return await refreshObserved(since: date) }
    change { state, now in
      updatePresence(in: &state, at: now)
      return carryOut(state.machine.handle(.checked, at: now), nil, in: &state, at: now)
    }
    if let (repository, source) = due,
      case .failed(let error) = await refresh(repository, source, condition: .whenInvalid)
    {
      return error
    }
    return due == nil ? nil : Cancellation.error()
  }

  /// An observed repository for which the cache is missing, stale, or failed last time.
  private var due: (repository: UInt64, source: Source)? {
    let now = time.now
    return state.withLock { state in
      state.subscribers.lazy.filter { !$0.value.buffers.isEmpty }
        .map { (repository: $0.key, source: $0.value.source) }
        .first { state.machine.needsFetch(.whenInvalid, $0.source.policy, at: now) }
    }
  }

  /// Fetches, for observers, a cache that may have missed changes of the service.
  ///
  /// A fetch that began by the date may lack some, so another one follows it. A list that a refresh would
  /// cut down to its first page is only validated.
  private func refreshObserved(since date: Date) async -> (any Error)? {
    let observed = state.withLock { state in
      state.subscribers.first { !$0.value.buffers.isEmpty && $0.value.source.policy.isAutomatic }
        .map { ($0.key, $0.value.source, isRunning: state.machine.refresh.run != nil) }
    }
    guard let (repository, source, isRunning) = observed, source.policy.canFetch else {
      return nil
    }
    let pages = state.withLock { $0.machine.stored.record?.pages?.count ?? 0 }
    if pages > 1, source.stored?.isShortenedByRefresh == true {
      _ = await refresh(repository, source, condition: .whenInvalid)
      return nil
    }
    if isRunning { _ = await refresh(repository, source, condition: .whenInvalid) }
    let isDone = state.withLock { state in
      state.machine.refresh.failure == nil
        && state.machine.stored.record.map { $0.fetchedAt > date && !$0.isInvalidated } ?? false
    }
    if isDone { return nil }
    guard case .failed(let error) = await refresh(repository, source, condition: .always) else {
      return nil
    }
    return error
  }
}
