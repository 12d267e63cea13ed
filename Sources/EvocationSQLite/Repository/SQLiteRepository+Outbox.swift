package import Evocation

/// The entries lie in the table `evocation_entries` of the same file.
extension SQLiteRepository: OutboxStore {
  /// The table's name in small letters, by which SQLite tells tables apart.
  package var queueName: String { table.queueName }

  /// The database: the entries of all its repositories lie in one file.
  package var storeIdentity: ObjectIdentifier { ObjectIdentifier(database) }

  /// Whether the database is a file; what is in memory is lost when the process ends.
  package var keepsEntries: Bool { database.path != nil }

  /// Writes models, and queues the write for the remote, in one transaction.
  ///
  /// - Throws: `EvocationError.alreadyExists` for a model to be added that is there already;
  ///   ``SQLiteError``; `CancellationError`.
  package func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], _ note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try await inScope(isShort: models.count == 1) { try $0.queue(kind, models, note) }.0
  }

  /// Runs `body` in one transaction: what it wrote is kept as a whole, or nothing when it throws.
  ///
  /// The first transaction that writes an entry makes the tables.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`; what `body` throws.
  package func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try await inScope(isShort: isShort) { try body($0) }.0
  }

  /// Runs `body` on one state of the database, beside a write.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`; what `body` throws.
  package func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    let read: @Sendable (Connection) throws -> Value = { connection in
      let scope = TransactionScope(connection, self.database)
      return try scope.run {
        let part = scope.transaction(for: self)
        // A short read of a file that no other process opens may have begun its transaction.
        guard connection.isOutsideTransaction else { return try body(part) }
        return try connection.snapshot { _ in try body(part) }
      }
    }
    return isShort
      ? try await database.shortRead(read) : try await database.long(database.reader, read)
  }

  /// Calls `handler` after each commit that changed the entries of the database.
  ///
  /// That another connection or process has committed, whatever it wrote, is noticed within about
  /// 20 ms, on Apple's systems within about 100 ms; within half a second where the system does not let
  /// files be watched.
  package func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    let own = database.queueObservers.observe(handler)
    let others = database.others.observe { _ in handler() }
    let watching = database.watch.begin()
    return Evocation.Observation {
      own.cancel()
      others.cancel()
      watching?.cancel()
    }
  }

  /// Runs `body` in one transaction, tells what it changed, and gives the commit's number.
  func inScope<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (SQLiteTransaction<Model>) throws -> Value
  ) async throws -> (Value, version: UInt64) {
    try await database.writing(isShort: isShort) { connection in
      let scope = TransactionScope(connection, self.database)
      return try scope.run {
        let value = try self.database.watch.transaction(connection) { _ in
          try body(scope.transaction(for: self))
        }
        scope.tell()
        return (value, connection.version)
      }
    }
  }
}
