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

  init(_ signOut: SignOut, _ proxies: [any AnyProxy]) {
    self.signOut = signOut
    self.proxies = proxies
    parts = Self.parts(of: proxies)
  }

  /// Empties everything, in an order that loses nothing if it is interrupted.
  ///
  /// Ledgers are emptied before the models that they describe. If the preparation or the first
  /// store fails, it stops, and no store was emptied. Any other failure stops no other step.
  func run() async throws {
    let (outbox, unsent) = (signOut.outbox, signOut.unsent)
    let stores = Set(parts.flatMap { $0.owners.compactMap(\.queueStore) })
    let discarded = unsent == .discard ? try await outbox.subjects(in: stores) : []
    if unsent == .keep { outbox.openAll() }
    let emptyings = emptyings()
    try await prepare(emptyings)
    for proxy in proxies { proxy.keepReadsApart() }
    signOut.environment.signOuts.advance()
    // What is followed ends before anything is emptied, and begins again after everything is: until
    // then, a stream would have the credential and the mark of the user who signs out.
    let live = signOut.environment.demand.follower
    await live?.suspend()
    defer { live?.resume() }
    var failures = Failures()
    await failures.note { try await clearLedgers() }
    if unsent == .discard { await failures.note { try await outbox.noteGivenUp(in: stores) } }
    do {
      try await empty(emptyings)
    } catch let failure as Undecided {
      for cache in signOut.caches(of: proxies) { cache.recallAgain() }
      throw failure.reason
    } catch {
      failures.first = failures.first ?? error
    }
    await failures.note { try await outbox.settle(unsent, besides: stores) }
    for proxy in proxies where proxy.part == nil {
      await failures.note { try await proxy.emptyLocal() }
    }
    // After the entries are removed or held, because a send that was canceled earlier would start
    // again.
    outbox.cancelSends { _ in true }
    show()
    outbox.noteSettled(unsent, discarded)
    if let failure = failures.first { throw failure }
  }

  /// Forgets everything in memory, and shows observers of caches that there is no cache.
  private func show() {
    signOut.environment.recent.forget(before: signOut.environment.signOuts.number)
    for proxy in proxies { proxy.forgetAnswers() }
    for ledger in signOut.ledgers(of: proxies) {
      CacheRegistry.of(ledger).forgetFetches(prefix: "")
    }
    for cache in signOut.caches(of: proxies) { cache.forgetAtOnce() }
  }

  /// Empties the ledgers outside the stores; a store empties its own ledger.
  private func clearLedgers() async throws {
    let inStores = Set(proxies.compactMap(\.ledgerInStore))
    for ledger in signOut.ledgers(of: proxies) where !inStores.contains(ledger.identity) {
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
    let durable = parts.compactMap { part in
      part.store.durableLocation.map {
        StoreEmptying.Fellow(location: $0, repositories: part.names)
      }
    }
    let id = EntryID.make()
    let entries: StoreEmptying.UnsentWrites =
      switch signOut.unsent {
      case .block: .stay
      case .keep: .wait
      case .discard: .go
      }
    return parts.map { part in
      let location = part.store.durableLocation
      let fellows = location == nil ? [] : durable.filter { $0.location != location }
      return StoreEmptying(
        id: id, repositories: part.names, unsent: entries, fellows: fellows)
    }
  }

  /// Records in all of several stores that they are emptied together, or in none.
  private func prepare(_ emptyings: [StoreEmptying]) async throws {
    do {
      for (part, emptying) in zip(parts, emptyings) where !emptying.fellows.isEmpty {
        try await part.store.prepare(emptying)
      }
    } catch {
      await end(emptyings)
      throw error
    }
  }

  /// Makes all stores forget what was prepared.
  private func end(_ emptyings: [StoreEmptying]) async {
    for (part, emptying) in zip(parts, emptyings) where !emptying.fellows.isEmpty {
      try? await part.store.end(emptying)
    }
  }

  private func empty(_ emptyings: [StoreEmptying]) async throws {
    var failures = Failures()
    for (index, (part, emptying)) in zip(parts, emptyings).enumerated() {
      do {
        try await part.store.empty(emptying)
      } catch {
        guard index > 0 else {
          await end(emptyings)
          throw Undecided(reason: error)
        }
        failures.first = failures.first ?? error
      }
    }
    // Otherwise the rest is emptied when your app next opens one of the stores.
    if let failure = failures.first { throw failure }
    await end(emptyings)
  }
}

/// The first failure of several steps, each of which runs even if another fails.
private struct Failures {
  var first: (any Error)?

  mutating func note(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      first = first ?? error
    }
  }
}
