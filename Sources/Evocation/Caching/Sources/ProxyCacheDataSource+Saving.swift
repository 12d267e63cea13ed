extension ProxyCacheDataSource {
  /// Saves what was fetched; the stamp is somebody else's.
  public func saveCache(_ fetched: FetchResult, requirements: Criteria) async throws {
    try await saveFetched(fetched, requirements, nil)
  }

  /// Saves what was fetched and writes the stamp, in one transaction where local can.
  public func saveCache(
    _ fetched: FetchResult, requirements: Criteria, stamp: FetchStamp
  ) async throws {
    try await saveFetched(fetched, requirements, stamp)
  }

  /// Puts models into the local repository, and writes the stamp; the remote one is not told.
  public func updateCache(
    _ cache: [Model], requirements: Criteria, stamp: FetchStamp
  ) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enter()) {
      try await put(cache, requirements, stamp, proxy)
    }
  }

  /// Removes from the local repository what matches these criteria and none of the others.
  public func deleteCache(_ requirements: Criteria, keeping others: [Criteria]) async throws {
    let proxy = try proxy
    guard let local = proxy.wiring.local else { return }
    var gone = requirements
    for other in others {
      guard let predicate = other.predicate else { return }
      gone = gone && Criteria(.not(predicate))
    }
    let surplus = gone
    try await proxy.inTurn(of: proxy.line.enter()) {
      let models = try await local.find(surplus).value
      if !models.isEmpty { _ = try await local.remove(models) }
    }
  }

  private func saveFetched(
    _ fetched: FetchResult, _ criteria: Criteria, _ stamp: FetchStamp?
  ) async throws {
    let proxy = try proxy
    guard let ticket = proxy.line.enter(unlessWrittenSince: fetched.mark) else {
      throw OutdatedFetch()
    }
    try await proxy.inTurn(of: ticket) {
      try await put(fetched.models, criteria, stamp, proxy)
    }
  }

  private func put(
    _ models: [Model], _ criteria: Criteria, _ stamp: FetchStamp?, _ proxy: Proxy<Model>
  ) async throws {
    guard let local = proxy.wiring.local else {
      throw EvocationError.missingRepository(.local, model: proxy.model)
    }
    if let stamp, let ledgered = local as? any LedgerRepository<Model>,
      ledgered.fetchLedger.identity == stamp.ledger.identity
    {
      return try await ledgered.save(
        models, mirroring: saving == .mirror ? criteria : nil, stamp: stamp)
    }
    switch saving {
    case .mirror: _ = try await local.mirror(models, for: criteria)
    case .upsert: _ = try await local.storeOrUpdate(models)
    }
    try await stamp?.write()
  }
}

extension Proxy {
  /// Waits for a place's turn, and runs the body as a write on the model type.
  fileprivate func inTurn(
    of ticket: WriteLine.Ticket, _ body: () async throws -> Void
  ) async throws {
    defer { line.leave(ticket) }
    guard !WriteScope.isInside(line) else { throw EvocationError.nestedWrite(model: model) }
    try await line.turn(ticket)
    let scope = WriteScope(line)
    defer { scope.close() }
    try await WriteScope.$current.withValue(scope, operation: body)
  }
}
