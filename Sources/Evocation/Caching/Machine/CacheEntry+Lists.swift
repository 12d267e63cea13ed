internal import Foundation

/// What an entry knows of the list that its source keeps for it.
extension CacheEntry {
  /// What the ledger remembers of a cache, as far as the source still has it.
  func recall(_ client: Client) async throws -> FetchRecord? {
    do {
      if client.isCut { try await cut(client) }
      return try await present(client)
    } catch let damage as ListDamage {
      tell(damage, client)
      return nil
    }
  }

  /// Forgets a list whose bookkeeping cannot be true, and has those who observe it fetch it anew.
  ///
  /// What else the machine has to know is told in the same moment.
  func letGo(
    _ damage: ListDamage, _ client: Client,
    with event: Machine.Event? = nil
  ) async {
    guard let source = client.source as? any ListCacheDataSource else { return }
    _ = try? await inTurn {
      // Another may have noticed it too, and the list be a new one by now.
      guard try await scope.ledger.record(for: tag) != nil, try await source.isDamaged(tag) else {
        return false
      }
      try await scope.ledger.erase(tag: tag)
      try await source.drop(tag)
      return true
    } then: { isGone in
      guard isGone else { return }
      tell(damage, client)
      change { state, now in
        let events = [event, .cleared(isKept: false), .checked].compactMap(\.self)
        let effects = events.flatMap { state.machine.handle($0, at: now) }
        return carryOut(effects, client, &state, at: now)
      }
    }
  }

  private func tell(_ damage: ListDamage, _ client: Client) {
    let step = Evocation.Trace.Step(
      repository: .local, role: .target, outcome: .failed("\(damage)"))
    client.onTrace?(
      Evocation.Trace(model: "\(Source.Cache.self)", call: "list", steps: [step]))
  }

  /// Forgets a list that its store no longer has.
  func forgetWhatIsLost(_ client: Client) async {
    guard let source = client.source as? any ListCacheDataSource,
      state.withLock({ $0.machine.stored.record != nil && $0.machine.refresh.fetch == nil }),
      (try? await source.isKept(tag)) == false
    else { return }
    // Once more in its turn, lest it be a list that is just being saved.
    _ = try? await inTurn {
      try await !source.isKept(tag)
    } then: { isLost in
      if isLost { handle(.cleared(isKept: false), for: client) }
    }
  }

  /// Cuts a list down to its first page, where that is asked for at its first use.
  ///
  /// It takes its turn, lest a page be cut off that was added meanwhile. The ledger is told first: a
  /// crash in between leaves pages that are fetched again, and never a gap in the list.
  private func cut(_ client: Client) async throws {
    let pages = try await scope.ledger.record(for: tag)?.pages
    guard let pages, pages.count > 1 else { return }
    try await inTurn {
      guard !isLoaded, var record = try await scope.ledger.record(for: tag),
        let pages = record.pages, pages.count > 1
      else { return }
      record.pages = pages.first
      try await scope.ledger.write(record, for: tag)
      try await (client.source as? any PagingCacheDataSource)?.cut(client.requirements)
    }
  }
}

extension PagingCacheDataSource {
  /// Deletes all but the first page, for requirements whose type is known to be the source's.
  fileprivate func cut(_ requirements: some CacheRequirements) async throws {
    guard let requirements = requirements as? Requirements else { return }
    try await persistOnlyFirstPage(requirements)
  }
}
