internal import Foundation

/// The work of an entry with a list that its source keeps.
extension CacheEntry {
  /// Reads the ledger's record of a list; nil when the source no longer has the list.
  func recall(_ source: Source) async throws -> FetchRecord? {
    do {
      if source.isCut { try await cut(source) }
      return try await present(source)
    } catch let damage as ListDamage {
      trace(damage, of: "list", as: .target, to: source)
      return nil
    }
  }

  /// Deletes a list whose stored numbers contradict each other; observers have it fetched again.
  ///
  /// The machine receives the event in the same step.
  func discard(
    _ damage: ListDamage, _ source: Source, with event: Machine.Event? = nil
  ) async {
    guard let stored = source.stored else { return }
    _ = try? await inTurn {
      // The damage may have been noticed elsewhere too, and this may be a new list.
      guard try await registry.ledger.record(for: tag) != nil, try await stored.isDamaged(tag)
      else {
        return false
      }
      try await registry.ledger.erase(tag: tag)
      try await stored.drop(tag)
      return true
    } then: { isGone in
      guard isGone else { return }
      trace(damage, of: "list", as: .target, to: source)
      change { state, now in
        let events = [event, .cleared(isKept: false), .checked].compactMap(\.self)
        let effects = events.flatMap { state.machine.handle($0, at: now) }
        return carryOut(effects, source, in: &state, at: now)
      }
    }
  }

  /// Reports a failure of the local repository to `onTrace`.
  func trace(
    _ error: any Error, of call: String, as role: Evocation.Metadata.Role, to source: Source
  ) {
    let step = Evocation.Trace.Step(repository: .local, role: role, outcome: .failed(with: error))
    source.onTrace?(Evocation.Trace(model: "\(Content.self)", call: call, steps: [step]))
  }

  /// Cuts a list down to its first page at its first use.
  ///
  /// It takes its turn, so that no page is lost that was added in the meantime. The ledger is
  /// written first: a crash in between leaves pages that are fetched again, and never a gap in the
  /// list.
  private func cut(_ source: Source) async throws {
    let pages = try await registry.ledger.record(for: tag)?.pages
    guard let pages, pages.count > 1 else { return }
    try await inTurn {
      guard !isLoaded, var record = try await registry.ledger.record(for: tag),
        let pages = record.pages, pages.count > 1
      else { return }
      record.pages = pages.first
      try await registry.ledger.write(record, for: tag)
      try await source.cut()
    }
  }
}
