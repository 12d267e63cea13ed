package import Evocation

/// Empties the tables of all repositories of a file in one transaction.
///
/// If a sign-out empties several files, each of them has a mark in the table `evocation_sign_outs` before
/// any of them is emptied. If the process is killed, a file with a mark empties itself when it is opened
/// again, before that database answers a call. ``SignOutTable`` says what its rows mean.
extension SQLiteDatabase {
  /// The file's absolute path, with links followed; nil for a database in memory.
  package var durableLocation: String? {
    location.map { (try? DatabaseFile($0))?.resolved ?? $0 }
  }

  /// Marks the file as about to be emptied together with others.
  ///
  /// - Throws: ``SQLiteError``; `EvocationError.unsentWrites` if there are some, and they are to
  ///   stay.
  package func mark(_ emptying: StoreEmptying) async throws {
    try await signingOut(isDurable: true) { connection in
      let queues = emptying.repositories.map { $0.lowercased() }
      let unsent = emptying.unsent == .stay ? try EntryTables.count(queues, connection) : 0
      guard unsent == 0 else { throw EvocationError.unsentWrites(unsent) }
      try SignOutTable(connection).mark(emptying)
    }
  }

  /// Deletes the rows of the named tables, of all lists and of the ledger, in one transaction.
  ///
  /// The app's triggers run, and SQLite checks foreign keys at the end. Deleted rows may stay in
  /// free pages of the file, unless `secure_delete` is on.
  ///
  /// - Throws: ``SQLiteError``; `EvocationError.unsentWrites` in a file that is emptied alone.
  package func empty(_ emptying: StoreEmptying) async throws {
    try await signingOut(isDurable: emptying.later != nil) { connection in
      try SignOutTable(connection).empty(emptying)
    } then: {
      self.tellEmptied($0)
    }
  }

  /// Deletes the mark.
  ///
  /// - Throws: ``SQLiteError``.
  package func unmark(_ emptying: StoreEmptying) async throws {
    try await signingOut(isDurable: true) { try SignOutTable($0).unmark(emptying.id) }
  }

  /// The sign-outs for which the file was emptied.
  package func signOuts() throws -> [StoreEmptying] {
    try blocking("Signing out") { try SignOutTable($0).rows.filter(\.isDone).map(\.mark) }
  }

  /// Empties the named tables, unless they were emptied for this sign-out, which was cut short.
  ///
  /// - Throws: ``SQLiteError``. If tables had to be emptied, the database is closed.
  package func finish(_ emptying: StoreEmptying) throws {
    if isReadOnly { return }
    do {
      try blocking("Signing out") { connection in
        try connection.durably {
          try watch.transaction(connection) { try SignOutTable($0).finish(emptying) }
        }
        tellEmptied(connection.version)
        others.tellUnknown(version: connection.version)
      }
    } catch {
      // What is in it may be another user's.
      if !emptying.repositories.isEmpty { Task { await close() } }
      throw error
    }
  }

  private func signingOut(
    isDurable: Bool, _ body: @escaping @Sendable (Connection) throws -> Void,
    then end: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws {
    // What is in a file that is only read is no user's.
    if isReadOnly { return }
    let watch = watch
    try await writing { connection in
      let transact = { try watch.transaction(connection, body) }
      if isDurable { try connection.durably(transact) } else { try transact() }
      end(connection.version)
    }
  }

  /// Notifies the observers of models and entries.
  ///
  /// Observers of the ledger are notified separately.
  private func tellEmptied(_ version: UInt64) {
    entryIndex.withLock { $0 = EntryIndex() }
    for table in tables.withLock(\.all) where table !== others {
      table.tellUnknown(version: version)
    }
    queueObservers.tell()
  }
}

extension SQLiteRepository {
  /// The database.
  package var repositoryStore: any RepositoryStore { database }

  /// The table's name.
  package var nameInStore: String { table.plan.table }
}
