extension Evocation {
  /// Brings what the remote has to local, without an answer that holds it.
  ///
  /// ```swift
  /// await evocation.prefetch(Car.self, criteria: ["origin": "Japan"], maxAge: .seconds(3600))
  /// ```
  ///
  /// An `HTTPRepository` is read in batches, each of which is stored while the next one comes: no more than
  /// two are held, however many there are.
  /// What local has beside them stays. When the last one is stored, the criteria count as fetched.
  ///
  /// Where it is known that there is no connection, the remote is not asked, and the result has
  /// ``EvocationError/offline(model:)``.
  ///
  /// - Parameters:
  ///   - model: The models' type.
  ///   - criteria: What is fetched; everything by default.
  ///   - maxAge: How long ago a fetch of these criteria may be for nothing to be done; by default
  ///     they are always fetched.
  /// - Returns: How many models were stored, none where local had them. With an error it is how many
  ///   were stored before.
  @discardableResult
  public func prefetch<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, maxAge: Duration = .zero
  ) async -> Result<Int> {
    do throws(EvocationError) {
      let prefetch = try Prefetch(proxy(for: model), criteria ?? Criteria())
      let result = await prefetch.run(maxAge: maxAge)
      environment.onEvent?(result.trace)
      return result
    } catch {
      return Result(error: error, trace: .init(model: "\(Model.self)", call: Prefetch<Model>.name))
    }
  }

  /// Brings what the remote has to local, without an answer that holds it, through ``shared``.
  @discardableResult
  public static func prefetch<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, maxAge: Duration = .zero
  ) async -> Result<Int> {
    await shared.prefetch(model, criteria: criteria, maxAge: maxAge)
  }
}

/// Brings what the remote has down to local without an answer that holds it.
struct Prefetch<Model: Sendable>: Sendable {
  let proxy: Proxy<Model>
  let criteria: Criteria

  static var name: String { "prefetch" }
  /// Long enough that a transaction costs little, short enough to be held twice.
  private static var batchSize: Int { 1000 }

  init(_ proxy: Proxy<Model>, _ criteria: Criteria) {
    self.proxy = proxy
    self.criteria = criteria
  }

  /// Fetches the models, unless local has them from a fetch that is young enough.
  func run(maxAge: Duration) async -> Evocation.Result<Int> {
    let wiring = proxy.wiring
    for (type, isThere) in [
      (Evocation.RepositoryType.remote, wiring.hasRemote), (.local, wiring.hasLocal),
    ]
    where !isThere {
      return refusal(EvocationError.missingRepository(type, model: proxy.model))
    }
    do {
      try wiring.checkEnd(criteria, nil, of: proxy.model)
    } catch {
      return refusal(error)
    }
    // Made before the ledger is asked, so that a sign-out meanwhile concerns it.
    let call = Call<Model>(.read(Find.self, criteria), proxy)
    let known = await proxy.freshness(of: criteria, maxAge: maxAge)
    guard !known.isFresh || maxAge <= .zero else {
      var record = CallRecord(model: proxy.model, call: Self.name)
      record.skip(.remote, .target, "local has them from a fetch that is young enough")
      var result = Evocation.Result<Int>(
        data: 0, origin: .local, error: nil, synchronizationError: nil, values: [:], record: record)
      result.fetchedAt = known.fetchedAt
      return result
    }
    if proxy.environment.isOffline { return refusal(EvocationError.offline(model: proxy.model)) }
    guard let remote = wiring.remote as? any BatchingRepository<Model> else {
      let rule = Strategy.Rule(target: .remote, synchronize: .upsert)
      return await call.execute(rule, known).count { $0 }
    }
    return await fetch(call, remote, known.stamp)
  }

  /// Stores each batch when the next one has come, and the last one with the date of the fetch.
  private func fetch(
    _ call: Call<Model>, _ remote: any BatchingRepository<Model>, _ stamp: FetchStamp
  ) async -> Evocation.Result<Int> {
    let start = proxy.environment.time.now()
    let mark = proxy.log.mark(asOf: call.signOuts)
    let held = Lock(Response<[Model]>([]))
    let stored = Lock(0)
    var record = CallRecord(model: proxy.model, call: Self.name)
    var entry = Evocation.Metadata(role: .target)
    do {
      let found = try await remote.find(criteria, inBatchesOf: Self.batchSize) { found in
        let batch = held.withLock { held in
          defer { held = found }
          return held
        }
        guard !batch.value.isEmpty else { return }
        try await store(batch, call, mark, nil)
        stored.withLock { $0 += batch.value.count }
      }
      entry.count = found.value
      entry.duration = proxy.environment.time.now() - start
      record.note(entry, of: .remote)
      let last = held.withLock { $0 }
      try await store(last, call, mark, stamp)
      record.note(.init(role: .synchronization, count: found.value), of: .local)
      var result = Evocation.Result<Int>(
        data: found.value, origin: .remote, error: nil, synchronizationError: nil, values: [:],
        record: record)
      result.fetchedAt = proxy.environment.date()
      return result
    } catch {
      let count = stored.withLock { $0 }
      entry.count = count
      entry.duration = proxy.environment.time.now() - start
      let notStored = (error as? NotStored)?.reason
      if notStored == nil { entry.error = error }
      if record.metadata[.remote] == nil { record.note(entry, of: .remote) }
      if let notStored {
        record.note(.init(role: .synchronization, error: notStored), of: .local)
      }
      let error = notStored ?? error
      return Evocation.Result(
        data: count > 0 ? count : nil, origin: count > 0 ? .remote : nil, error: error,
        synchronizationError: nil, values: [:], record: record)
    }
  }

  private func store(
    _ batch: Response<[Model]>, _ call: Call<Model>, _ mark: WriteLog<Model>.Mark,
    _ stamp: FetchStamp?
  ) async throws {
    let rule = Strategy.Rule(target: .remote, synchronize: .upsert)
    let ticket = proxy.line.enterToSave().ticket
    let synchronized = await call.land(
      batch.value, in: .local, rule, mark, ticket, stamp, batch.versions)
    if let error = synchronized.metadata?.error { throw NotStored(reason: error) }
  }

  /// Local's failure, on its way through the remote.
  private struct NotStored: Error {
    let reason: any Error
  }

  private func refusal(_ error: any Error) -> Evocation.Result<Int> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: Self.name))
  }
}
