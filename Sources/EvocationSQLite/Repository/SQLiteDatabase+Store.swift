package import Evocation

/// Empties the tables of all repositories of a file in one transaction.
///
/// If a sign-out empties several files, each of them has the intent in the table
/// `evocation_sign_outs` before any of them is emptied. If the process is killed, the sign-out
/// finishes when one of the files is opened again, before that database answers a call. If a file does
/// not have the intent, no file was emptied yet, and the sign-out is taken back.
extension SQLiteDatabase {
  /// The file's absolute path, with links followed; nil for a database in memory.
  package var durableLocation: String? {
    location.map { (try? DatabaseFile($0))?.resolved ?? $0 }
  }

  /// Records that the file is about to be emptied together with others.
  ///
  /// - Throws: ``SQLiteError``; `EvocationError.unsentWrites` if there are some, and they are to
  ///   stay.
  package func prepare(_ emptying: StoreEmptying) async throws {
    guard let path = durableLocation else { return }
    let intent = SignOutIntent(emptying, at: path)
    try await signingOut(isDurable: true) { connection in
      let queues = emptying.repositories.map { $0.lowercased() }
      let unsent = emptying.unsent == .stay ? try EntryTables.count(queues, connection) : 0
      guard unsent == 0 else { throw EvocationError.unsentWrites(unsent) }
      try SignOutTable(connection).write(intent, of: emptying.id)
    }
  }

  /// Deletes the rows of the named tables, of all lists and of the ledger, in one transaction.
  ///
  /// The app's triggers run, and SQLite checks foreign keys at the end. Deleted rows may stay in
  /// free pages of the file, unless `secure_delete` is on.
  ///
  /// - Throws: ``SQLiteError``; `EvocationError.unsentWrites` in a file that is emptied alone.
  package func empty(_ emptying: StoreEmptying) async throws {
    let (tables, unsent) = (emptying.repositories, emptying.unsent)
    let isTogether = !emptying.fellows.isEmpty
    try await signingOut(isDurable: isTogether) { connection in
      if isTogether {
        // Another process may have done it already, and a user may have signed in there.
        try SignOutTable(connection).carryOut(emptying.id, tables, unsent: unsent)
      } else {
        try connection.empty(tables, unsent, isTogether: false)
      }
    } then: { version in
      self.entryIndex.withLock { $0 = EntryIndex() }
      self.tellEmptied(version)
    }
  }

  /// Takes the intent back, or forgets it after all files are emptied.
  ///
  /// - Throws: ``SQLiteError``.
  package func end(_ emptying: StoreEmptying) async throws {
    try await signingOut(isDurable: false) { try SignOutTable($0).end(emptying.id) }
  }

  private func signingOut(
    isDurable: Bool, _ body: @escaping @Sendable (Connection) throws -> Void,
    then end: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws {
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
