internal import Foundation

extension CacheEntry {
  /// How old the date of last use in the ledger may be.
  private static var useResolution: Double { 60 }

  var isInUse: Bool {
    state.withLock { state in
      state.machine.isObserved || state.machine.refresh.fetch != nil || !state.waiters.isEmpty
        || !state.pageWaiters.isEmpty
    }
  }

  /// Remembers that the cache is used, where that decides how long it is kept.
  ///
  /// Nobody waits for it, and whether a cache is kept longer than it need be is not worth an error.
  func touch(_ client: Client) {
    guard client.isLimited else { return }
    let now = time.now
    let isDue = state.withLock { state in
      guard let usedAt = state.machine.stored.record?.usedAt,
        now.date.timeIntervalSince(usedAt) > Self.useResolution
      else { return false }
      _ = state.machine.handle(.used(now.date), at: now)
      return true
    }
    guard isDue else { return }
    WriteScope.apart { _ = Task { try? await remember(now.date) } }
  }

  private func remember(_ date: Date) async throws {
    try await inTurn {
      guard var record = try await scope.ledger.record(for: tag) else { return }
      record.usedAt = max(record.usedAt, date)
      try await scope.ledger.write(record, for: tag)
    }
  }

  /// Lets go what is over the source's limits, and tells who traces what could not be let go.
  func evict(_ client: Client) async {
    guard client.isLimited else { return }
    do {
      let kind = String(reflecting: Source.self)
      // Caches of another kind, such as lists, count for nothing, and need their data all the same.
      var kept = try await scope.ledger.records(prefix: client.source.tagPrefix)
      let records = kept.filter { $0.value.source == kind && !$0.value.isCleared }
      let gone = Eviction.tags(
        records, client.source.limits, keeping: tagsToKeep(records), at: time.now.date)
      for tag in gone { kept[tag] = nil }
      var others: [Source.Requirements] = kept.values.filter { !$0.isCleared }
        .compactMap(Eviction.requirements)
      for tag in gone {
        guard let record = records[tag] else { continue }
        let entry: CacheEntry<Source> = try scope.entry(tag, for: Source.self, time)
        guard try await !entry.letGo(record, client, keeping: others) else { continue }
        others += [record].compactMap(Eviction.requirements)
      }
    } catch {
      let step = Evocation.Trace.Step(
        repository: .local, role: .synchronization, outcome: .failed("\(error)"))
      client.onTrace?(
        Evocation.Trace(model: "\(Source.Cache.self)", call: "evict", steps: [step]))
    }
  }

  /// What is in use, and what was saved just now: by this entry, and by others since.
  private func tagsToKeep(_ records: [String: FetchRecord]) -> Set<String> {
    var kept = scope.tagsInUse.union([tag])
    guard let own = records[tag]?.usedAt else { return kept }
    let now = time.now.date
    for (tag, record) in records where record.usedAt > own && record.usedAt <= now {
      kept.insert(tag)
    }
    return kept
  }

  /// Deletes the cache; false when somebody has begun to use it, or saved it anew.
  ///
  /// What cannot be deleted is remembered as stale, so that it is tried again.
  private func letGo(
    _ record: FetchRecord, _ client: Client, keeping others: [Source.Requirements]
  ) async throws -> Bool {
    try await inTurn {
      guard !isInUse, try await scope.ledger.record(for: tag) == record else { return false }
      // Before the data go, so that nobody takes what is left of them for the cache.
      handle(.cleared(isKept: false))
      // Whoever began to observe meanwhile wants it fetched.
      defer { handle(.checked) }
      try await scope.ledger.erase(tag: tag)
      guard let old: Source.Requirements = Eviction.requirements(of: record) else { return true }
      do {
        try await client.source.deleteCache(old, keeping: others)
      } catch {
        var stale = record
        stale.isInvalidated = true
        try? await scope.ledger.write(stale, for: tag)
        throw error
      }
      return true
    }
  }
}
