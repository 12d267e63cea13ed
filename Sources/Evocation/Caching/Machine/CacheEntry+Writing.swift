internal import Foundation

extension CacheEntry {
  /// Saves the app's content as the cache, which then counts as fetched at the date; nil for now.
  func update(_ content: Content, _ source: Source, fetchedAt date: Date?) async throws {
    try await inTurn {
      try await writing {
        var record = source.record(of: content, fetchedAt: date ?? time.now.date)
        record.firstFetchedAt = state.withLock { $0.machine.stored.record?.firstFetchedAt }
        let stamp = FetchStamp(tag: tag, record: record, ledger: registry.ledger)
        try await source.update(content, stamp)
        var save = CacheSave(stamp)
        save.isDatedByApp = date != nil
        return save
      }
    } then: { save in
      handle(.updated(save), savedIn: save.version, for: source)
    }
    await evict(source)
  }

  /// Makes the cache one that was never fetched, and deletes the data that no other cache needs.
  ///
  /// The ledger's record is erased first: a crash in between leaves data that are not shown, and
  /// never an empty cache that counts as fetched. A source that fetches nothing shows all data that
  /// it has. For such a source the ledger therefore records the clearing, unless the data are gone.
  func clear(_ source: Source) async throws {
    var failure: (any Error)?
    var isKept = !source.policy.canFetch
    try await inTurn {
      let others = try await writing {
        let others = try await self.others(source)
        if isKept {
          let cleared = FetchRecord.cleared(source: source.kind, at: time.now.date)
          try await registry.ledger.write(cleared, for: tag)
        } else {
          try await registry.ledger.erase(tag: tag)
        }
        return others
      }
      do {
        try await source.delete(nil, others)
      } catch {
        failure = error
      }
      if isKept, failure == nil, (try? await source.isGone()) == true {
        try? await registry.ledger.erase(tag: tag)
        isKept = false
      }
    } then: {
      handle(.cleared(isKept: isKept, refreshes: true), for: source)
    }
    if let failure { throw failure }
  }

  /// Runs the preparation in turn, and then starts over with the ledger's present record.
  ///
  /// The preparation gets the records of other caches of this kind. The entry also starts over after
  /// a failure, because a part of the work may have been done.
  func restart(
    _ source: Source, _ prepare: ([FetchRecord]) async throws -> Void
  ) async throws {
    do {
      try await inTurn {
        defer { handle(.restarted, for: source) }
        try await prepare(try await others(source))
      }
    } catch {
      await load(source)
      throw error
    }
    await load(source)
  }

  /// Passes an event's record to the known fetches of the registry.
  func recordFetch(_ event: Machine.Event) {
    switch event {
    case .saved(.replacing, _, let save?), .updated(let save):
      state.withLock { $0.savedAs = CacheNumbers.next() }
      registry.recordWritten(save.record, for: tag)
    case .recalled(let record): registry.recordWritten(record, for: tag)
    case .cleared, .restarted: registry.recordWritten(nil, for: tag)
    // A page changes neither the date nor the criteria of its list.
    case .saved, .passedOver, .loaded, .loadFailed, .used, .observed, .policyChanged, .unobserved,
      .readAtOnce, .read, .unchanged, .readingFailed, .readingEnded, .checked, .away, .live,
      .asked, .pageAsked, .forced, .left, .savingBegan, .dropped, .replaced, .outdated, .failed,
      .writingBegan, .writingFailed, .invalidated:
      break
    }
  }

  /// Runs a part of a write; values that are observed during the write are shown at its end.
  private func writing<Value>(_ body: () async throws -> Value) async throws -> Value {
    handle(.writingBegan)
    do {
      return try await body()
    } catch {
      handle(.writingFailed)
      throw error
    }
  }

  /// Returns the records of other caches of the same kind.
  func others(_ source: Source) async throws -> [FetchRecord] {
    let records = try await registry.ledger.records(prefix: source.tagPrefix)
    // Local data that belong to a change token must stay, whichever source fetched them.
    return records.filter { other, record in
      !other.hasSameBytes(as: tag) && (record.source == source.kind || record.mark != nil)
        && !record.isCleared
    }.map(\.record)
  }
}
