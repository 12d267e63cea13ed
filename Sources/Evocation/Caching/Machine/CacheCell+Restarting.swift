extension CacheCell {
  /// Has the cache prepared in its turn, and knows nothing but what the ledger holds afterwards.
  ///
  /// That is so after a failure too, because it may have come when half of the work was done.
  func restart(
    _ seat: Seat, _ prepare: (CachePreparation<Source>) async throws -> Void
  ) async throws {
    do {
      try await inTurn {
        defer { handle(seat) { machine, _ in machine.restarted() } }
        try await prepare(
          CachePreparation(
            source: seat.source, requirements: seat.requirements, tag: tag, ledger: scope.ledger,
            now: time.now.date, others: try await others(seat), seat: seat))
      }
    } catch {
      await load(seat)
      throw error
    }
    await load(seat)
  }
}
