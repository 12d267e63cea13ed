import Foundation

extension InMemoryRepository {
  /// The model's name with the names of enclosing types, because several of them may have an
  /// `Item`.
  package var queueName: String {
    String(String(reflecting: Model.self).drop { $0 != "." }.dropFirst())
  }

  /// Identifies the store of the entries, which several repositories share if one waits for
  /// another.
  package var storeIdentity: ObjectIdentifier { ObjectIdentifier(store) }

  /// False: entries are lost when the process ends, as the models are.
  package var keepsEntries: Bool { false }

  /// Whether there are entries now.
  package var heldEntries: Bool {
    exclusively { store in store.entries.withLock { !$0.isEmpty(queueName) } }
  }

  /// True for every other repository in memory: the two share one store from now on.
  package func shares(with other: any OutboxStore) -> Bool {
    guard let other = other as? any InMemoryQueueing else { return false }
    store.takeOver(other.store)
    return true
  }

  /// Runs `body` while no other write runs.
  ///
  /// Readers see nothing that it wrote before its end.
  package func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try Cancellation.check()
    return try transactNow { try body($0) }.0
  }

  /// Runs `body` on the present state, while no write runs.
  package func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try Cancellation.check()
    return try exclusively { store in
      let scope = InMemoryScope(store.entries.withLock { $0 }, of: store)
      return try withExtendedLifetime(scope) { try body($0.transaction(of: self)) }
    }
  }

  /// Calls `handler` after each commit that changed entries, on the thread that made it.
  package func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    home.observers.observe { handler() }
  }

  /// Runs `body` in a transaction, commits it, and returns its result and the version afterwards.
  func transactNow<Value>(
    _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> (Value, version: UInt64) {
    let end = try exclusively { try transact(in: $0, body) }
    end.changed?.observers.tell()
    return (end.value, end.version)
  }

  /// How a transaction ended.
  struct Transacted<Value> {
    let value: Value
    let version: UInt64
    /// The store, if its entries were changed.
    let changed: InMemoryStore?
  }

  /// Runs a transaction while no other write runs.
  func transact<Value>(
    in store: InMemoryStore, _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> Transacted<Value> {
    // The store has no entries while this runs, so that they are changed in place and not copied.
    let scope = InMemoryScope(
      store.entries.withLock { entries in
        defer { entries = InMemoryEntries() }
        return entries
      }, of: store)
    defer { scope.close() }
    do {
      let value = try body(scope.transaction(of: self))
      for commit in scope.commits() { commit() }
      return Transacted(
        value: value, version: shared.withLock { $0.version },
        changed: scope.hasChangedEntries ? store : nil)
    } catch {
      scope.takeBack()
      throw error
    }
  }

  /// Applies changes to the state, reports them to observers, and returns the version afterwards.
  @discardableResult
  func apply(_ edits: InMemoryEdits<Model>) -> UInt64 {
    let (changes, version) = shared.withLock { shared in
      let changes = edits.apply(to: &shared.models)
      if !changes.isEmpty { shared.version += 1 }
      return (changes, shared.version)
    }
    tell(changes, version)
    return version
  }
}

/// A repository in memory of any model type.
protocol InMemoryQueueing: AnyObject, Sendable {
  var store: InMemoryStore { get }
  func part(of scope: InMemoryScope) -> Any
}

extension InMemoryRepository {
  func part(of scope: InMemoryScope) -> Any { scope.transaction(of: self) }
}
