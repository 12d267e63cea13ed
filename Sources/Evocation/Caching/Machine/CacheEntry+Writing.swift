package import Foundation

extension CacheEntry {
  /// Saves the app's content as the cache, which then counts as just fetched.
  func update(_ content: Content, _ source: Source) async throws {
    try await inTurn {
      try await writing {
        var record = source.record(of: content, fetchedAt: time.now.date)
        record.firstFetchedAt = state.withLock { $0.machine.stored.record?.firstFetchedAt }
        let stamp = FetchStamp(tag: tag, record: record, ledger: registry.ledger)
        try await source.update(content, stamp)
        return CacheSave(stamp)
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
      handle(.cleared(isKept: isKept), for: source)
    }
    if let failure { throw failure }
  }

  /// Declares the cache stale.
  package func invalidate() async throws {
    try await inTurn {
      if var record = try await registry.ledger.record(for: tag) {
        record.isInvalidated = true
        try await registry.ledger.write(record, for: tag)
        registry.recordWritten(record, for: tag)
      }
    } then: {
      handle(.invalidated)
    }
  }

  /// Fetches, for observers, a cache that is missing, stale, or failed last time.
  package func validateObserved() async {
    change { state, now in
      updatePresence(in: &state, at: now)
      return carryOut(state.machine.handle(.checked, at: now), nil, in: &state, at: now)
    }
    if let (repository, source) = due {
      _ = await refresh(repository, source, condition: .whenInvalid)
    }
  }

  package var isDue: Bool { due != nil }

  /// An observed repository for which the cache is missing, stale, or failed last time.
  private var due: (repository: UInt64, source: Source)? {
    let now = time.now
    return state.withLock { state in
      state.subscribers.lazy.filter { !$0.value.buffers.isEmpty }
        .map { (repository: $0.key, source: $0.value.source) }
        .first { state.machine.needsFetch(.whenInvalid, $0.source.policy, at: now) }
    }
  }

  /// Fetches, for observers, a cache that may have missed changes of the service.
  ///
  /// A fetch that began by the date may lack some, so another one follows it. A list that a refresh would
  /// cut down to its first page is only validated.
  package func refreshObserved(since date: Date) async -> Bool {
    let observed = state.withLock { state in
      state.subscribers.first { !$0.value.buffers.isEmpty && $0.value.source.policy.isAutomatic }
        .map { ($0.key, $0.value.source, isRunning: state.machine.refresh.run != nil) }
    }
    guard let (repository, source, isRunning) = observed, source.policy.canFetch else {
      return true
    }
    let pages = state.withLock { $0.machine.stored.record?.pages?.count ?? 0 }
    if pages > 1, source.stored?.isShortenedByRefresh == true {
      _ = await refresh(repository, source, condition: .whenInvalid)
      return true
    }
    if isRunning { _ = await refresh(repository, source, condition: .whenInvalid) }
    let isDone = state.withLock { state in
      state.machine.refresh.failure == nil
        && state.machine.stored.record.map { $0.fetchedAt > date && !$0.isInvalidated } ?? false
    }
    if isDone { return true }
    if case .failed = await refresh(repository, source, condition: .always) { return false }
    return true
  }

  package func showLive() {
    change { state, now in
      let effects = state.machine.handle(.live(Self.liveSince(state)), at: now)
      return carryOut(effects, nil, in: &state, at: now)
    }
  }

  /// Since when the service's changes arrive in the store of its repositories automatically.
  static func liveSince(_ state: State) -> Date? {
    state.subscribers.values.first?.source.stored?.liveSince
  }

  /// Follows the ledger's clearing of this tag.
  package func forget() async {
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
      let number = registry.numberSave()
      state.withLock { $0.savedAs = number }
      registry.recordWritten(save.record, for: tag)
    case .recalled(let record): registry.recordWritten(record, for: tag)
    case .cleared, .restarted: registry.recordWritten(nil, for: tag)
    // A page changes neither the date nor the criteria of its list.
    case .saved, .passedOver, .loaded, .loadFailed, .used, .observed, .policyChanged, .unobserved,
      .readAtOnce, .read, .unchanged, .readingFailed, .readingEnded, .checked, .away, .live,
      .asked, .pageAsked, .forced, .left, .savingBegan, .dropped, .outdated, .failed,
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

extension CacheEntry {
  /// Shows that there is no cache, and drops a fetch that runs.
  ///
  /// It takes no turn, because the sign-out has it.
  package func forgetAtOnce() {
    change { state, now in
      let cleared = Machine.Event.cleared(isKept: state.machine.stored.isCleared)
      return carryOut(state.machine.handle(cleared, at: now), nil, in: &state, at: now)
    }
  }
}
