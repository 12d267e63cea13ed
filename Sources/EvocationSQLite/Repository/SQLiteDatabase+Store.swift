package import Evocation

/// Empties the tables of all repositories of a file in one transaction.
///
/// If a sign-out empties several files, each of them records this in the table
/// `evocation_sign_outs`. If the process is killed, the sign-out finishes when one of the files is
/// opened again, before that database answers a call.
extension SQLiteDatabase: RepositoryStore {
  /// The file's absolute path, with links followed; nil for a database in memory.
  package var durableLocation: String? {
    location.map { (try? DatabaseFile($0))?.resolved ?? $0 }
  }

  /// Records that the file is about to be emptied together with others.
  ///
  /// - Throws: ``SQLiteError``.
  package func prepare(_ emptying: StoreEmptying) async throws {
    guard let path = durableLocation else { return }
    let plan = SignOutPlan(emptying, at: path)
    guard emptying.locations.count <= SignOutPlan.mostFiles else {
      throw SQLiteError(
        .misuse,
        "Signing out failed: the models are in \(emptying.locations.count) files, and "
          + "\(SignOutPlan.mostFiles) can be emptied together; sign out of fewer with an Evocation of "
          + "their own.")
    }
    let watch = watch
    try await writing { connection in
      try connection.durably {
        try watch.transaction(connection) { try SignOutTable($0).mark(emptying.id, plan) }
      }
    }
  }

  /// Deletes the rows of the named tables, of all lists and of the ledger, in one transaction.
  ///
  /// The app's triggers run, and SQLite checks foreign keys at the end. Deleted rows may stay in
  /// free pages of the file, unless `secure_delete` is on.
  ///
  /// - Throws: ``SQLiteError``, with the code `busy` if another process has abandoned the sign-out.
  package func empty(_ emptying: StoreEmptying) async throws {
    let isPrepared = !emptying.locations.isEmpty
    let path = durableLocation
    let isFirst = emptying.locations.first == path
    try await writing { connection in
      func transact() throws {
        try self.watch.transaction(connection) { connection in
          let table = SignOutTable(connection)
          if isPrepared, isFirst, try table.state(of: emptying.id) != .marked {
            throw Self.givenUp(connection)
          }
          // Another process may have emptied it already, and a user may have signed in there.
          if isPrepared, !isFirst, try table.state(of: emptying.id) == .done { return }
          if emptying.unsent == .wait { try EntryTables.make(connection) }
          try EmptiedTables(
            connection: connection, tables: emptying.repositories, unsent: emptying.unsent
          ).empty()
          if isPrepared { try table.set(emptying.id, isFirst ? .decided : .done) }
        }
      }
      if isPrepared { try connection.durably(transact) } else { try transact() }
      if isPrepared, let path, emptying.locations.first == path {
        SignOutOutcomes.ofProcess.note(emptying.id, by: path, isDecided: true)
      }
      self.entryIndex.withLock { $0 = EntryIndex() }
      self.tellEmptied(connection.version)
    }
  }

  /// Records that all files were emptied, or that none will be.
  ///
  /// - Throws: ``SQLiteError``.
  package func end(_ emptying: StoreEmptying) async throws {
    let watch = watch
    try await writing { connection in
      try watch.transaction(connection) { connection in
        let table = SignOutTable(connection)
        guard try table.isThere else { return }
        switch try table.state(of: emptying.id) {
        case .marked: try table.set(emptying.id, .abandoned)
        case .decided: try table.set(emptying.id, .done)
        case .done, .abandoned, nil: break
        }
      }
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

  private static func givenUp(_ connection: Connection) -> SQLiteError {
    SQLiteError(
      .busy,
      "Signing out in \(connection.file) failed: another connection was opened in the meantime "
        + "and canceled it, so nothing changed; try again.")
  }
}

extension SQLiteRepository: StoredRepository {
  /// The database.
  package var repositoryStore: any RepositoryStore { database }

  /// The table's name.
  package var nameInStore: String { table.plan.table }
}
