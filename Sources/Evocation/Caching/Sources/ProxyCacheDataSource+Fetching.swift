extension ProxyCacheDataSource {
  /// Asks the remote repository.
  ///
  /// - Throws: What it throws, and ``EvocationError`` when it, or the proxy, is missing.
  public func fetchFreshCache(_ requirements: Criteria) async throws -> FetchResult {
    let proxy = try proxy
    // A fetch inside a repository's own write would wait for that write.
    guard !WriteScope.isInside(proxy.line) else {
      throw EvocationError.nestedWrite(model: proxy.model)
    }
    // A write on its way would make what is fetched old before it came.
    let ticket = proxy.line.pass()
    if let ticket {
      defer { proxy.line.leave(ticket) }
      try await proxy.line.turn(ticket)
    }
    let mark = proxy.line.mark
    let call = Call(.find(requirements), proxy)
    let rule = proxy.wiring.strategy[.find]
    let isPatient = rule.target == .remote && (rule.timeout != nil || rule.retry != nil)
    let (models, metadata) =
      isPatient
      ? await call.patiently(.remote, .target, rule) : await call.once(.remote, .target)
    if let error = metadata.error { throw error }
    return FetchResult(models: models, mark: mark)
  }
}
