// What a sign-out needs of a proxy.
extension AnyProxy {
  /// The store that the local repository shares with others, and its name there; nil if it has
  /// none.
  var part: (store: any RepositoryStore, name: String)? {
    typed.wiring.local?.role((any StoredRepository<Model>).self).map {
      ($0.repositoryStore, $0.nameInStore)
    }
  }

  /// The model type's name in the marks of stores.
  var nameInMarks: String { stableName(of: Model.self) }

  /// Identifies the ledger in that store; nil if it has none.
  var ledgerInStore: ObjectIdentifier? {
    part == nil ? nil : typed.wiring.binding.transactional?.fetchLedger?.identity
  }

  /// Identifies the store of the local repository's entries; nil if it keeps none.
  var queueStore: ObjectIdentifier? { typed.wiring.binding.outbox?.storeIdentity }

  /// Makes later reads start requests of their own, so that they join no running read.
  func keepReadsApart() { typed.joins.recordWrite() }

  /// Empties a local repository that shares no store with others.
  func emptyLocal() async throws {
    let wiring = typed.wiring
    if let whole = wiring.binding.transactional {
      _ = try await whole.commit(StoreWrite([.mirror([], for: Criteria())]))
    } else if let local = wiring.local {
      let held = try await local.find(Criteria()).value
      if !held.isEmpty { _ = try await local.write(StoreWrite([.remove(held)])) }
    }
  }

  /// Forgets data in memory beside the repositories, and what the remote repository remembers.
  func forgetAnswers() {
    let wiring = typed.wiring
    wiring.binding.lists.forgetLists()
    wiring.binding.live.forgetMark()
    wiring.remote?.role((any ForgettingRepository).self)?.forgetAnswers()
  }
}
