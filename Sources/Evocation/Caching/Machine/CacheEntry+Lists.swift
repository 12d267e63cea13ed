internal import Foundation

/// The work of an entry with a list that its source keeps.
extension CacheEntry {
  /// Reads the ledger's record of a list; nil when the source no longer has the list.
  func recall(_ client: Client) async throws -> FetchRecord? {
    do {
      if client.isCut { try await cut(client) }
      return try await present(client)
    } catch let damage as ListDamage {
      trace(damage, client)
      return nil
    }
  }

  /// Deletes a list whose stored numbers contradict each other; observers have it fetched again.
  ///
  /// The machine receives the event in the same step.
  func discard(
    _ damage: ListDamage, _ client: Client,
    with event: Machine.Event? = nil
  ) async {
    guard let source = client.source as? any ListCacheDataSource else { return }
    _ = try? await inTurn {
      // The damage may have been noticed elsewhere too, and this may be a new list.
      guard try await registry.ledger.record(for: tag) != nil, try await source.isDamaged(tag)
      else {
        return false
      }
      try await registry.ledger.erase(tag: tag)
      try await source.drop(tag)
      return true
    } then: { isGone in
      guard isGone else { return }
      trace(damage, client)
      change { state, now in
        let events = [event, .cleared(isKept: false), .checked].compactMap(\.self)
        let effects = events.flatMap { state.machine.handle($0, at: now) }
        return carryOut(effects, client, &state, at: now)
      }
    }
  }

  private func trace(_ damage: ListDamage, _ client: Client) {
    let step = Evocation.Trace.Step(
      repository: .local, role: .target, outcome: .failed("\(damage)"))
    client.onTrace?(
      Evocation.Trace(model: "\(Source.Cache.self)", call: "list", steps: [step]))
  }

  /// Cuts a list down to its first page at its first use.
  ///
  /// It takes its turn, so that no page is lost that was added in the meantime. The ledger is
  /// written first: a crash in between leaves pages that are fetched again, and never a gap in the
  /// list.
  private func cut(_ client: Client) async throws {
    let pages = try await registry.ledger.record(for: tag)?.pages
    guard let pages, pages.count > 1 else { return }
    try await inTurn {
      guard !isLoaded, var record = try await registry.ledger.record(for: tag),
        let pages = record.pages, pages.count > 1
      else { return }
      record.pages = pages.first
      try await registry.ledger.write(record, for: tag)
      try await (client.source as? any PagingCacheDataSource)?.cut(client.requirements)
    }
  }
}

extension PagingCacheDataSource {
  /// Deletes all except the first page; the requirements are of the source's type.
  fileprivate func cut(_ requirements: some CacheRequirements) async throws {
    guard let requirements = requirements as? Requirements else { return }
    try await persistOnlyFirstPage(requirements)
  }
}
