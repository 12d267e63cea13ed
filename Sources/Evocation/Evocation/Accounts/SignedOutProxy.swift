/// What a sign-out needs of a proxy, independent of the model type.
protocol SignedOutProxy: AnyObject, Sendable {
  /// The model type's name with its module, by which proxies are sorted.
  var tagPrefix: String { get }
  var line: WriteSerializer { get }
  var ledger: any FetchLedger { get }
  /// The store that the local repository shares with others, and its name there; nil if it has
  /// none.
  var part: (store: any RepositoryStore, name: String)? { get }
  /// Identifies the ledger in that store; nil if it has none.
  var ledgerInStore: ObjectIdentifier? { get }
  /// Identifies the store of the local repository's entries; nil if it keeps none.
  var queueStore: ObjectIdentifier? { get }

  /// Makes later reads start requests of their own, so that they join no running read.
  func keepReadsApart()
  /// Empties a local repository that shares no store with others.
  func emptyLocal() async throws
  /// Forgets data in memory beside the repositories, and what the remote repository remembers.
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
    let wiring = wiring
    wiring.place.lists.forgetLists()
    wiring.place.live.note(mark: nil)
    (wiring.remote as? any ForgettingRepository)?.forgetAnswers()
  }
}
