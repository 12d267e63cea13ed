internal import Foundation

extension CacheCell {
  /// Fetches if the wish asks for it, or joins the fetch that runs, and waits for its end.
  func refresh(_ repository: UInt64, _ seat: Seat, _ wish: Machine.Wish) async -> RefreshResult {
    if Task.isCancelled { return .skipped(.cancelled) }
    await load(seat)
    let result = Promise<RefreshResult>()
    let waiter = state.withLock { state in
      state.lastNumber += 1
      state.waiters[state.lastNumber] = Waiter(repository: repository, result: result)
      return state.lastNumber
    }
    handle(seat) { $0.asked(by: waiter, wish, seat.policy, at: $1) }
    return await withTaskCancellationHandler {
      await result.value
    } onCancel: {
      result.fulfil(.skipped(.cancelled))
      leave(waiter)
    }
  }

  /// Has those who observe fetch whatever the age, or join the fetch that runs.
  func force(_ seat: Seat) {
    handle(seat) { machine, _ in seat.policy.canFetch ? machine.forced() : [] }
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

  /// How often a fetch that the app's own writes make old is begun before it is given up.
  static var mostAttempts: Int { 3 }

  private func save(_ fetched: Source.FetchResult, _ number: UInt64, _ seat: Seat) async {
    let fetchedAt = time.now
    do {
      let record: FetchRecord? = try await inTurn { () -> FetchRecord? in
        guard state.withLock({ $0.machine.beginSaving(number) }) else { return nil }
        var record = Self.record(
          of: fetched as? Source.Cache, seat, fetchedAt: fetchedAt.date)
        record.pages = seat.pages(fetched)
        let stamp = FetchStamp(tag: tag, record: record, ledger: scope.ledger)
        try await seat.source.saveCache(fetched, requirements: seat.requirements, stamp: stamp)
        return await stamped(record)
      }
      guard let record else { return }
      handle(seat) { $0.saved(number, record, at: $1) }
      await evict(seat)
    } catch is OutdatedFetch {
      let attempts = state.withLock { $0.machine.fetch?.attempts ?? 0 }
      handle(seat) { machine, _ in
        attempts < Self.mostAttempts
          ? machine.outdated(number)
          : machine.failed(number, CacheError.outdatedFetch(tag: self.tag))
      }
    } catch {
      handle(seat) { machine, _ in machine.failed(number, error) }
      tell(seat, .failed("\(error)"), time.source.now() - fetchedAt.time, .local)
    }
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

  /// Waits for a turn among those who write this cache, and runs the body in it.
  func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard !WriteScope.isInside(line) else { throw CacheError.nestedWrite(tag: tag) }
    let ticket = line.enter()
    defer { line.leave(ticket) }
    try await line.turn(ticket)
    let scope = WriteScope(line)
    defer { scope.close() }
    return try await WriteScope.$current.withValue(scope, operation: body)
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

/// What was fetched is older than a write of the app, and must not win over it.
struct OutdatedFetch: Error {}
