import Foundation

/// The recorded fetch of the criteria of a read that fetches.
///
/// It is a class to be one pointer wide in calls that fetch nothing.
final class CriteriaFreshness: Sendable {
  /// Whether local was fetched for these criteria recently enough.
  let isFresh: Bool
  /// The stamp to write when they are fetched.
  let stamp: FetchStamp

  init(isFresh: Bool, stamp: FetchStamp) {
    self.isFresh = isFresh
    self.stamp = stamp
  }

  /// When the criteria were last fetched; nil if that is unknown.
  var fetchedAt: Date? {
    guard case .record(let known?) = stamp.basis, !known.isUndated, !known.isCleared else {
      return nil
    }
    return known.fetchedAt
  }
}

extension Proxy {
  /// The name under which a ledger records the fetches of reads.
  static var readSource: String { "Evocation.find" }

  /// How many reads the ledger keeps; older reads count as never made.
  private static var mostReads: Int { 1_000 }

  /// The ledger of the model type: in the store of the models, or else that of the configuration.
  var ledger: any FetchLedger {
    wiring.place.transactional?.fetchLedger ?? environment.ledger
  }

  /// Returns the ledger's registry.
  ///
  /// It is kept, because it knows when the ledger last recorded the date.
  func registry(of ledger: any FetchLedger) -> CacheRegistry {
    let known = registry.withLock { $0 }
    if let known, known.ledger.identity == ledger.identity { return known }
    let found = CacheRegistry.of(ledger)
    // The old registry is released after the lock.
    _ = registry.withLock { registry in
      defer { registry = found }
      return registry
    }
    return found
  }

  /// Returns the cache key of criteria in the ledger, the same as for a cache of them.
  func tag(for criteria: Criteria) -> String { tagPrefix + criteria.tag }

  /// Returns the known fetches of the model type into a local repository.
  func knownFetches(_ place: LocalPlace<Model>) -> KnownFetches {
    if let known = place.fetches.withLock({ $0?.known }) { return known }
    let registry = registry(of: place.transactional?.fetchLedger ?? environment.ledger)
    let known = registry.fetches(prefix: tagPrefix)
    place.fetches.withLock { $0 = (registry, known) }
    return known
  }

  /// Adds the fetch date to an observed answer.
  ///
  /// It asks the ledger, because an answer may arrive before the records in memory have the fetch
  /// that was saved with it.
  func date(_ result: inout Evocation.Result<[Model]>, of criteria: Criteria) async {
    let now = environment.date()
    guard result.error == nil, result.data != nil else { return }
    guard result.origin == .local else { return result.fetchedAt = now }
    let place = wiring.place
    let own = try? await ledger.record(for: tag(for: criteria))
    result.record.fetched = .init(answeredAt: now) { place.date(of: own, answeredAt: now) }
  }

  /// Returns the recorded fetch of the criteria, and the stamp for the next one.
  ///
  /// If a rule has a `maxAge`, it asks the ledger; a ledger that fails counts as empty. Otherwise
  /// the records in memory suffice.
  func freshness(of criteria: Criteria, maxAge: Duration?) async -> CriteriaFreshness {
    let (ledger, tag, now) = (ledger, tag(for: criteria), environment.now)
    await registry(of: ledger).check(environment.clocks)
    var known: FetchRecord?
    if maxAge == nil {
      let fetches = knownFetches(wiring.place)
      let records = if let present = fetches.present { present } else { await fetches.load() }
      known = records[tag]
    } else {
      known = try? await ledger.record(for: tag)
    }
    let place = wiring.place
    known = known.flatMap { place.holds($0) ? $0 : nil }
    return CriteriaFreshness(
      isFresh: maxAge.flatMap { age in known.map { isFresh($0, age, now.date) } } ?? false,
      stamp: stamp(for: criteria, tag, after: known, now.date, ledger, place.recordedName))
  }

  private func stamp(
    for criteria: Criteria, _ tag: String, after known: FetchRecord?, _ now: Date,
    _ ledger: any FetchLedger, _ store: String?
  ) -> FetchStamp {
    var next = known ?? FetchRecord(fetchedAt: now, source: Self.readSource)
    next.fetchedAt = now
    next.usedAt = now
    next.isInvalidated = false
    next.isUndated = false
    next.store = store
    // The tag is the criteria's JSON, which needs no second encoder (`a read that local follows`).
    next.requirements = next.requirements ?? Data(tag.utf8.dropFirst(tagPrefix.utf8.count))
    return FetchStamp(tag: tag, record: next, ledger: ledger, basis: .record(known))
  }

  private func isFresh(_ record: FetchRecord, _ maxAge: Duration, _ now: Date) -> Bool {
    guard !record.isInvalidated, !record.isUndated,
      let age = Duration(from: record.fetchedAt, to: now)
    else { return false }
    return age <= maxAge
  }

  /// Makes caches of fetched criteria read their stamp, and forgets the oldest reads.
  func noteFetched(_ stamp: FetchStamp) {
    guard let written = stamp.written else { return }
    let registry = registry(of: stamp.ledger)
    registry.noteWritten(written.record, for: stamp.tag)
    registry.recall(stamp.tag)
    let isDue = reads.withLock { count in
      count += 1
      return count.isMultiple(of: Self.mostReads / 4)
    }
    guard isDue else { return }
    WriteScope.apart { _ = Task { try? await forgetOldReads(in: stamp.ledger) } }
  }

  private func forgetOldReads(in ledger: any FetchLedger) async throws {
    let (registry, known) = (registry(of: ledger), registry(of: ledger).fetches(prefix: tagPrefix))
    let all = if let present = known.present { present } else { await known.load() }
    let reads = all.filter { $0.record.source == Self.readSource }
    guard reads.count > Self.mostReads else { return }
    let oldest = reads.sorted { $0.record.fetchedAt < $1.record.fetchedAt }
      .prefix(reads.count - Self.mostReads).map(\.tag)
    try await ledger.erase(tags: oldest)
    for tag in oldest { registry.noteWritten(nil, for: tag) }
  }
}
