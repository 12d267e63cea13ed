internal import Foundation

extension CacheCell {
  /// Fetches if the wish asks for it, or joins the fetch that runs, and waits for its end.
  func refresh(_ repository: UInt64, _ seat: Seat, _ wish: Machine.Wish) async -> RefreshResult {
    if Task.isCancelled { return .skipped(.cancelled) }
    // Inside the save it would wait for itself.
    if WriteScope.isInside(line) { return .failed(CacheError.nestedWrite(tag: tag)) }
    await load(seat)
    let result = Promise<RefreshResult>()
    guard let waiter = ask(repository, seat, wish, result) else { return .skipped(.cancelled) }
    return await withTaskCancellationHandler {
      await result.value
    } onCancel: {
      result.fulfil(.skipped(.cancelled))
      leave(waiter)
    }
  }

  /// Asks for a refresh; nil when the repository has other requirements by now.
  private func ask(
    _ repository: UInt64, _ seat: Seat, _ wish: Machine.Wish, _ result: Promise<RefreshResult>
  ) -> UInt64? {
    let (waiter, answers) = state.withLock { state -> (UInt64?, [Answer]) in
      guard state.attachments[repository] != nil else { return (nil, []) }
      state.lastNumber += 1
      let (waiter, now) = (state.lastNumber, time.now)
      state.waiters[waiter] = Waiter(repository: repository, result: result)
      let effects = state.machine.asked(by: waiter, wish, seat.policy, at: now)
      return (waiter, carryOut(effects, seat, &state, at: now))
    }
    for answer in answers { answer() }
    return waiter
  }

  /// Has those who observe fetch whatever the age, or join the fetch that runs.
  func force(_ seat: Seat) {
    handle(seat) { machine, _ in machine.askedToForce(seat.policy) }
  }

  private func leave(_ waiter: UInt64) {
    state.withLock { $0.waiters[waiter] = nil }
    handle { machine, _ in machine.left([waiter]) }
  }

  func fetching(_ number: UInt64, _ seat: Seat) -> Task<Void, Never> {
    Task { [weak self, time] in
      let start = time.source.now()
      do {
        let fetched = try await seat.source.fetchFreshCache(seat.requirements)
        guard !Task.isCancelled else { return }
        await self?.save(fetched, number, seat)
      } catch {
        guard !Task.isCancelled, let self else { return }
        self.handle(seat) { machine, _ in machine.failed(number, error) }
        self.tell(seat, .failed("\(error)"), time.source.now() - start)
      }
    }
  }

  /// How often a fetch is begun whose draft somebody else lets go before it is given up.
  private static var mostAttempts: Int { 3 }

  private func save(_ fetched: Source.FetchResult, _ number: UInt64, _ seat: Seat) async {
    let fetchedAt = time.now
    do {
      try await inTurn { () -> FetchRecord? in
        guard state.withLock({ $0.machine.beginSaving(number) }) else { return nil }
        var record = Self.record(
          of: seat.source.content(of: fetched), seat, fetchedAt: fetchedAt.date)
        record.pages = seat.pages(fetched)
        let stamp = FetchStamp(tag: tag, record: record, ledger: scope.ledger)
        try await seat.source.saveCache(fetched, requirements: seat.requirements, stamp: stamp)
        return await stamped(record)
      } then: { record in
        if let record { handle(seat) { $0.saved(number, record, at: $1) } }
      }
      await evict(seat)
    } catch is OutdatedFetch where isToBeMadeAgain(number) {
      handle(seat) { machine, _ in machine.outdated(number) }
    } catch {
      let error = error is OutdatedFetch ? CacheError.outdatedFetch(tag: tag) : error
      handle(seat) { machine, _ in machine.failed(number, error) }
      tell(seat, .failed("\(error)"), time.source.now() - fetchedAt.time, .local)
    }
  }

  private func isToBeMadeAgain(_ number: UInt64) -> Bool {
    let fetch = state.withLock { $0.machine.fetch }
    return fetch?.number != number || (fetch?.attempts ?? 0) < Self.mostAttempts
  }

  /// What is to be remembered of a cache that was fetched at a date.
  static func record(
    of cache: Source.Cache?, _ seat: Seat, fetchedAt date: Date
  ) -> FetchRecord {
    let isMeasured = seat.source.limits.size != nil
    return FetchRecord(
      fetchedAt: date,
      size: isMeasured ? cache.map(seat.source.size) ?? 0 : 0,
      source: String(reflecting: Source.self),
      requirements: (seat.requirements as? any Encodable).flatMap { try? JSONEncoder().encode($0) }
    )
  }

  /// Waits for a turn among those who write this cache, and runs both bodies in it.
  ///
  /// The second one tells the machine: nobody else writes before it knows, and what it begins does
  /// not count as part of the write.
  @discardableResult
  func inTurn<Value>(
    _ body: () async throws -> Value, then tell: (Value) -> Void = { _ in }
  ) async throws -> Value {
    guard !WriteScope.isInside(line) else { throw CacheError.nestedWrite(tag: tag) }
    let ticket = line.enter()
    defer { line.leave(ticket) }
    try await line.turn(ticket)
    let scope = WriteScope(line)
    defer { scope.close() }
    let value = try await WriteScope.$current.binding(scope, body)
    scope.close()
    tell(value)
    return value
  }

  private func tell(
    _ seat: Seat, _ outcome: Evocation.Trace.Outcome, _ duration: Duration,
    _ place: Evocation.RepositoryType = .remote
  ) {
    let step = Evocation.Trace.Step(
      repository: place, role: place == .remote ? .target : .synchronization, outcome: outcome,
      duration: duration)
    seat.onTrace?(Evocation.Trace(model: "\(Source.Cache.self)", call: "refresh", steps: [step]))
  }
}

/// What was fetched aside was let go by somebody else before it could be saved.
struct OutdatedFetch: Error {}
