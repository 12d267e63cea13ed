extension CacheEntry {
  /// Observes the saved data.
  func reading(_ number: UInt64, _ source: Source) -> Task<Void, Never> {
    WriteScope.apart {
      Task { [weak self] in
        do {
          let observation = source.observe()
          self?.follow(observation.barrier, number)
          // The entry is not kept by the code that waits for the next event.
          try await observation.observe { [weak self] event in
            if !Task.isCancelled { self?.take(event, number, source: source) }
          }
          guard !Task.isCancelled else { return }
          self?.handle(.readingEnded(number))
        } catch {
          if let damage = error as? ListDamage { await self?.discard(damage, source) }
          self?.fail(error, number)
        }
      }
    }
  }

  /// Keeps the access to an observation's versions, unless another one was begun in the meantime.
  private func follow(_ barrier: @escaping @Sendable (UInt64) -> Void, _ number: UInt64) {
    // The replaced access is released after the lock, because that may run the app's code.
    let old = state.withLock { state in
      guard state.machine.reading.observation?.number == number else { return state.barrier }
      defer { state.barrier = barrier }
      return state.barrier
    }
    withExtendedLifetime(old) {}
  }

  /// Takes a value that was read.
  ///
  /// It is compared with the last one outside the lock, because that calls the app's `==`.
  private func take(_ event: StoreEvent<Content>, _ number: UInt64, source: Source) {
    switch event {
    case .unchanged(let version): handle(.unchanged(number, version: version))
    case .failed(let error): fail(error, number)
    case .value(let value):
      let old = state.withLock { $0.machine.reading.body }
      handle(.read(number, source.body(value).numbered(like: old), version: value.version))
    }
  }

  /// Passes the event of a save to the machine, and has the observation report the saved version.
  func handle(_ event: Machine.Event, savedIn version: UInt64?, for source: Source) {
    source.stored?.registration?.recordWritten(tag)
    handle(event, for: source)
    guard let version else { return }
    state.withLock { $0.barrier }?(version)
  }

  /// Takes a failure of reading; it too is compared with the last one outside the lock.
  private func fail(_ error: any Error, _ number: UInt64) {
    let old = state.withLock { $0.machine.reading.failure }
    handle(.readingFailed(number, CacheFailure(error, like: old)))
  }

  var isObserved: Bool { state.withLock { $0.machine.isObserved } }

  /// Observes others' changes of the ledger, for as long as the entry is observed.
  func followOthers() {
    let isObserved = isObserved
    guard isObserved != state.withLock({ $0.others != nil }) else { return }
    // Outside the lock, because the ledger may be the app's code.
    let new =
      isObserved ? registry.ledger.observeOthers { [weak self] in self?.recallAgain() } : nil
    let old = state.withLock { state in
      defer { state.others = state.machine.isObserved ? state.others ?? new : nil }
      return state.machine.isObserved ? nil : state.others
    }
    withExtendedLifetime((old, new)) {}
  }

  /// Takes the changes that others have recorded since, before the cache is used.
  ///
  /// An observed entry learns of them a moment later, and an entry that is not observed never does.
  /// If the ledger cannot be read, there are no new changes.
  func catchUp(_ source: Source) async {
    guard isLoaded, !WriteScope.isInside(line) else { return }
    do {
      let record = try await present(source)
      let isKnown = state.withLock { $0.machine.stored.holds(record) }
      if !isKnown { try await recallInTurn(source) }
    } catch {
      return
    }
  }

  /// Reads the ledger again, because others may have fetched, cleared or continued the cache.
  func recallAgain() {
    guard let source = state.withLock({ $0.subscribers.values.first?.source }) else { return }
    WriteScope.apart { _ = Task { [weak self] in try? await self?.recallInTurn(source) } }
  }

  /// Reads the ledger again, in turn with the writes, so that an older record cannot come last.
  func recallInTurn(_ source: Source) async throws {
    try await inTurn {
      try await present(source)
    } then: { record in
      handle(.recalled(record), for: source)
    }
  }

  /// Returns the ledger's present record; nil where it belongs to another store, or where the source
  /// no longer has the list.
  func present(_ source: Source) async throws -> FetchRecord? {
    await registry.check(time)
    guard let record = try await registry.ledger.record(for: tag) else { return nil }
    guard let stored = source.stored else { return record }
    guard let record = stored.known(record, of: tag), try await stored.isKept(tag) else {
      return nil
    }
    return record
  }

  /// Waits for a turn among the writes of this cache, and runs both bodies in it.
  ///
  /// The second body passes the event to the machine. No other write comes before that, and work
  /// that the event begins is not part of the write.
  @discardableResult
  func inTurn<Value>(
    _ body: () async throws -> Value, then end: (Value) -> Void = { _ in }
  ) async throws -> Value {
    guard !WriteScope.isInside(line) else { throw CacheError.nestedWrite(tag: tag) }
    let ticket = line.enter()
    defer { line.leave(ticket) }
    try await line.turn(ticket)
    let value = try await line.inScope(body)
    end(value)
    return value
  }
}
