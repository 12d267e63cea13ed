internal import Foundation

extension CacheCell where Source: PagingCacheDataSource {
  /// How many empty pages are passed over before the caller has to ask again.
  private static var mostEmptyPages: Int { 10 }

  /// Loads a page, saves it with its cursor, and waits until it is shown.
  func go(
    _ direction: PageDirection, _ repository: UInt64, _ seat: Seat, continueWhenError: Bool
  ) async -> PageResult {
    if Task.isCancelled { return .skipped(.cancelled) }
    await load(seat)
    let result = Promise<PageResult>()
    do throws(CacheError) {
      let wait = try wait(for: result, direction)
      defer { WaitGraph.leave(wait) }
      let (number, answer) = begin(direction, repository, seat, result, continueWhenError)
      if let answer { return answer }
      return await withTaskCancellationHandler {
        await result.value
      } onCancel: {
        result.fulfil(.skipped(.cancelled))
        leavePage(number)
      }
    } catch {
      return .failed(error)
    }
  }

  /// Enters who is about to wait for a page among those who wait inside other work.
  private func wait(
    for result: Promise<PageResult>, _ direction: PageDirection
  ) throws(CacheError) -> WaitGraph.Number? {
    // Who asks for a page that is being loaded does not wait for it.
    guard WriteScope.open != nil,
      state.withLock({ $0.machine.pages.number(direction) == nil })
    else { return nil }
    do throws(WaitGraph.Circle) {
      return try WaitGraph.enter(for: work(direction)) { result.isFulfilled }
    } catch {
      throw .nestedFetch(tag: tag)
    }
  }

  private func work(_ direction: PageDirection) -> CacheWork {
    direction == .next ? nextPageWork : previousPageWork
  }

  /// Begins to load a page, or gives the answer where there is nothing to load.
  private func begin(
    _ direction: PageDirection, _ repository: UInt64, _ seat: Seat, _ result: Promise<PageResult>,
    _ continueWhenError: Bool
  ) -> (number: UInt64, answer: PageResult?) {
    var begun: (number: UInt64, answer: PageResult?) = (0, nil)
    change { state, now in
      let asked = state.machine.pageAsked(
        direction, seat.policy, continueWhenError: continueWhenError)
      begun = (asked.number, asked.answer)
      guard asked.answer == nil else { return [] }
      let load = loading(direction, asked.number, seat)
      state.pageWaiters[asked.number] = PageWaiter(
        repository: repository, result: result, load: load)
      return carryOut(asked.effects, seat, &state, at: now)
    }
    return begun
  }

  private func leavePage(_ number: UInt64) {
    handle { machine, _ in machine.pageLeft(number) }
  }

  private func loading(
    _ direction: PageDirection, _ number: UInt64, _ seat: Seat
  ) -> CacheWorker {
    CacheWorker(work(direction)) { [weak self] _ in
      do {
        for _ in 0..<Self.mostEmptyPages {
          guard let page = try self?.page(direction, number) else { return }
          guard try await self?.pass(page, direction, number, seat) ?? false else { return }
        }
        self?.end(direction, number)
      } catch {
        guard !Task.isCancelled else { return }
        self?.handle { machine, _ in machine.pageFailed(direction, number, error) }
        let step = Evocation.Trace.Step(
          repository: .remote, role: .target, outcome: .failed("\(error)"))
        seat.onTrace?(
          Evocation.Trace(model: "\(Source.Cache.self)", call: "\(direction)Page", steps: [step]))
      }
    }
  }

  /// What the next page to load is asked for with; nil when it is not wanted any longer.
  private func page(
    _ direction: PageDirection, _ number: UInt64
  ) throws -> Source.PagingRequirements? {
    let data = state.withLock { state in
      state.machine.isExpected(direction, number) ? state.machine.record?.pages?[direction] : nil
    }
    return try data.map(Source.FetchResult.page)
  }

  /// Fetches and saves a page; answers whether it was empty, and another comes after it.
  private func pass(
    _ page: Source.PagingRequirements, _ direction: PageDirection, _ number: UInt64, _ seat: Seat
  ) async throws -> Bool {
    let fetched = try await seat.source.fetchFreshCache(
      seat.requirements, pagingRequirements: page)
    return try await !save(fetched, at: page, direction, number, seat)
  }

  /// Saves a page, unless the list is another by now; answers whether that was all.
  ///
  /// An empty page with more to come is saved as one that moves the position on, and passed over.
  private func save(
    _ fetched: Source.FetchResult, at page: Source.PagingRequirements, _ direction: PageDirection,
    _ number: UInt64, _ seat: Seat
  ) async throws -> Bool {
    try await inTurn {
      let present = state.withLock { state in
        state.machine.beginSavingPage(direction, number) ? state.machine.record : nil
      }
      guard var record = present, var pages = record.pages else { return true }
      let following = direction == .next ? fetched.nextData : fetched.previousData
      guard pages.advance(direction, to: following) else {
        throw CacheError.repeatedPage(tag: tag)
      }
      record.pages = pages
      let stamp = FetchStamp(tag: tag, record: record, ledger: scope.ledger)
      let isEmpty = (fetched.content as? any Collection)?.isEmpty ?? false
      try await seat.source.saveCache(
        fetched.content, requirements: seat.requirements, pagingRequirements: page,
        place: PagePlace(direction), stamp: stamp)
      let isPassedOver = isEmpty && following != nil
      let saved = await stamped(record)
      handle(seat) { machine, now in
        isPassedOver
          ? machine.pagePassedOver(direction, number, saved)
          : machine.pageSaved(direction, number, saved, at: now)
      }
      return !isPassedOver
    }
  }

  /// Many pages were empty one after another; whoever waits is told, and may ask for more.
  private func end(_ direction: PageDirection, _ number: UInt64) {
    handle { machine, now in
      guard let record = machine.record else { return [] }
      return machine.pageSaved(direction, number, record, at: now)
    }
  }
}

extension CacheCell {
  /// The record as it was stamped: a store that dropped pages knows better how the list goes on.
  func stamped(_ record: FetchRecord) async -> FetchRecord {
    guard record.pages != nil else { return record }
    return (try? await scope.ledger.record(for: tag)) ?? record
  }

  /// What the ledger remembers of a cache, as far as the source still has it.
  func recall(_ seat: Seat) async throws -> FetchRecord? {
    guard let record = try await cut(scope.ledger.record(for: tag), seat) else { return nil }
    guard let source = seat.source as? any PartedCacheDataSource else { return record }
    return try await source.isKept(tag) ? record : nil
  }

  /// Forgets a list that its store no longer has.
  func forgetWhatIsLost(_ seat: Seat) async {
    guard let source = seat.source as? any PartedCacheDataSource,
      state.withLock({ $0.machine.record != nil && $0.machine.fetch == nil }),
      (try? await source.isKept(tag)) == false
    else { return }
    // Once more in its turn, lest it be a list that is just being saved.
    _ = try? await inTurn {
      try await !source.isKept(tag)
    } then: { isLost in
      if isLost { handle(seat) { $0.cleared(at: $1) } }
    }
  }

  /// Cuts a list down to its first page, where that is asked for at its first use.
  ///
  /// It takes its turn, lest a page be cut off that was added meanwhile. The ledger is told first: a
  /// crash in between leaves pages that are fetched again, and never a gap in the list.
  func cut(_ record: FetchRecord?, _ seat: Seat) async throws -> FetchRecord? {
    guard seat.isCut, record?.pages.map({ $0.count > 1 }) ?? false else { return record }
    return try await inTurn {
      var record = try await scope.ledger.record(for: tag)
      guard !isLoaded, let pages = record?.pages, pages.count > 1 else { return record }
      record?.pages = pages.first
      if let record { try await scope.ledger.write(record, for: tag) }
      try await (seat.source as? any PagingCacheDataSource)?.cut(seat.requirements)
      return record
    }
  }

  /// Ends the loads that a repository's callers wait for.
  func abandonPages(of repository: UInt64, _ state: inout State) -> [Answer] {
    let waiting = state.pageWaiters.filter { $0.value.repository == repository }
    var answers: [Answer] = []
    for (number, waiter) in waiting {
      answers.append { waiter.result.fulfil(.skipped(.cancelled)) }
      answers += carryOut(state.machine.pageLeft(number), nil, &state, at: time.now)
    }
    return answers
  }
}

extension PagingCacheDataSource {
  /// Deletes all but the first page, for requirements whose type is known to be the source's.
  fileprivate func cut(_ requirements: some CacheRequirements) async throws {
    guard let requirements = requirements as? Requirements else { return }
    try await persistOnlyFirstPage(requirements)
  }
}
