extension CacheCell {
  /// Puts what the app gives into the cache, as freshly fetched.
  func update(_ cache: Source.Cache, _ seat: Seat) async throws {
    try await inTurn {
      let now = time.now
      var record = Self.record(of: cache, seat, fetchedAt: now.date)
      record.pages = seat.pages(nil)
      let stamp = FetchStamp(tag: tag, record: record, ledger: scope.ledger)
      try await seat.source.updateCache(cache, requirements: seat.requirements, stamp: stamp)
      handle(seat) { $0.updated(record, at: $1) }
    }
    await evict(seat)
  }

  /// Makes the cache one that was never fetched, and deletes what nobody else needs.
  ///
  /// The ledger forgets first: a crash in between leaves data that are not shown, and never an
  /// empty cache that counts as fetched.
  func clear(_ seat: Seat) async throws {
    try await inTurn {
      let others = try await others(seat)
      try await scope.ledger.erase(tag: tag)
      defer { handle(seat) { $0.cleared(at: $1) } }
      try await seat.source.deleteCache(seat.requirements, keeping: others)
    }
  }

  /// Declares the cache stale.
  func invalidate() async throws {
    try await inTurn {
      if var record = try await scope.ledger.record(for: tag) {
        record.isInvalidated = true
        try await scope.ledger.write(record, for: tag)
      }
      handle { $0.invalidated(at: $1) }
    }
  }

  /// The ledger was told to forget this tag.
  func forget() async {
    try? await inTurn {
      try await scope.ledger.erase(tag: tag)
      handle { $0.cleared(at: $1) }
    }
  }

  /// The requirements of the same kind of cache that the ledger knows, apart from these.
  func others(_ seat: Seat) async throws -> [Source.Requirements] {
    let records = try await scope.ledger.records(prefix: seat.source.tagPrefix)
    return records.filter { $0.key != tag }.values.compactMap(Eviction.requirements)
  }
}
