extension Call {
  /// Makes the counterpart follow, and gives how it did; nil when a newer write left nothing to do.
  ///
  /// What a write answered goes over in the write's own turn. What a read fetched waits for a turn
  /// of its own, and is dropped when the app wrote meanwhile: the write is the newer.
  func synchronize(
    _ type: Evocation.RepositoryType,
    with models: [Model],
    _ rule: Strategy.Rule,
    _ mark: WriteQueue.Mark?
  ) async -> Evocation.Metadata? {
    guard let mark, !WriteScope.isInside(proxy.line) else {
      return await hand(models, to: type, rule)
    }
    guard let ticket = proxy.line.enter(unlessWrittenSince: mark) else { return nil }
    defer { proxy.line.leave(ticket) }
    do {
      try await proxy.line.turn(ticket)
    } catch {
      return .init(role: .synchronization, error: error)
    }
    return await inWriteScope { await hand(models, to: type, rule) }
  }

  /// Runs the body as a write on the model type, so that a write inside it is seen.
  func inWriteScope<Value>(_ body: () async -> Value) async -> Value {
    let scope = WriteScope(proxy.line)
    defer { scope.close() }
    return await WriteScope.$current.withValue(scope, operation: body)
  }

  private func hand(
    _ models: [Model], to type: Evocation.RepositoryType, _ rule: Strategy.Rule
  ) async -> Evocation.Metadata {
    let isMirroring = rule.synchronize == .mirror
    return await once(type, .synchronization, following: models, isMirroring: isMirroring).metadata
  }

  /// Asks the target behind an answer that local gave, unless that is under way.
  func revalidate(_ criteria: Criteria, _ rule: Strategy.Rule) {
    guard proxy.fetches.withLock({ $0.beginRevalidating(criteria) }) else { return }
    var fetch = rule
    fetch.revalidates = false
    Task {
      defer { proxy.fetches.withLock { $0.endRevalidating(criteria) } }
      let start = proxy.environment.time.now()
      let result = await follow(fetch, isFresh: false, since: start)
      proxy.environment.onTrace?(result.trace)
    }
  }
}
