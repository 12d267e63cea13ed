internal import Foundation

extension CacheEntry {
  /// Fetches if the condition requires it, or joins the fetch that runs, and waits for its end.
  ///
  /// Inside a fetch of the cache, or of one that it waits for, a caller that would wait gets an
  /// error.
  func refresh(
    _ repository: UInt64, _ source: Source, condition: Machine.FetchCondition
  ) async -> CacheLoad.End {
    if Task.isCancelled { return .skipped(.isCancelled) }
    // Inside the save, the caller would wait for itself.
    if WriteScope.isInside(line) { return .failed(CacheError.nestedWrite(tag: tag)) }
    await load(source)
    if condition != .always { await catchUp(source) }
    let now = time.now
    if isInside(PagePosition.allCases),
      state.withLock({ $0.machine.needsFetch(condition, source.policy, at: now) })
    {
      return .failed(CacheError.nestedFetch(tag: tag))
    }
    return await end(for: repository, source: source) {
      .asked(by: $0, condition, source.policy)
    }
  }

  /// Loads a page, saves it with its cursor, and waits until it is shown.
  func go(
    _ position: PagePosition, _ repository: UInt64, source: Source, continueWhenError: Bool
  ) async -> CacheLoad.End {
    if Task.isCancelled { return .skipped(.isCancelled) }
    await load(source)
    let condition = Machine.PageCondition(
      continuesWhenError: continueWhenError, isInsideLoad: isInside(PagePosition.pages))
    return await end(for: repository, source: source) {
      .pageAsked(by: $0, position, condition)
    }
  }

  /// Whether this task is inside a load of the cache at one of these positions.
  func isInside(_ positions: [PagePosition]) -> Bool {
    WriteScope.open != nil
      && positions.contains { works[$0].map { WriteScope.isInside($0) } ?? false }
  }

  /// Enters a caller with an event, and waits for the end of the load that the event joins or
  /// begins, which goes on for the other callers when this one is canceled.
  private func end(
    for repository: UInt64, source: Source, _ event: (UInt64) -> Machine.Event
  ) async -> CacheLoad.End {
    let end = Promise<CacheLoad.End>()
    var entered: UInt64?
    change { state, now in
      // The repository may have other requirements by now.
      guard state.subscribers[repository] != nil else { return [] }
      let waiter = Self.enter(end, for: repository, in: &state)
      entered = waiter
      for worker in state.workers.values { worker.background?.join() }
      return carryOut(state.machine.handle(event(waiter), at: now), source, in: &state, at: now)
    }
    guard let waiter = entered else { return .skipped(.isCancelled) }
    raise(waiter, to: Task.currentPriority)
    return await withCancellationHandler {
      await withPriorityHandler {
        await end.value
      } onRaised: { priority in
        raise(waiter, to: priority)
      }
    } onCancel: {
      end.fulfil(.skipped(.isCancelled))
      change { state, now in
        state.waiters[waiter] = nil
        return carryOut(state.machine.handle(.left([waiter]), at: now), nil, in: &state, at: now)
      }
    }
  }

  /// Raises the priority of the load that a caller waits for.
  ///
  /// Waiting for a task's value would do so, but a caller waits only as long as it is not canceled.
  private func raise(_ waiter: UInt64, to priority: TaskPriority) {
    let awaited = state.withLock { state in
      state.workers.filter { state.machine.loads[$0.key].run?.waiters.contains(waiter) == true }
    }
    for worker in awaited.values { worker.task.raise(to: priority) }
  }

  /// Enters a caller through a repository, and returns the number by which the machine knows it.
  static func enter(
    _ end: Promise<CacheLoad.End>, for repository: UInt64, in state: inout State
  ) -> UInt64 {
    let number = CacheNumbers.next()
    state.waiters[number] = Waiter(repository: repository, end: end)
    return number
  }

  /// Fetches for the observers at any age, unless a fetch runs.
  func force(_ source: Source) {
    handle(.forced(source.policy), for: source)
  }

  /// Begins a load that the machine has decided on.
  ///
  /// Its task does not keep the entry while the app's source fetches.
  func worker(
    _ position: PagePosition, _ number: UInt64, source: Source, inside scope: WriteScope?
  ) -> CacheWorker? {
    works[position].map { work in
      CacheWorker(work, inside: scope) { [weak self] scope in
        let job = Job(position: position, number: number, source: source, scope: scope)
        if position == .replacing {
          await Self.fetch(job) { self }
        } else {
          await Self.fetchPages(job) { self }
        }
        scope.close()
      }
    }
  }

  /// A load that a task carries out.
  private struct Job {
    let position: PagePosition
    let number: UInt64
    let source: Source
    let scope: WriteScope
    var trace: Evocation.Trace

    init(position: PagePosition, number: UInt64, source: Source, scope: WriteScope) {
      self.position = position
      self.number = number
      self.source = source
      self.scope = scope
      trace = Evocation.Trace(model: "\(Content.self)", call: position.call)
    }

    mutating func add(
      _ outcome: Evocation.Trace.Outcome, of repository: Evocation.RepositoryType,
      after attempts: Int = 1, in duration: Duration
    ) {
      trace.steps.append(
        Evocation.Trace.Step(
          repository: repository, role: repository == .remote ? .target : .synchronization,
          outcome: outcome, attempts: attempts, duration: duration))
    }
  }

  private static func fetch(_ job: Job, _ entry: () -> CacheEntry?) async {
    var job = job
    // The fetched data are as old as the request, as with reads.
    guard let time = entry()?.time else { return }
    let begun = time.now
    let known = entry()?.state.withLock { $0.machine.stored.record }
    do {
      let fetched = try await job.source.fetch()
      guard !Task.isCancelled else { return }
      job.add(
        .answered(count: fetched.count), of: .remote, after: fetched.attempts,
        in: time.source.now() - begun.time)
      await entry()?.save(fetched, of: job, begun: begun, since: known)
    } catch {
      guard !Task.isCancelled else { return }
      job.add(.failed(with: error), of: .remote, in: time.source.now() - begun.time)
      entry()?.fail(job, error)
    }
  }

  /// Saves fetched data, and passes the end of the fetch to the machine.
  private func save(
    _ fetched: FetchedCache, of job: Job, begun: CacheMoment, since known: FetchRecord?
  ) async {
    var job = job
    let start = time.source.now()
    do {
      try await inTurn { () -> CacheSave? in
        guard let saving = beginSaving(job)?.saving else { return nil }
        var record = job.source.record(of: fetched, fetchedAt: begun.date)
        record.isInvalidated = saving == .stale
        let stamp = FetchStamp(
          tag: tag, record: record, ledger: registry.ledger, basis: .record(known))
        try await fetched.save(.replacing, stamp)
        job.add(
          .answered(count: fetched.count), of: .local, in: time.source.now().subtracting(start))
        return CacheSave(stamp, job.trace, begunAt: begun.time)
      } then: { save in
        job.scope.close()
        guard let save else { return handle(.dropped(job.number), for: job.source) }
        handle(
          .saved(.replacing, job.number, save), savedIn: save.version, for: job.source)
      }
      await evict(job.source)
    } catch {
      job.add(.failed(with: error), of: .local, in: time.source.now().subtracting(start))
      fail(job, error)
    }
  }

  /// Passes the failure of a fetch or a save to the machine; outdated data are fetched again.
  private func fail(_ job: Job, _ error: any Error) {
    job.scope.close()
    guard error is OutdatedFetch else {
      handle(.failed(job.position, job.number, CacheFailure(error), job.trace), for: job.source)
      job.source.onTrace?(job.trace)
      return
    }
    let isLast = state.withLock { $0.machine.refresh.run(job.number)?.isLastAttempt == true }
    if !isLast { return handle(.outdated(job.number), for: job.source) }
    fail(job, CacheError.outdatedFetch(tag: tag))
  }

  /// Begins to save: returns how, and the list's record; nil when the data must not be saved.
  private func beginSaving(_ job: Job) -> (saving: Freshness, record: FetchRecord?)? {
    let now = time.now
    return state.withLock { state in
      guard let saving = state.machine.saving(job.position, job.number) else { return nil }
      _ = state.machine.handle(.savingBegan(job.position, job.number), at: now)
      return (saving, state.machine.stored.record)
    }
  }
}

extension CacheEntry {
  /// How many empty pages one call skips at most.
  private static var mostEmptyPages: Int { 10 }

  private static func fetchPages(_ job: Job, _ entry: () -> CacheEntry?) async {
    var job = job
    guard let time = entry()?.time else { return }
    do {
      for _ in 0..<mostEmptyPages {
        guard let page = try await entry()?.wantedPage(of: job) else { return }
        let start = time.source.now()
        let fetched: FetchedCache
        do {
          fetched = try await job.source.fetchPage(page.requirements)
        } catch {
          job.add(.failed(with: error), of: .remote, in: time.source.now().subtracting(start))
          throw error
        }
        job.add(
          .answered(count: fetched.count), of: .remote, after: fetched.attempts,
          in: time.source.now().subtracting(start))
        guard try await entry()?.save(fetched, at: page, of: job) == true else { return }
      }
      // After many empty pages the load ends without one; the callers may request more.
      entry()?.handle(.saved(job.position, job.number, nil), for: job.source)
    } catch {
      guard !Task.isCancelled else { return }
      await entry()?.failPage(job, error)
    }
  }

  private func failPage(_ job: Job, _ error: any Error) async {
    var job = job
    if job.trace.steps.last?.outcome.isFailure != true {
      job.add(.failed(with: error), of: .local, in: .zero)
    }
    job.scope.close()
    job.source.onTrace?(job.trace)
    let failed = Machine.Event.failed(
      job.position, job.number, CacheFailure(error), job.trace)
    // Before the callers get the failure, because they may continue immediately.
    if let damage = error as? ListDamage { await discard(damage, job.source, with: failed) }
    handle(failed, for: job.source)
  }

  /// A page to load, and the list that it belongs to.
  private struct WantedPage {
    let requirements: Data
    let list: PageRecord
  }

  /// Returns the next page to load; nil when it is no longer wanted.
  ///
  /// It reads the list's pages again, because others that share its store may have changed the
  /// list.
  private func wantedPage(of job: Job) async throws -> WantedPage? {
    try await recallInTurn(job.source)
    let (isWanted, list) = state.withLock { state in
      (
        state.machine.loads[job.position].run(job.number) != nil,
        state.machine.stored.record?.pages
      )
    }
    guard isWanted else { return nil }
    guard let list, let data = list[job.position] else {
      handle(.saved(job.position, job.number, nil))
      return nil
    }
    return WantedPage(requirements: data, list: list)
  }

  /// Saves a page, unless the list has changed.
  ///
  /// An empty page that another one follows only moves the list's position on.
  ///
  /// - Returns: Whether the next page must be loaded too, as after an empty one.
  private func save(
    _ fetched: FetchedCache, at page: WantedPage, of job: Job
  ) async throws -> Bool {
    guard let direction = PageDirection(job.position) else { return false }
    return try await inTurn {
      guard var record = beginSaving(job)?.record, var pages = record.pages else {
        return false
      }
      // Others may have replaced or continued the list, and this process may already know that.
      guard pages.goesOn(direction, like: page.list) else { return await goOnElsewhere(job) }
      let before = pages
      let following = direction == .next ? fetched.next : fetched.previous
      guard pages.advance(direction, to: following) else {
        throw CacheError.repeatedPage(tag: tag)
      }
      record.pages = pages
      let stamp = FetchStamp(
        tag: tag, record: record, ledger: registry.ledger, basis: .list(before))
      do {
        try await fetched.save(job.position, stamp)
      } catch is OutdatedStamp {
        return await goOnElsewhere(job)
      }
      let save = CacheSave(stamp, job.trace)
      if fetched.count == 0, following != nil {
        handle(.passedOver(job.position, job.number, save.record), for: job.source)
        return true
      }
      handle(.saved(job.position, job.number, save), savedIn: save.version, for: job.source)
      return false
    }
  }

  /// Takes over a list that others have continued, replaced or cleared; false if there is none.
  private func goOnElsewhere(_ job: Job) async -> Bool {
    guard let record = try? await present(job.source) else {
      handle(.recalled(nil), for: job.source)
      return false
    }
    handle(.passedOver(job.position, job.number, record), for: job.source)
    return true
  }
}

extension CacheSave {
  /// Creates it from a stamp whose source has saved.
  init(_ stamp: FetchStamp, _ trace: Evocation.Trace? = nil, begunAt: Duration? = nil) {
    self.begunAt = begunAt
    record = stamp.written?.record ?? stamp.record
    version = stamp.written?.version
    self.trace = trace
  }
}

extension PagePosition {
  /// The name of a load in traces.
  fileprivate var call: String {
    switch self {
    case .replacing: "refresh"
    case .after: "nextPage"
    case .before: "previousPage"
    }
  }
}

extension Evocation.Trace.Outcome {
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}

/// The error of fetched changes since a change token that is no longer there.
struct OutdatedFetch: Error {}
