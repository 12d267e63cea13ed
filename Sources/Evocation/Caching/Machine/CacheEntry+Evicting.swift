internal import Foundation

extension CacheEntry {
  /// How many seconds the ledger's date of last use may be behind.
  private static var useResolution: Double { 60 }
  /// How often an eviction chooses again; after that, the next save does.
  private static var mostLooks: Int { 10 }

  /// Keeps the cache until ``endUse(_:)``, so that its content is there to be read.
  func beginUse() { state.withLock { $0.uses += 1 } }

  /// Ends a use, and then deletes what was kept for it in spite of the limits.
  func endUse(_ source: Source) {
    let isDue = state.withLock { state in
      state.uses -= 1
      guard state.uses == 0 else { return false }
      defer { state.isSpared = false }
      return state.isSpared
    }
    guard isDue else { return }
    WriteScope.apart { _ = Task { await evict(source, keepsOwn: false) } }
  }

  /// Records that the cache is used, where limits depend on it.
  ///
  /// It happens in the background and without errors, because it only decides how long a cache is
  /// kept.
  func touch(_ source: Source) {
    guard source.isLimited else { return }
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
      guard var record = try await registry.ledger.record(for: tag) else { return }
      record.usedAt = max(record.usedAt, date)
      try await registry.ledger.write(record, for: tag)
    }
  }

  /// Deletes caches that exceed the source's limits; a failure goes to `onTrace`.
  ///
  /// After a save it keeps this entry's cache, and those that were saved since.
  func evict(_ source: Source, keepsOwn: Bool = true) async {
    guard source.isLimited else { return }
    do {
      // A cache that is saved or used after it was chosen stays, and another may have to go for it.
      for _ in 0..<Self.mostLooks { if try await evictOnce(source, keepsOwn) { return } }
    } catch {
      trace(error, of: "evict", as: .synchronization, to: source)
    }
  }

  /// Deletes what exceeds the limits now; false if some of it could not be deleted any more.
  private func evictOnce(_ source: Source, _ keepsOwn: Bool) async throws -> Bool {
    let (kept, chosen) = try await surplus(source, keepsOwn)
    var (others, left, isDone) = (kept, Set(chosen), true)
    defer { registry.evictions.withLock { $0.end(left) } }
    for tag in chosen { others[tag.text] = nil }
    var models = others.values.filter { !$0.isCleared }
    for tag in chosen {
      guard let record = kept[tag.text] else { continue }
      let entry = try registry.entry(tag.text, for: source, time: time)
      if try await !entry.deleteUnused(record, source, keeping: models) {
        models.append(record)
        isDone = false
      }
      registry.evictions.withLock { $0.end([tag]) }
      left.remove(tag)
    }
    return isDone
  }

  /// Chooses what to delete of all records; what another eviction deletes counts as gone.
  private func surplus(
    _ source: Source, _ keepsOwn: Bool
  ) async throws -> (records: FetchRecords, chosen: [ByteText]) {
    while true {
      let count = registry.evictions.withLock(\.ended)
      let all = try await registry.ledger.records(prefix: source.tagPrefix)
      // Caches of another kind, such as lists, do not count, but their data must be kept too.
      let records = all.filter { $0.record.source == source.kind && !$0.record.isCleared }
      let saved = keepsOwn ? tagsJustSaved : []
      let now = time.now.date
      var inUse = tags(where: \.isInUse)
      for tag in source.limits.surplus(of: records, keeping: saved, at: now) {
        guard inUse.contains(ByteText(tag)) else { continue }
        // A use that has ended since then deletes nothing.
        let isSpared = try registry.entry(tag, for: source, time: time).deferDeletion()
        if !isSpared { inUse.remove(ByteText(tag)) }
      }
      let kept = saved.union(inUse)
      let chosen = registry.evictions.withLock { evictions in
        evictions.begin(since: count) { others in
          let present = records.filter { !others.contains(ByteText($0.tag)) }
          return source.limits.surplus(of: present, keeping: kept, at: now).map(ByteText.init)
        }
      }
      if let chosen { return (all, chosen) }
    }
  }

  /// Has the end of a use delete the cache; false when it is not in use any more.
  private func deferDeletion() -> Bool {
    state.withLock { state in
      state.isSpared = state.uses > 0
      return state.isInUse
    }
  }

  /// The tags that this entry, and others since, have just saved.
  private var tagsJustSaved: Set<ByteText> {
    let own = state.withLock(\.savedAs)
    return tags { $0.savedAs >= own }
  }

  /// Returns the tags of those of this entry's kind, itself among them, whose state a closure asks for.
  ///
  /// The records of a kind are those of one type of source, and so of one type of content.
  private func tags(where isIncluded: (State) -> Bool) -> Set<ByteText> {
    let entries = registry.entries.compactMap { $0 as? CacheEntry }
    return Set(entries.filter { $0.state.withLock { isIncluded($0) } }.map { ByteText($0.tag) })
  }

  /// Deletes the cache; false when it is in use by now, or was saved again.
  ///
  /// If the deletion fails, the record becomes stale, so that the deletion is tried again.
  private func deleteUnused(
    _ record: FetchRecord, _ source: Source, keeping others: [FetchRecord]
  ) async throws -> Bool {
    try await inTurn {
      guard try await registry.ledger.record(for: tag) == record else { return false }
      // Before the data are deleted, so that a part of them is not shown as the cache.
      guard clearUnused() else { return false }
      // Observers that were added in the meantime need a fetch.
      defer { handle(.checked) }
      try await registry.ledger.erase(tag: tag)
      do {
        try await source.delete(record, others)
      } catch {
        var stale = record
        stale.isInvalidated = true
        try? await registry.ledger.write(stale, for: tag)
        throw error
      }
      return true
    }
  }
}

extension CacheEntry {
  /// Shows that there is no cache, unless it is in use; no use can begin in between.
  private func clearUnused() -> Bool {
    let cleared = Machine.Event.cleared(isKept: false)
    var isUnused = false
    change { state, now in
      guard !state.isInUse else {
        state.isSpared = state.uses > 0
        return []
      }
      isUnused = true
      return carryOut(state.machine.handle(cleared, at: now), nil, in: &state, at: now)
    }
    if isUnused { recordFetch(cleared) }
    return isUnused
  }
}

extension CacheEntry.State {
  fileprivate var isInUse: Bool {
    machine.isObserved || machine.refresh.run != nil || !waiters.isEmpty || uses > 0
  }
}

extension CacheLimits {
  /// Returns the tags to delete, the longest unused first, of all that share the limits.
  ///
  /// Caches in use are kept, whatever the limits. A date of use in the future counts as the
  /// earliest, because the device's date was set back.
  func surplus(
    of records: FetchRecords, keeping kept: Set<ByteText>, at now: Date
  ) -> [String] {
    let unused = records.filter { !kept.contains(ByteText($0.tag)) }
      .map { tag, record in (tag, record, record.usedAt <= now ? record.usedAt : .distantPast) }
      .sorted { (left: (String, FetchRecord, Date), right) in (left.2, left.0) < (right.2, right.0)
      }
    var left = records.count
    // A floating-point number, because the sum of sizes might overflow.
    var bytes = records.values.reduce(0) { $0 + Double($1.size) }
    return unused.filter { _, record, _ in
      let isOld = age.map { now.timeIntervalSince(record.usedAt) > $0.seconds } ?? false
      let isTooMuch = count.map { left > $0 } ?? false || size.map { bytes > Double($0) } ?? false
      guard isOld || isTooMuch else { return false }
      left -= 1
      bytes -= Double(record.size)
      return true
    }.map(\.0)
  }
}

extension FetchRecord {
  /// Returns its requirements; nil where they are of another type.
  func requirements<Requirements: CacheRequirements>(as _: Requirements.Type) -> Requirements? {
    guard let type = Requirements.self as? any Decodable.Type, let requirements else { return nil }
    return (try? JSONDecoder().decode(type, from: requirements)) as? Requirements
  }
}
