extension ProxyCacheDataSource {
  /// Saves fetched models, without a stamp.
  public func saveCache(_ fetched: FetchResult, requirements: Criteria) async throws {
    try await saveFetched(fetched, requirements, stamp: nil)
  }

  /// Saves fetched models and writes the stamp, in one transaction where the store can.
  public func saveCache(
    _ fetched: FetchResult, requirements: Criteria, stamp: FetchStamp
  ) async throws {
    try await saveFetched(fetched, requirements, stamp: stamp)
  }

  /// Saves your app's models in the local repository, and writes the stamp, without a remote call.
  public func updateCache(
    _ cache: [Model], requirements: Criteria, stamp: FetchStamp
  ) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enter()) {
      _ = try await put(
        FetchedModels(cache), requirements, with: Rest(stamp: stamp), of: proxy,
        source: .cache)
      proxy.recordWritten(cache)
    }
  }

  /// Removes the local models that match these criteria and none of the others.
  ///
  /// Of criteria with a limit, it removes the models that the cache shows.
  public func deleteCache(_ requirements: Criteria, keeping others: [Criteria]) async throws {
    if let page = page(of: requirements) { return try await page.deleteCache(requirements) }
    let proxy = try proxy
    let kept = others.compactMap(\.predicate)
    // Criteria without a condition match every model.
    guard kept.count == others.count else { return }
    try await proxy.inTurn(of: proxy.line.enter()) {
      guard let local = try wiring(of: proxy).local else { return }
      let models = try await Self.surplus(of: requirements, besides: kept, in: local)
      if !models.isEmpty {
        _ = try await local.write(StoreWrite([.remove(models)], source: .cache))
      }
    }
  }

  /// The models that match the requirements, and none of the conditions.
  private static func surplus(
    of requirements: Criteria, besides kept: [Criteria.Predicate], in local: any Repository<Model>
  ) async throws -> [Model] {
    guard !kept.isEmpty else { return try await local.find(requirements).value }
    return try await local.find(requirements && Criteria(.not(.any(kept)))).value
  }

  private func saveFetched(
    _ fetched: FetchResult, _ criteria: Criteria, stamp: FetchStamp?
  ) async throws {
    let proxy = try proxy
    try await proxy.inTurn(of: proxy.line.enterToSave().ticket) {
      try proxy.check(fetched.mark)
      let models = fetched.mark.written.applied(
        to: fetched.models, versions: fetched.versions, unsaid: fetched.unsaid)
      guard let changes = fetched.changes else {
        let removed = try await put(
          models, criteria,
          with: Rest(isWhole: fetched.isWhole, shown: fetched.shown, stamp: stamp), of: proxy)
        fetched.mark.recordSaved(models.models, removed: removed)
        return proxy.tell(models, "refresh")
      }
      do {
        try await proxy.save(
          changes, models, for: criteria, stamp: stamp, in: wiring(of: proxy).binding,
          since: fetched.mark)
      } catch is OutdatedStamp {
        throw OutdatedFetch()
      }
      proxy.tell(models, "refresh")
    }
  }

  /// Saves models, and returns the models that were removed for them.
  private func put(
    _ fetched: FetchedModels<Model>, _ criteria: Criteria, with rest: Rest, of proxy: Proxy<Model>,
    source: StoreWrite<Model>.Source = .remote
  ) async throws -> [Model] {
    guard let local = try wiring(of: proxy).local else {
      throw EvocationError.missingRepository(.local, model: proxy.model)
    }
    proxy.recordVersions(fetched.versions)
    if let page = page(of: criteria) {
      return try await put(fetched, on: page, for: criteria, with: rest, source: source)
    }
    let scope = options.removesMissing ? criteria : nil
    let write = fetched.write(for: scope, rest.stamp, source: source)
    return try await local.write(write).removed(by: write)
  }
}

extension Proxy {
  /// Checks that what was fetched since a mark may be saved.
  ///
  /// - Throws: ``EvocationError/signedOut(model:)``, and ``OutdatedFetch`` where another service was asked.
  func check(_ mark: WriteLog<Model>.Mark) throws {
    if mark.isSignedOut { throw EvocationError.signedOut(model: model) }
    if let store = binding?.store, mark.isReplaced(in: store) { throw OutdatedFetch() }
  }

  /// Traces which of the fetched models were not saved.
  func tell(_ fetched: FetchedModels<Model>, _ call: String) {
    guard let onTrace = environment.onEvent(), let note = fetched.note else { return }
    var record = CallRecord(model: model, call: call)
    record.skip(.local, .synchronization, reason: note)
    onTrace(record.trace)
  }

  /// Waits for a ticket's turn, and runs the body as a write on the model type.
  func inTurn(
    of ticket: WriteSerializer.Ticket, _ body: () async throws -> Void
  ) async throws {
    guard !WriteScope.isInside(line) else {
      line.leave(ticket)
      throw EvocationError.nestedWrite(model: model)
    }
    try await line.run(ticket, body)
  }
}

/// A ledger that records nothing, for saving without a stamp.
final class NoLedger: FetchLedger {
  func record(for tag: String) async throws -> FetchRecord? { nil }
  func write(_ record: FetchRecord, for tag: String) async throws {}
  func erase(prefix: String) async throws {}
  func erase(tag: String) async throws {}
  func markInvalidated(prefix: String) async throws {}
  func records(prefix: String) async throws -> FetchRecords { [:] }
}
