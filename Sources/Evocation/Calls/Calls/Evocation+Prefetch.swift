public import Foundation

extension Evocation {
  /// Fetches models from the remote repository into the local one, without returning them.
  ///
  /// ```swift
  /// await evocation.prefetch(Car.self, criteria: ["origin": "Japan"], maxAge: .seconds(3600))
  /// ```
  ///
  /// `HTTPRepository` reads the models in batches, and the local store saves each batch while the
  /// next one arrives. However many models there are, memory holds at most two batches. Other local
  /// models stay. When the last batch is saved, the criteria count as fetched, unless they have a
  /// limit, an offset or a cursor. For a cache and for a rule that mirrors, they count only if the local
  /// store had no such model before.
  ///
  /// ``catchUp(deadline:progress:)-method`` repeats a prefetch that failed, or is older than its
  /// `maxAge`.
  ///
  /// If Evocation knows that there is no connection, the result has
  /// ``EvocationError/offline(model:)``.
  ///
  /// While the limits of an HTTP service hold requests back, those of the user's calls pass those of a
  /// prefetch.
  ///
  /// - Parameters:
  ///   - model: The registered model type.
  ///   - criteria: The models to fetch; all models by default.
  ///   - maxAge: The age up to which an earlier fetch of these criteria is enough. With zero, the
  ///     default, Evocation always fetches.
  ///   - progress: A progress that counts the models that are saved, for a view; nil for none. Its
  ///     total is indeterminate unless the server says it. Canceling it is as canceling the task:
  ///     the fetch ends with `CancellationError`, also while a request is under way. When the call
  ///     returns, the progress is finished, also after an error, unless your app has canceled it.
  /// - Returns: How many models were saved; zero if an earlier fetch was enough. With an error, it
  ///   is the number that was saved before the error, or nil if that is zero.
  @discardableResult
  public func prefetch<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, maxAge: Duration = .zero,
    progress: Progress? = nil
  ) async -> Result<Int> {
    let session = environment.sessions.current
    do throws(EvocationError) {
      let prefetch = try Prefetch(proxy(for: model), criteria ?? Criteria())
      let result = await FetchProgress.run(progress, isDone: { $0.error == nil }) {
        await BackgroundWork.$current.withValue(BackgroundWork()) {
          await prefetch.run(maxAge: maxAge)
        }
      }
      environment.onEvent(in: session)?(result.trace)
      let isRepeated = maxAge > .zero || result.error != nil
      parts.prefetches.keep(
        .init(model: ObjectIdentifier(model), criteria: prefetch.criteria), in: session,
        isRepeated ? repeating(model, prefetch.criteria, maxAge: maxAge) : nil)
      return result
    } catch {
      let trace = Trace(model: "\(Model.self)", call: Prefetch<Model>.name)
      return await FetchProgress.run(progress, isDone: { _ in false }) {
        Result(error: error, trace: trace)
      }
    }
  }

  /// Returns a closure that does a prefetch again if it is due.
  private func repeating<Model: Sendable>(
    _ model: Model.Type, _ criteria: Criteria, maxAge: Duration
  ) -> DueFetch {
    { [weak self] in
      guard let result = await self?.prefetch(model, criteria: criteria, maxAge: maxAge) else {
        return nil
      }
      if result.error != nil { return false }
      return result.origin == .local ? nil : true
    }
  }

  /// Fetches models from the remote repository into the local one, for criteria from key paths.
  @discardableResult
  public func prefetch<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, maxAge: Duration = .zero,
    progress: Progress? = nil
  ) async -> Result<Int> {
    await prefetch(model, criteria: criteria.criteria, maxAge: maxAge, progress: progress)
  }
}

extension Evocation {
  /// Returns when all models for these criteria were in the local store for the first time.
  ///
  /// ```swift
  /// if await evocation.firstSync(of: Car.self) == nil { showWelcome() }
  /// ```
  ///
  /// A prefetch, a find that is saved, and a cache of the same criteria count. The date survives a
  /// restart of your app where the ledger does, as in a SQLite file. A sign-out erases it.
  ///
  /// - Returns: The date; nil if the first fetch has not ended yet, or the ledger cannot be read.
  public func firstSync<Model: Sendable>(
    of model: Model.Type, criteria: Criteria? = nil
  ) async -> Date? {
    guard let proxy = try? proxy(for: model) else { return nil }
    let tag = proxy.tag(for: criteria ?? Criteria())
    let record = try? await proxy.ledger.record(for: tag)
    guard let record = proxy.wiring.known(record, of: tag), !record.isCleared else { return nil }
    return record.firstFetchedAt ?? record.fetchedAt
  }

  /// Returns when all models for criteria from key paths were in the local store for the first time.
  public func firstSync<Model: Sendable>(
    of model: Model.Type, where criteria: Criteria.Of<Model>
  ) async -> Date? {
    await firstSync(of: model, criteria: criteria.criteria)
  }
}

/// Fetches models from the remote repository into the local one in batches.
struct Prefetch<Model: Sendable>: Sendable {
  let proxy: Proxy<Model>
  let criteria: Criteria

  static var name: String { "prefetch" }
  /// Large enough that the cost of a transaction is small, and small enough to hold two batches in
  /// memory.
  private static var batchSize: Int { 1000 }

  init(_ proxy: Proxy<Model>, _ criteria: Criteria) {
    self.proxy = proxy
    self.criteria = criteria.declaring(proxy.wiring.parameters)
  }

  /// Fetches the models, unless the local repository has them from a recent fetch.
  func run(maxAge: Duration) async -> Evocation.Result<Int> {
    if Task.isCancelled { return refusal(Cancellation.error()) }
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
    // Created before the ledger is asked, so that a sign-out in the meantime concerns it.
    let call = Call<Model>(.read(Find.self, criteria), proxy)
    // No fetch of a part is recorded, as with a find.
    let isPart = criteria.isPart(of: Model.self)
    var stamp = isPart ? nil : await proxy.stamp(for: criteria, maxAge: maxAge)
    var rule = Strategy.Rule(target: .remote, synchronize: .upsert, maxAge: maxAge)
    guard !call.isFresh(stamp, rule) || maxAge <= .zero else {
      var record = CallRecord(model: proxy.model, call: Self.name)
      record.skip(.remote, .target, reason: "local has them from a recent fetch")
      var result = Evocation.Result(data: 0, origin: .local, isPending: false, record: record)
      result.fetchedAt = stamp?.known?.fetchedAt
      return result
    }
    if proxy.environment.isOffline { return refusal(EvocationError.offline(model: proxy.model)) }
    if let begun = stamp { stamp = await ofEmptyLocal(begun) }
    guard let remote = wiring.remote?.role((any BatchingRepository<Model>).self) else {
      rule.maxAge = nil
      return await call.execute(rule, stamp).count { $0 }
    }
    return await fetch(call, remote, stamp: stamp)
  }

  /// Returns the stamp of a prefetch into a store that has no model for the criteria yet.
  ///
  /// Such a store then has what the prefetch brought and nothing else, as after a fetch that mirrors.
  private func ofEmptyLocal(_ stamp: FetchStamp) async -> FetchStamp {
    guard (try? await proxy.wiring.local?.exists(criteria)) == false else { return stamp }
    var record = stamp.record
    record.coverage = record.coverage == .part ? .part : .mirrored
    return stamp.with(record)
  }

  /// Stores each batch when the next one has arrived, and the last one with the fetch date.
  private func fetch(
    _ call: Call<Model>, _ remote: any BatchingRepository<Model>, stamp: FetchStamp?
  ) async -> Evocation.Result<Int> {
    let start = proxy.environment.time.now()
    let mark = proxy.log.mark(in: call.session, of: call.wiring.registration)
    let held = Lock(Response<[Model]>([]))
    let stored = Lock(0)
    let progress = FetchProgress.current
    var record = CallRecord(model: proxy.model, call: Self.name)
    var entry = Evocation.Metadata(role: .target)
    do {
      let found = try await remote.find(criteria, inBatchesOf: Self.batchSize) { found in
        let batch = held.withLock { held in
          defer { held = found }
          return held
        }
        guard !batch.value.isEmpty else { return }
        try await store(batch, call, mark: mark, stamp: nil)
        let count = stored.withLock { stored in
          stored += batch.value.count
          return stored
        }
        if progress?.isCancelled == true { throw Cancellation.error() }
        progress?.report(count, of: found.metadata["totalCount"] as? Int)
      }
      (entry.count, entry.values) = (found.value, found.metadata)
      entry.duration = proxy.environment.time.now() - start
      record.add(entry, of: .remote)
      let last = held.withLock { $0 }
      try await store(last, call, mark: mark, stamp: stamp)
      record.add(.init(role: .synchronization, count: found.value), of: .local)
      var result = Evocation.Result(
        data: found.value, origin: .remote, isPending: false, record: record)
      result.fetchedAt = proxy.environment.date() - entry.duration.seconds
      return result
    } catch {
      entry.count = stored.withLock { $0 }
      entry.duration = proxy.environment.time.now() - start
      return Self.failure(error, after: entry, in: record)
    }
  }

  /// Returns the result of a fetch of which a part is stored.
  private static func failure(
    _ error: any Error, after fetched: Evocation.Metadata, in record: CallRecord
  ) -> Evocation.Result<Int> {
    var (record, fetched) = (record, fetched)
    let notStored = (error as? NotStored)?.reason
    if notStored == nil { fetched.error = error }
    if record.metadata[.remote] == nil { record.add(fetched, of: .remote) }
    if let notStored {
      record.add(.init(role: .synchronization, error: notStored), of: .local)
    }
    let count = fetched.count
    return Evocation.Result(
      data: count > 0 ? count : nil, origin: count > 0 ? .remote : nil,
      error: notStored ?? error, isPending: false, record: record)
  }

  private func store(
    _ batch: Response<[Model]>, _ call: Call<Model>, mark: WriteLog<Model>.Mark,
    stamp: FetchStamp?
  ) async throws {
    let rule = Strategy.Rule(target: .remote, synchronize: .upsert)
    let ticket = proxy.line.enterToSave().ticket
    let synchronized = await call.saveFetched(
      batch.value, in: .local, rule: rule, mark: mark, ticket: ticket, stamp: stamp,
      versions: batch.versions, unsaid: proxy.unsaid(batch.value, batch.values))
    if let error = synchronized.metadata?.error { throw NotStored(reason: error) }
  }

  /// An error of the local repository, which passes through the remote repository's `find`.
  private struct NotStored: Error {
    let reason: any Error
  }

  private func refusal(_ error: any Error) -> Evocation.Result<Int> {
    Evocation.Result(error: error, trace: .init(model: proxy.model, call: Self.name))
  }
}
