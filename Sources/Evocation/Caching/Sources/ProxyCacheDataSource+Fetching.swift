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
  let mark: WriteQueue.Mark
}

extension Proxy {
  /// Asks the remote repository, by the find rule's timeout and retries where those are for it.
  func fetch(_ criteria: Criteria) async throws -> ProxyFetch<Model> {
    // A fetch inside a repository's own write would wait for that write.
    guard !WriteScope.isInside(line) else { throw EvocationError.nestedWrite(model: model) }
    // A write on its way would make what is fetched old before it came.
    let ticket = line.pass()
    if let ticket {
      defer { line.leave(ticket) }
      try await line.turn(ticket)
    }
    let mark = line.mark
    let call = Call(.find(criteria), self)
    let rule = wiring.strategy[.find]
    let isPatient = rule.target == .remote && (rule.timeout != nil || rule.retry != nil)
    let (models, metadata) =
      isPatient
      ? await call.patiently(.remote, .target, rule) : await call.once(.remote, .target)
    if let error = metadata.error { throw error }
    return ProxyFetch(models: models, values: metadata.values, mark: mark)
  }
}
