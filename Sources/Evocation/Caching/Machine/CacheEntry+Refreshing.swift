internal import Foundation

extension CacheEntry {
  /// Fetches if the wish requires it, or joins the fetch that runs, and waits for its end.
  ///
  /// Inside a fetch of the cache, or of one that it waits for, a caller that would wait gets an
  /// error.
  func refresh(_ repository: UInt64, _ client: Client, _ wish: Machine.Wish) async -> RefreshResult
  {
    if Task.isCancelled { return .skipped(.cancelled) }
    // Inside the save, the caller would wait for itself.
    if WriteScope.isInside(line) { return .failed(CacheError.nestedWrite(tag: tag)) }
    await load(client)
    if wish != .always { await catchUp(client) }
    if isInsideFetch, needsFetch(client, wish) { return .failed(CacheError.nestedFetch(tag: tag)) }
    let result = Promise<RefreshResult>()
    guard let waiter = ask(repository, client, wish, result) else { return .skipped(.cancelled) }
    return await withCancellationHandler {
      await result.value
    } onCancel: {
      result.fulfil(.skipped(.cancelled))
      leave(waiter)
    }
  }

  private func needsFetch(_ client: Client, _ wish: Machine.Wish) -> Bool {
    let now = time.now
    return state.withLock { $0.machine.needsFetch(wish, client.policy, at: now) }
  }

  /// Whether this task is inside a fetch of the cache, or of a page of it.
  var isInsideFetch: Bool { WriteScope.isInside(fetchWork) || isInsidePage }

  /// Whether this task is inside a fetch of a page of the list.
  var isInsidePage: Bool {
    WriteScope.isInside(nextPageWork) || WriteScope.isInside(previousPageWork)
  }

  /// Asks for a refresh; nil when the repository has other requirements by now.
  private func ask(
    _ repository: UInt64, _ client: Client, _ wish: Machine.Wish, _ result: Promise<RefreshResult>
  ) -> UInt64? {
    var waiter: UInt64?
    change { state, now in
      guard state.subscribers[repository] != nil else { return [] }
      state.lastNumber += 1
      waiter = state.lastNumber
      state.waiters[state.lastNumber] = Waiter(repository: repository, result: result)
      let asked = Machine.Event.asked(by: state.lastNumber, wish, client.policy)
      return carryOut(state.machine.handle(asked, at: now), client, &state, at: now)
    }
    return waiter
  }

  /// Fetches for the observers at any age, unless a fetch runs.
  func force(_ client: Client) {
    handle(.forced(client.policy), for: client)
  }

  private func leave(_ waiter: UInt64) {
    change { state, now in
      state.waiters[waiter] = nil
      return carryOut(state.machine.handle(.left([waiter]), at: now), nil, &state, at: now)
    }
  }

  /// Begins a fetch; inside the work around this task, if that waits for it.
  func fetching(_ number: UInt64, _ client: Client, isAwaited: Bool) -> CacheWorker {
    CacheWorker(fetchWork, inside: isAwaited ? .open : nil) { [weak self, time] scope in
      // The fetched data are as old as the request, as with reads.
      let begun = time.now
      let known = self?.state.withLock { $0.machine.stored.record }
      do {
        let fetched = try await client.source.fetchFreshCache(client.requirements)
        guard !Task.isCancelled else { return }
        await self?.save(fetched, number, client, scope, at: begun, since: known)
      } catch {
        guard !Task.isCancelled, let self else { return }
        scope.close()
        if error is OutdatedFetch, self.canFetchAgain(number) {
          return self.handle(.outdated(number), for: client)
        }
        let error = error is OutdatedFetch ? CacheError.outdatedFetch(tag: self.tag) : error
        self.handle(.fetchFailed(number, CacheFailure(error)), for: client)
        self.trace(client, .failed("\(error)"), time.source.now() - begun.time)
      }
    }
  }

  /// Saves fetched data, and passes the end of the fetch to the machine.
  private func save(
    _ fetched: Source.FetchResult, _ number: UInt64, _ client: Client, _ work: WriteScope,
    at begun: CacheMoment, since known: FetchRecord?
  ) async {
    let start = time.source.now()
    do {
      try await inTurn { () -> FetchStamp.Outcome? in
        guard let saving = beginSaving(number) else { return nil }
        var record = Self.record(
          of: client.source.content(of: fetched), client, fetchedAt: begun.date)
        record.isInvalidated = saving == .stale
        record.pages = client.pages(fetched)
        let stamp = FetchStamp(
          tag: tag, record: record, ledger: registry.ledger, basis: .record(known))
        try await client.source.saveCache(fetched, requirements: client.requirements, stamp: stamp)
        return stamp.written ?? FetchStamp.Outcome(record: record, version: nil)
      } then: { saved in
        work.close()
        guard let saved else { return handle(.dropped(number), for: client) }
        let event = Machine.Event.saved(number, saved.record, version: saved.version)
        handle(event, savedIn: saved.version, for: client)
      }
      await evict(client)
    } catch is OutdatedFetch where canFetchAgain(number) {
      work.close()
      handle(.outdated(number), for: client)
    } catch {
      work.close()
      let error = error is OutdatedFetch ? CacheError.outdatedFetch(tag: tag) : error
      handle(.fetchFailed(number, CacheFailure(error)), for: client)
      trace(client, .failed("\(error)"), time.source.now() - start, .local)
    }
  }

  /// Begins to save: returns how fetched data must be saved, or nil when they must not.
  private func beginSaving(_ number: UInt64) -> CacheRefresh.Saving? {
    let now = time.now
    return state.withLock { state in
      let saving = state.machine.saving(number)
      _ = state.machine.handle(.savingBegan(number), at: now)
      return saving
    }
  }

  private func canFetchAgain(_ number: UInt64) -> Bool {
    state.withLock { $0.machine.refresh.fetch(number)?.isLastAttempt != true }
  }

  /// Returns the record of a cache that was fetched at a date.
  static func record(
    of cache: Source.Cache?, _ client: Client, fetchedAt date: Date
  ) -> FetchRecord {
    let isMeasured = client.source.limits.size != nil
    return FetchRecord(
      fetchedAt: date,
      size: isMeasured ? cache.map(client.source.size) ?? 0 : 0,
      source: stableName(of: Source.self),
      requirements: client.codedRequirements, store: client.placed?.recordedName)
  }

  /// Waits for a turn among the writes of this cache, and runs both bodies in it.
  ///
  /// The second body passes the event to the machine. No other write comes before that, and work
  /// that the event begins is not part of the write.
  @discardableResult
  func inTurn<Value>(
    _ body: () async throws -> Value, then end: (Value) -> Void = { _ in }
  ) async throws -> Value {
    guard !WriteScope.isInside(line) else { throw CacheError.nestedWrite(tag: tag) }
    let ticket = line.enter()
    defer { line.leave(ticket) }
    try await line.turn(ticket)
    let scope = WriteScope(line)
    defer { scope.close() }
    let value = try await WriteScope.$current.binding(scope, body)
    scope.close()
    end(value)
    return value
  }

  private func trace(
    _ client: Client, _ outcome: Evocation.Trace.Outcome, _ duration: Duration,
    _ repository: Evocation.RepositoryType = .remote
  ) {
    let step = Evocation.Trace.Step(
      repository: repository, role: repository == .remote ? .target : .synchronization,
      outcome: outcome, duration: duration)
    client.onTrace?(Evocation.Trace(model: "\(Source.Cache.self)", call: "refresh", steps: [step]))
  }
}

/// The error of fetched data that others have outdated before they could be saved.
///
/// A list's draft was deleted, or the changes are those since a change token that is no longer there.
struct OutdatedFetch: Error {}
