internal import Foundation

extension CacheCell {
  /// How old the date of last use in the ledger may be.
  private static var useResolution: Double { 60 }

  /// Remembers that the cache is used, where that decides how long it is kept.
  ///
  /// It is done behind whoever asks, in its turn among those who stamp the cache.
  func touch(_ record: FetchRecord?, _ seat: Seat) {
    let now = time.now.date
    guard seat.source.limits != .none, let record,
      now.timeIntervalSince(record.usedAt) > Self.useResolution
    else { return }
    Task { [weak self] in
      // Whether it is kept longer than it need be is not worth an error.
      try? await self?.use(at: now)
    }
  }

  private func use(at date: Date) async throws {
    try await inTurn {
      guard var record = try await scope.ledger.record(for: tag), record.usedAt < date
      else { return }
      record.usedAt = date
      try await scope.ledger.write(record, for: tag)
    }
  }

  /// Lets go what is over the source's limits, and tells who traces what could not be let go.
  func evict(_ seat: Seat) async {
    let source = seat.source
    guard source.limits != .none else { return }
    do {
      let kind = String(reflecting: Source.self)
      let records = try await scope.ledger.records(prefix: source.tagPrefix)
        .filter { $0.value.source == kind }
      let gone = Eviction.tags(
        records, source.limits, keeping: scope.tagsInUse, at: time.now.date)
      let kept = records.filter { !gone.contains($0.key) }
      let others: [Source.Requirements] = kept.values.compactMap(Eviction.requirements)
      for tag in gone where !scope.tagsInUse.contains(tag) {
        try await scope.ledger.erase(tag: tag)
        guard let record = records[tag],
          let old: Source.Requirements = Eviction.requirements(of: record)
        else { continue }
        try await source.deleteCache(old, keeping: others)
      }
    } catch {
      let step = Evocation.Trace.Step(
        repository: .local, role: .synchronization, outcome: .failed("\(error)"))
      seat.onTrace?(
        Evocation.Trace(model: "\(Source.Cache.self)", call: "evict", steps: [step]))
    }
  }
}
