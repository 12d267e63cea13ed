package import Evocation

/// Stores the entries in the table `evocation_entries` of the same file.
extension SQLiteRepository {
  /// The table's name in lowercase, because SQLite ignores the case of names.
  package var queueName: String { table.queueName }

  /// The database: the entries of all its repositories are in one file.
  package var storeIdentity: ObjectIdentifier { ObjectIdentifier(database) }

  /// Whether the database is a file.
  ///
  /// Entries in memory are lost when the process ends.
  package var keepsEntries: Bool { database.path != nil }

  /// Writes models, and queues the write for the remote, in one transaction.
  ///
  /// - Throws: `EvocationError.alreadyExists` if a model to store already exists; ``SQLiteError``;
  ///   `CancellationError`.
  package func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try await transaction(isShort: models.count == 1) { try $0.queue(kind, models, note: note) }
      .value
  }

  /// Runs `body` in one transaction, and undoes all its writes if it throws.
  ///
  /// The first transaction that writes an entry creates the tables.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`; what `body` throws.
  package func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try await transaction(isShort: isShort) { try body($0) }.value
  }

  /// Runs `body` on one state of the database, while writes continue.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`; what `body` throws.
  package func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try await database.reading(isShort: isShort) { connection in
      let scope = TransactionScope(connection, self.database)
      return try scope.run { try connection.snapshot { _ in try body(self.own(scope)) } }
    }
  }

  /// Calls `handler` after each commit that changed the entries of the database.
  ///
  /// It also calls `handler` after any commit of another connection or process. Evocation notices
  /// such a commit within about 20 ms, on Apple's systems within about 100 ms.
  package func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    let own = database.queueObservers.observe { handler() }
    let others = database.others.observeAny(handler)
    let watching = database.watch.begin()
    return Evocation.Observation {
      own.cancel()
      others.cancel()
      watching?.cancel()
    }
  }
}
