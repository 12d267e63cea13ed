extension ProxyCacheDataSource {
  /// Asks the remote repository.
  ///
  /// - Throws: What it throws, and ``EvocationError`` when it, or the proxy, is missing.
  public func fetchFreshCache(_ requirements: Criteria) async throws -> FetchResult {
    let fetched = try await proxy.fetch(requirements)
    return FetchResult(models: fetched.models, mark: fetched.mark)
  }
}

/// What the remote repository answered, and how the app's writes stood when it was asked.
struct ProxyFetch<Model: Sendable>: Sendable {
  let models: [Model]
  let values: [String: any Sendable]
  let mark: WriteLog<Model>.Mark
}

extension Proxy {
  /// How often models that cannot be told apart are fetched, because the app writes some.
  private static var mostAttempts: Int { 3 }

  /// Asks the remote repository, by the find rule's timeout and retries where those are for it.
  func fetch(_ criteria: Criteria) async throws -> ProxyFetch<Model> {
    // What is fetched inside a repository's own write would wait for that write to be saved.
    guard !WriteScope.isInside(line) else { throw EvocationError.nestedWrite(model: model) }
    guard !(Model.self is any Identifiable.Type) else { return try await ask(criteria) }
    for _ in 1..<Self.mostAttempts {
      // Lest a write that is on its way be taken for an older one.
      try await inTurn(of: line.enterToSave().ticket) {}
      let fetched = try await ask(criteria)
      if !fetched.mark.written.isUnknown { return fetched }
    }
    return try await ask(criteria)
  }

  private func ask(_ criteria: Criteria) async throws -> ProxyFetch<Model> {
    let mark = log.mark()
    let call = Call(.read(Find.self, criteria), self)
    let rule = wiring.strategy[.find]
    let isPatient = rule.target == .remote && rule.hasTimeoutOrRetry
    let (models, metadata) =
      isPatient
      ? await call.attemptWithRetries(.remote, .target, rule)
      : await call.attempt(.remote, .target)
    if let error = metadata.error { throw error }
    return ProxyFetch(models: models, values: metadata.values, mark: mark)
  }
}
