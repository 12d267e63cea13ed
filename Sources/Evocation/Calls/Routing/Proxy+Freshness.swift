package import Foundation

/// When the criteria of reads were last fetched.
extension Proxy {
  /// The name under which a ledger records the fetches of reads.
  static var readSource: String { "Evocation.find" }

  /// How many reads the ledger keeps; older reads count as never made.
  private static var mostReads: Int { 1_000 }

  /// The ledger of the model type: in the store of the models, or else that of the configuration.
  package var ledger: any FetchLedger { knownFetches(wiring.binding).registry.ledger }

  /// Returns the cache key of criteria in the ledger, the same as for a cache of them.
  func tag(for criteria: Criteria) -> String { tagPrefix + criteria.tag }

  /// Returns the known fetches of the model type into a local repository.
  package func knownFetches(_ binding: LocalBinding<Model>) -> KnownFetches {
    if let known = binding.fetches.withLock({ $0 }) { return known }
    let ledger = binding.transactional?.fetchLedger ?? environment.ledger
    let known = CacheRegistry.of(ledger).fetches(prefix: tagPrefix)
    binding.fetches.withLock { $0 = known }
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
    let wiring = wiring
    let own = try? await ledger.record(for: tag(for: criteria))
    result.record.fetched = .init(answeredAt: now) {
      wiring.binding.date(of: own, mirroring: wiring.mirrors, answeredAt: now)
    }
  }

  /// Returns the stamp for the next fetch of the criteria, which also says when the last one was.
  ///
  /// If a rule has a `maxAge`, it asks the ledger; a ledger that fails counts as empty. Otherwise
  /// the records in memory suffice. The fetch leaves in local what `isMirroring` says.
  func stamp(
    for criteria: Criteria, maxAge: Duration?, isMirroring: Bool = false
  ) async -> FetchStamp {
    let (wiring, tag) = (wiring, tag(for: criteria))
    let binding = wiring.binding
    let fetches = knownFetches(binding)
    let ledger = fetches.registry.ledger
    let seen = fetches.registry.lastInvalidation
    let now = await fetches.registry.check(environment.clocks)
    let found =
      if maxAge == nil { await fetches.records[tag] } else { try? await ledger.record(for: tag) }
    let known = wiring.known(found, of: tag)
    var next = known ?? FetchRecord(fetchedAt: now.date, source: Self.readSource)
    next.fetchedAt = now.date
    next.usedAt = now.date
    next.isInvalidated = false
    next.isUndated = false
    next.leftOut = nil
    next.store = binding.recordedName
    next.service = wiring.registration.name
    next.coverage =
      wiring.openEnd != nil && criteria.limit == nil ? .part : isMirroring ? .mirrored : .whole
    // The tag is the criteria's JSON, which needs no second encoder (`a read that local follows`).
    next.requirements = next.requirements ?? Data(tag.utf8.dropFirst(tagPrefix.utf8.count))
    return FetchStamp(
      tag: tag, record: next, ledger: ledger, basis: .record(known), seen: seen)
  }

  /// Makes caches of fetched criteria read their stamp, and forgets the oldest reads.
  func shareFetch(_ stamp: FetchStamp) {
    guard let written = stamp.written else { return }
    let wiring = wiring
    wiring.registration.recordWritten(stamp.tag)
    let fetches = knownFetches(wiring.binding)
    if fetches.registry.ledger.identity == stamp.ledger.identity {
      fetches.set(written.record, for: stamp.tag)
      fetches.registry.recordFirstDate()
      fetches.registry.recall(stamp.tag)
    } else {
      // The local repository was replaced in the meantime.
      CacheRegistry.of(stamp.ledger).recordWritten(written.record, for: stamp.tag)
    }
    let isDue = reads.withLock { count in
      count += 1
      return count.isMultiple(of: Self.mostReads / 4)
    }
    guard isDue else { return }
    WriteScope.apart { _ = Task { try? await forgetOldReads(fetches) } }
  }

  private func forgetOldReads(_ fetches: KnownFetches) async throws {
    let reads = await fetches.records.filter { $0.record.source == Self.readSource }
    guard reads.count > Self.mostReads else { return }
    let oldest = reads.sorted { $0.record.fetchedAt < $1.record.fetchedAt }
      .prefix(reads.count - Self.mostReads).map(\.tag)
    try await fetches.registry.ledger.erase(tags: oldest)
    for tag in oldest { fetches.registry.recordWritten(nil, for: tag) }
  }
}

extension Proxy {
  /// Fetches what matches criteria, for observers that belong to no cache, as the rule for find does.
  ///
  /// - Returns: The error; nil if it succeeded, and for a rule that never asks the remote.
  package func fetchObserved(_ criteria: Criteria) async -> (any Error)? {
    guard var rule = wiring.strategy[.find].fetching else { return nil }
    if wiring.openEnd != nil { rule.synchronize = .upsert }
    let call = Call<Model>(.read(Find.self, criteria), self)
    let result = await call.execute(
      rule,
      stamp(for: criteria, maxAge: nil, isMirroring: rule.synchronize == .mirror))
    return result.error ?? result.synchronizationError
  }

  /// Fetches the model that criteria name, as the rule for findOne does.
  ///
  /// - Returns: The error; nil if it succeeded, and for a rule that never asks the remote.
  package func fetchObservedOne(_ criteria: Criteria) async -> (any Error)? {
    guard let rule = wiring.strategy[.findOne].fetching else { return nil }
    let result = await Call<Model>(.read(FindOne.self, criteria), self).execute(rule, nil)
    return result.error ?? result.synchronizationError
  }

  /// Whether what matches criteria was fetched after a date, as the rule for find counts on; nil if it was
  /// never fetched.
  package func wasFetched(_ criteria: Criteria, since date: Date) async -> Bool? {
    let (wiring, tag) = (wiring, tag(for: criteria))
    let found = try? await ledger.record(for: tag)
    return wiring.known(found, of: tag).map { record in
      record.date(mirroring: wiring.mirrors) > date && !record.isStale(mirroring: wiring.mirrors)
    }
  }
}
