extension CacheCell {
  /// Observes what is saved.
  func reading(_ number: UInt64, _ seat: Seat) -> Task<Void, Never> {
    WriteScope.apart {
      Task { [weak self] in
        do {
          if let observation = seat.observeStore() {
            self?.state.withLock { $0.reach = observation.reach }
            for try await event in observation.events {
              guard let self, !Task.isCancelled else { return }
              self.take(event, number, seat)
            }
          } else {
            for try await cache in seat.source.observeCache(seat.requirements) {
              guard let self, !Task.isCancelled else { return }
              self.take(.value(StoreValue(cache: cache)), number, seat)
            }
          }
          self?.handle(.readingEnded(number))
        } catch {
          if let damage = error as? ListDamage { await self?.letGo(damage, seat) }
          self?.fail(error, number)
        }
      }
    }
  }

  /// Takes what was read.
  ///
  /// It is compared with what was read before outside the lock, because an app's own code compares.
  private func take(_ event: StoreEvent<Source.Cache>, _ number: UInt64, _ seat: Seat) {
    switch event {
    case .unchanged(let version): handle(.unchanged(number, version: version))
    case .value(let value):
      let old = state.withLock { $0.machine.reading.body }
      handle(.read(number, seat.body(value).numbered(like: old), version: value.version))
    }
  }

  /// Tells the machine of something that was saved, and has the observation show it.
  func handle(_ event: Machine.Event, savedIn version: UInt64?, for seat: Seat) {
    handle(event, for: seat)
    guard let version else { return }
    state.withLock { $0.reach }?(version)
  }

  /// Notes that reading failed; whether in the same way as before is found out outside the lock too.
  private func fail(_ error: any Error, _ number: UInt64) {
    let old = state.withLock { $0.machine.reading.failure }
    handle(.readingFailed(number, CacheFailure(error, like: old)))
  }

  /// Follows what others do to what the ledger remembers, for as long as somebody observes.
  func followOthers() {
    let isObserved = state.withLock { $0.machine.isObserved }
    guard isObserved != state.withLock({ $0.others != nil }) else { return }
    // The ledger is an app's own code perhaps, which does not run under the lock.
    let new = isObserved ? scope.ledger.observeOthers { [weak self] in self?.recallAgain() } : nil
    let old = state.withLock { state in
      defer { state.others = state.machine.isObserved ? state.others ?? new : nil }
      return state.machine.isObserved ? nil : state.others
    }
    withExtendedLifetime((old, new)) {}
  }

  /// Asks the ledger again, because others may have fetched, cleared or continued the cache.
  func recallAgain() {
    guard let seat = state.withLock({ $0.attachments.values.first?.seat }) else { return }
    recallAgain(seat)
  }

  private func recallAgain(_ seat: Seat) {
    WriteScope.apart { _ = Task { [weak self] in try? await self?.recallInTurn(seat) } }
  }

  private func recallInTurn(_ seat: Seat) async throws {
    try await inTurn {
      try await present(seat)
    } then: { record in
      handle(.recalled(record), for: seat)
    }
  }

  /// What the ledger remembers now, as far as the source still has it.
  func present(_ seat: Seat) async throws -> FetchRecord? {
    guard let record = try await scope.ledger.record(for: tag) else { return nil }
    guard let source = seat.source as? any ListCacheDataSource else { return record }
    return try await source.isKept(tag) ? record : nil
  }
}
