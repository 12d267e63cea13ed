internal import Foundation

extension CacheEntry where Source: PagingCacheDataSource {
  /// How many empty pages one call skips at most.
  private static var mostEmptyPages: Int { 10 }

  /// Loads a page, saves it with its cursor, and waits until it is shown.
  func go(
    _ direction: PageDirection, _ repository: UInt64, _ client: Client, continueWhenError: Bool
  ) async -> PageResult {
    if Task.isCancelled { return .skipped(.cancelled) }
    await load(client)
    let caller = PageCaller(repository: repository)
    switch ask(for: direction, caller, client, continueWhenError) {
    case .result(let result): return result
    case .waits(let number): return await answer(to: caller, of: number)
    }
  }

  /// The answer to a caller: a result, or the number of the load that it waits for.
  private enum Asked {
    case result(PageResult)
    case waits(UInt64)
  }

  private func ask(
    for direction: PageDirection, _ caller: PageCaller, _ client: Client, _ continueWhenError: Bool
  ) -> Asked {
    var asked = Asked.result(.skipped(.cancelled))
    let isInside = isInsidePage
    change { state, now in
      let answer = state.machine.pageAnswer(
        direction, continueWhenError: continueWhenError, isInsideLoad: isInside)
      if case .result(let result) = answer {
        asked = .result(result)
        return []
      }
      let followups = enter(caller, direction, client, &state, at: now)
      if let number = state.machine.pages.number(direction) { asked = .waits(number) }
      return followups
    }
    return asked
  }

  /// Enters a caller of a page, whose load begins unless it already runs.
  func enter(
    _ caller: PageCaller, _ direction: PageDirection, _ client: Client, _ state: inout State,
    at now: CacheMoment
  ) -> [Followup] {
    let effects = state.machine.handle(.pageAsked(direction), at: now)
    guard let number = state.machine.pages.number(direction) else { return [] }
    let load = state.pageWaiters[number]?.load ?? loading(direction, number, client)
    state.pageWaiters[number, default: PageWaiter(load: load)].callers.append(caller)
    return carryOut(effects, client, &state, at: now)
  }

  private func work(_ direction: PageDirection) -> CacheWork {
    direction == .next ? nextPageWork : previousPageWork
  }

  /// Waits for the end of a load, which continues for the other callers when this one is canceled.
  private func answer(to caller: PageCaller, of number: UInt64) async -> PageResult {
    await withCancellationHandler {
      await caller.result.value
    } onCancel: {
      caller.result.fulfil(.skipped(.cancelled))
      leavePage(number) { $0 === caller }
    }
  }

  private func loading(
    _ direction: PageDirection, _ number: UInt64, _ client: Client
  ) -> CacheWorker {
    CacheWorker(work(direction), inside: .open) { [weak self] _ in
      do {
        for _ in 0..<Self.mostEmptyPages {
          guard let page = try await self?.page(direction, number, client) else { return }
          guard try await self?.pass(page, direction, number, client) ?? false else { return }
        }
        self?.end(direction, number)
      } catch {
        guard !Task.isCancelled else { return }
        await self?.fail(direction, number, error, client)
      }
    }
  }

  private func fail(
    _ direction: PageDirection, _ number: UInt64, _ error: any Error, _ client: Client
  ) async {
    let step = Evocation.Trace.Step(
      repository: .remote, role: .target, outcome: .failed("\(error)"))
    client.onTrace?(
      Evocation.Trace(model: "\(Source.Cache.self)", call: "\(direction)Page", steps: [step]))
    let failed = Machine.Event.pageFailed(direction, number, CacheFailure(error))
    if let damage = error as? ListDamage {
      // Before the callers get the failure, because they may continue immediately.
      await discard(damage, client, with: failed)
    }
    handle(failed)
  }

  /// A page to load, and the list that it belongs to.
  private struct WantedPage {
    let requirements: Source.PagingRequirements
    let list: PageRecord
  }

  /// Returns the next page to load; nil when it is no longer wanted.
  ///
  /// It reads the list's pages again, because others that share its store may have changed the
  /// list.
  private func page(
    _ direction: PageDirection, _ number: UInt64, _ client: Client
  ) async throws -> WantedPage? {
    try await recallInTurn(client)
    let (isWanted, list) = state.withLock { state in
      (state.machine.pages.number(direction) == number, state.machine.stored.record?.pages)
    }
    guard isWanted else { return nil }
    guard let list, let data = list[direction] else {
      end(direction, number)
      return nil
    }
    do {
      return WantedPage(requirements: try Source.FetchResult.page(data), list: list)
    } catch {
      throw CacheError.unknownPage
    }
  }

  /// Fetches and saves a page; true when it was empty and another one follows.
  private func pass(
    _ page: WantedPage, _ direction: PageDirection, _ number: UInt64, _ client: Client
  ) async throws -> Bool {
    let fetched = try await client.source.fetchFreshCache(
      client.requirements, pagingRequirements: page.requirements)
    return try await !save(fetched, at: page, direction, number, client)
  }

  /// Saves a page, unless the list has changed; false when the next page must be loaded too.
  ///
  /// An empty page that another one follows only moves the list's position on.
  private func save(
    _ fetched: Source.FetchResult, at page: WantedPage, _ direction: PageDirection,
    _ number: UInt64, _ client: Client
  ) async throws -> Bool {
    try await inTurn {
      guard var record = beginSavingPage(direction, number), var pages = record.pages else {
        return true
      }
      // Others may have replaced or continued the list, and this process may already know that.
      guard pages.goesOn(direction, like: page.list) else {
        return await !goOnElsewhere(direction, number, client)
      }
      let before = pages
      let following = direction == .next ? fetched.nextData : fetched.previousData
      guard pages.advance(direction, to: following) else {
        throw CacheError.repeatedPage(tag: tag)
      }
      record.pages = pages
      let stamp = FetchStamp(
        tag: tag, record: record, ledger: registry.ledger, basis: .list(before))
      let isEmpty = (fetched.content as? any Collection)?.isEmpty ?? false
      do {
        try await client.source.saveCache(
          fetched.content, requirements: client.requirements,
          pagingRequirements: page.requirements, place: PagePosition(direction), stamp: stamp)
      } catch is OutdatedStamp {
        return await !goOnElsewhere(direction, number, client)
      }
      let isPassedOver = isEmpty && following != nil
      let saved = stamp.written ?? FetchStamp.Outcome(record: record, version: nil)
      if isPassedOver {
        handle(.pagePassedOver(direction, number, saved.record), for: client)
      } else {
        let event = Machine.Event.pageSaved(
          direction, number, saved.record, version: saved.version)
        handle(event, savedIn: saved.version, for: client)
      }
      return !isPassedOver
    }
  }

  /// Takes over a list that others have continued, replaced or cleared; false when there is none.
  private func goOnElsewhere(
    _ direction: PageDirection, _ number: UInt64, _ client: Client
  ) async -> Bool {
    guard let record = try? await present(client) else {
      handle(.recalled(nil), for: client)
      return false
    }
    handle(.pagePassedOver(direction, number, record), for: client)
    return true
  }

  /// Begins to save a page: returns the list's record, or nil when the page must not be saved now.
  private func beginSavingPage(_ direction: PageDirection, _ number: UInt64) -> FetchRecord? {
    let now = time.now
    return state.withLock { state in
      guard state.machine.canSavePage(direction, number) else { return nil }
      _ = state.machine.handle(.pageSavingBegan(direction, number), at: now)
      return state.machine.stored.record
    }
  }

  /// Ends a load without a page, after many empty ones; the callers may request more.
  private func end(_ direction: PageDirection, _ number: UInt64) {
    handle(.pageSaved(direction, number, nil))
  }
}

extension CacheEntry {
  /// Ends the waiting of a repository's callers for pages.
  func abandonPages(
    of repository: UInt64, _ state: inout State, at now: CacheMoment
  ) -> [Followup] {
    Array(state.pageWaiters.keys).flatMap { number in
      leavePage(number, &state, at: now) { $0.repository == repository }
    }
  }

  fileprivate func leavePage(_ number: UInt64, _ isLeaving: (PageCaller) -> Bool) {
    change { state, now in leavePage(number, &state, at: now, isLeaving) }
  }

  /// Removes callers that no longer wait for a page; the load ends with the last of them.
  private func leavePage(
    _ number: UInt64, _ state: inout State, at now: CacheMoment,
    _ isLeaving: (PageCaller) -> Bool
  ) -> [Followup] {
    let leaving = state.pageWaiters[number]?.callers.filter(isLeaving) ?? []
    guard !leaving.isEmpty else { return [] }
    state.pageWaiters[number]?.callers.removeAll(where: isLeaving)
    let followup: Followup = {
      for caller in leaving { caller.result.fulfil(.skipped(.cancelled)) }
    }
    guard state.pageWaiters[number]?.callers.isEmpty == true else { return [followup] }
    let effects = state.machine.handle(.pageLeft(number), at: now)
    return [followup] + carryOut(effects, nil, &state, at: now)
  }
}
