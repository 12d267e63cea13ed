extension CacheEntry {
  /// Saves the app's content as the cache, which then counts as just fetched.
  func update(_ cache: Source.Cache, _ client: Client) async throws {
    try await inTurn {
      try await writing {
        var record = Self.record(of: cache, client, fetchedAt: time.now.date)
        record.pages = client.pages(nil)
        let stamp = FetchStamp(tag: tag, record: record, ledger: registry.ledger)
        try await client.source.updateCache(cache, requirements: client.requirements, stamp: stamp)
        return stamp.written ?? FetchStamp.Outcome(record: record, version: nil)
      }
    } then: { saved in
      let event = Machine.Event.updated(saved.record, version: saved.version)
      handle(event, savedIn: saved.version, for: client)
    }
    await evict(client)
  }

  /// Makes the cache one that was never fetched, and deletes the data that no other cache needs.
  ///
  /// The ledger's record is erased first: a crash in between leaves data that are not shown, and
  /// never an empty cache that counts as fetched. A source that fetches nothing shows all data that
  /// it has. For such a source the ledger therefore records the clearing, unless the data are gone.
  func clear(_ client: Client) async throws {
    var failure: (any Error)?
    var isKept = !client.policy.canFetch
    try await inTurn {
      let others = try await writing {
        let others = try await self.others(client)
        if isKept {
          let kind = stableName(of: Source.self)
          try await registry.ledger.write(.cleared(source: kind, at: time.now.date), for: tag)
        } else {
          try await registry.ledger.erase(tag: tag)
        }
        return others
      }
      do {
        try await client.source.deleteCache(client.requirements, keeping: others)
      } catch {
        failure = error
      }
      if isKept, failure == nil, (try? await isGone(client)) == true {
        try? await registry.ledger.erase(tag: tag)
        isKept = false
      }
    } then: {
      handle(.cleared(isKept: isKept), for: client)
    }
    if let failure { throw failure }
  }

  /// Whether the source has no data, or only content that counts as empty.
  private func isGone(_ client: Client) async throws -> Bool {
    guard let cache = try await client.read() else { return true }
    return client.source.isCacheEmpty(cache, requirements: client.requirements)
  }

  /// Declares the cache stale.
  func invalidate() async throws {
    try await inTurn {
      if var record = try await registry.ledger.record(for: tag) {
        record.isInvalidated = true
        try await registry.ledger.write(record, for: tag)
        registry.noteWritten(record, for: tag)
      }
    } then: {
      handle(.invalidated)
    }
  }

  /// Fetches, for observers, a cache that is missing, stale, or failed last time.
  func validateObserved() async {
    change { state, now in
      notePresence(in: &state, at: now)
      return carryOut(state.machine.handle(.checked, at: now), nil, &state, at: now)
    }
    let now = time.now
    let observed = state.withLock { state in
      let observed = state.subscribers.filter { !$0.value.buffers.isEmpty }
        .map { ($0.key, $0.value.client) }
      return observed.first { state.machine.needsFetch(.whenInvalid, $0.1.policy, at: now) }
    }
    if let (repository, client) = observed { _ = await refresh(repository, client, .whenInvalid) }
  }

  /// Follows the ledger's clearing of this tag.
  func forget() async {
    _ = try? await inTurn {
      let isCleared = try await registry.ledger.record(for: tag)?.isCleared ?? false
      if !isCleared { try await registry.ledger.erase(tag: tag) }
      return isCleared
    } then: { isCleared in
      handle(.cleared(isKept: isCleared))
    }
  }

  /// Runs the preparation in turn, and then starts over with the ledger's present record.
  ///
  /// It also does so after a failure, because a part of the work may have been done.
  func restart(
    _ client: Client, _ prepare: (CachePreparation<Source>) async throws -> Void
  ) async throws {
    do {
      try await inTurn {
        defer { handle(.restarted, for: client) }
        try await prepare(
          CachePreparation(
            source: client.source, requirements: client.requirements, tag: tag,
            ledger: registry.ledger,
            now: time.now.date, others: try await others(client), client: client))
      }
    } catch {
      await load(client)
      throw error
    }
    await load(client)
  }

  /// Passes an event's record to the known fetches of the registry.
  func noteFetch(_ event: Machine.Event) {
    switch event {
    case .saved(_, let record, _), .updated(let record, _): registry.noteWritten(record, for: tag)
    case .recalled(let record): registry.noteWritten(record, for: tag)
    case .cleared, .restarted: registry.noteWritten(nil, for: tag)
    case .loaded, .loadFailed, .used, .observed, .policyChanged, .unobserved,
      .readAtOnce, .read, .unchanged, .readingFailed, .readingEnded, .checked, .away, .asked,
      .forced, .left, .savingBegan, .dropped, .outdated, .fetchFailed, .writingBegan,
      .writingFailed, .invalidated, .pageAsked, .pageSavingBegan, .pagePassedOver, .pageSaved,
      .pageFailed, .pageLeft:
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

  /// Returns the other requirements of the same kind of cache in the ledger.
  func others(_ client: Client) async throws -> [Source.Requirements] {
    let records = try await registry.ledger.records(prefix: client.source.tagPrefix)
    let kind = stableName(of: Source.self)
    // Local data that belong to a change token must stay, whichever source fetched them.
    return records.filter { other, record in
      !other.hasSameBytes(as: tag) && (record.source == kind || record.mark != nil)
        && !record.isCleared
    }.values.compactMap(Eviction.requirements)
  }
}
