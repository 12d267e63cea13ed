/// The steps of a sign-out after it has its turn in all lines.
struct Emptying {
  /// A store with the names of its repositories to empty.
  private struct Part {
    let store: any RepositoryStore
    var names: [String]
    var owners: [any AnyProxy]
  }

  private let signOut: SignOut
  private let proxies: [any AnyProxy]
  private let parts: [Part]
  private var environment: Environment { signOut.environment }

  init(_ signOut: SignOut, _ proxies: [any AnyProxy]) {
    self.signOut = signOut
    self.proxies = proxies
    parts = Self.parts(of: proxies)
  }

  /// Empties everything, in an order that loses nothing if it is interrupted.
  ///
  /// Ledgers are emptied before the models that they describe. If a store cannot be marked, or the
  /// first cannot be emptied, it stops, and no store was emptied. Any other failure stops no other step.
  func run() async throws {
    let (outbox, unsent) = (signOut.outbox, signOut.unsent)
    let stores = Set(parts.flatMap { $0.owners.compactMap(\.queueStore) })
    let discarded = unsent == .discard ? try await outbox.subjects(in: stores) : []
    if unsent == .keep { outbox.openAll() }
    let emptyings = emptyings()
    try await mark(emptyings)
    for proxy in proxies { proxy.keepReadsApart() }
    environment.sessions.end()
    // What is followed ends before anything is emptied, and begins again after everything is: until
    // then, a stream would have the credential and the mark of the user who signs out.
    let live = environment.demand.follower
    await live?.suspend()
    defer { live?.resume() }
    var failures = Failures()
    await failures.collect { try await clearLedgers() }
    if unsent == .discard { await failures.collect { try await outbox.recordGivenUp(in: stores) } }
    do {
      try await empty(emptyings)
    } catch let failure as Undecided {
      for cache in environment.caches(of: proxies) { cache.receive(.recorded) }
      throw failure.reason
    } catch {
      failures.first = failures.first ?? error
    }
    await failures.collect { try await outbox.settle(unsent, besides: stores) }
    for proxy in proxies where proxy.part == nil {
      await failures.collect { try await proxy.emptyLocal() }
    }
    // After the entries are removed or held, because a send that was canceled earlier would start
    // again.
    outbox.cancelSends { _ in true }
    show()
    outbox.reportSettled(unsent, discarded)
    if let failure = failures.first { throw failure }
  }

  /// Forgets everything in memory, and shows observers of caches that there is no cache.
  private func show() {
    environment.recent.forget()
    for proxy in proxies { proxy.forgetAnswers() }
    for ledger in environment.ledgers(of: proxies) {
      CacheRegistry.of(ledger).forgetFetches(prefix: "")
    }
    for cache in environment.caches(of: proxies) { cache.receive(.signedOut) }
  }

  /// Empties the ledgers outside the stores; a store empties its own ledger.
  private func clearLedgers() async throws {
    let inStores = Set(proxies.compactMap(\.ledgerInStore))
    for ledger in environment.ledgers(of: proxies) where !inStores.contains(ledger.identity) {
      let cleared = try await ledger.records(prefix: "").filter(\.record.isCleared)
      try await ledger.erase(prefix: "")
      for (tag, record) in cleared { try await ledger.write(record, for: tag) }
    }
  }
}

// The stores.
extension Emptying {
  /// The error of the first store, after which no store was emptied.
  private struct Undecided: Error {
    let reason: any Error
  }

  private static func parts(of proxies: [any AnyProxy]) -> [Part] {
    var parts: [Part] = []
    for proxy in proxies {
      guard let (store, name) = proxy.part else { continue }
      let known = parts.firstIndex { part in
        part.store === store
          || store.durableLocation != nil && part.store.durableLocation == store.durableLocation
      }
      if let known {
        parts[known].names.append(name)
        parts[known].owners.append(proxy)
      } else {
        parts.append(Part(store: store, names: [name], owners: [proxy]))
      }
    }
    // Stores that outlive the process come first: if the first one fails, none was emptied.
    return parts.filter { $0.store.durableLocation != nil }
      + parts.filter { $0.store.durableLocation == nil }
  }

  private func emptyings() -> [StoreEmptying] {
    let durable = parts.count { $0.store.durableLocation != nil }
    let id = EntryID.make()
    let entries: StoreEmptying.UnsentWrites =
      switch signOut.unsent {
      case .block: .stay
      case .keep: .wait
      case .discard: .go
      }
    return parts.indices.map { index in
      let later = parts.prefix(durable).dropFirst(index + 1).flatMap(\.owners).map(\.nameInMarks)
      return StoreEmptying(
        id: id, repositories: parts[index].names, unsent: entries,
        later: durable > 1 && index < durable ? Set(later) : nil)
    }
  }

  /// Marks all of several stores as about to be emptied together, or none.
  private func mark(_ emptyings: [StoreEmptying]) async throws {
    for (index, emptying) in emptyings.enumerated() where emptying.later != nil {
      do {
        try await parts[index].store.mark(emptying)
      } catch {
        try? await parts[index].store.unmark(emptying)
        try? await unmark(emptyings.prefix(index))
        throw error
      }
    }
  }

  /// Deletes the marks, the last first, because each mark knows what may come after it.
  ///
  /// If one cannot be deleted, those before it stay: the next start finishes with all stores or none.
  private func unmark(_ emptyings: ArraySlice<StoreEmptying>) async throws {
    for (part, emptying) in zip(parts, emptyings).reversed() where emptying.later != nil {
      try await part.store.unmark(emptying)
    }
  }

  private func empty(_ emptyings: [StoreEmptying]) async throws {
    var failures = Failures()
    for (index, (part, emptying)) in zip(parts, emptyings).enumerated() {
      do {
        try await part.store.empty(emptying)
      } catch {
        guard index > 0 else {
          try? await unmark(emptyings[...])
          throw Undecided(reason: error)
        }
        // The store is emptied when your app next opens it.
        failures.first = failures.first ?? error
      }
    }
    if let failure = failures.first { throw failure }
  }
}

/// The first failure of several steps, each of which runs even if another fails.
private struct Failures {
  var first: (any Error)?

  mutating func collect(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      first = first ?? error
    }
  }
}
