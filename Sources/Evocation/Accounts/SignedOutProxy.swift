/// What signing out asks of a proxy, whatever its model type.
protocol SignedOutProxy: AnyObject, Sendable {
  /// The model type's name with its module, by which proxies are put in order.
  var tagPrefix: String { get }
  var line: WriteSerializer { get }
  var ledger: any FetchLedger { get }
  /// The store that the local repository lies in with others, and what it is called there.
  var part: (store: any RepositoryStore, name: String)? { get }
  /// Identifies the ledger in that store; nil where it has none.
  var ledgerInStore: ObjectIdentifier? { get }
  /// Identifies where the local repository's entries are; nil where it keeps none.
  var queueStore: ObjectIdentifier? { get }

  /// Keeps reads that begin now apart from those that run.
  func keepReadsApart()
  /// Empties a local repository that lies in no store with others.
  func emptyLocal() async throws
  /// Forgets what is remembered beside the repositories, and what the remote one remembers.
  func forgetAnswers()
}

extension Proxy: SignedOutProxy {
  var part: (store: any RepositoryStore, name: String)? {
    (wiring.local as? any StoredRepository<Model>).map { ($0.repositoryStore, $0.nameInStore) }
  }

  var ledgerInStore: ObjectIdentifier? {
    part == nil ? nil : wiring.place.transactional?.fetchLedger?.identity
  }

  var queueStore: ObjectIdentifier? { wiring.place.outbox?.storeIdentity }

  func keepReadsApart() { joins.noteWrite() }

  func emptyLocal() async throws {
    let wiring = wiring
    if let whole = wiring.place.transactional {
      _ = try await whole.commit(StoreWrite([.mirror([], for: Criteria())]))
    } else if let local = wiring.local {
      let held = try await local.find(Criteria()).value
      if !held.isEmpty { _ = try await local.land(StoreWrite([.remove(held)])) }
    }
  }

  func forgetAnswers() {
    tags.withLock { $0 = [:] }
    let wiring = wiring
    wiring.place.lists.forgetLists()
    (wiring.remote as? any ForgettingRepository)?.forgetAnswers()
  }
}

/// What signing out asks of the cache of one tag, whatever its source.
protocol SignedOutCache: AnyObject, Sendable {
  /// The line of the cache's saves.
  var line: WriteSerializer { get }
  /// Shows that there is no cache, and drops what is being fetched.
  func forgetAtOnce()
  /// Asks the ledger again; returns at once.
  func recallAgain()
}
