public import Evocation

/// The tables of all repositories of a file are emptied in one transaction.
///
/// Where several files are emptied, each remembers so in the table `evocation_sign_outs`. A sign-out whose
/// process was killed is finished when one of the files is opened again, before it answers anything.
extension SQLiteDatabase: RepositoryStore {
  /// The file's path from the root on, with links followed; nil for a database in memory.
  public var durableLocation: String? {
    location.map { (try? DatabaseFile($0))?.resolved ?? $0 }
  }

  /// Remembers that the file is about to be emptied together with others.
  ///
  /// - Throws: ``SQLiteError``.
  public func prepare(_ emptying: StoreEmptying) async throws {
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
  /// Triggers of the app's own run, and foreign keys are looked at in the end. Deleted rows may stay in free
  /// pages of the file, unless `secure_delete` is on.
  ///
  /// - Throws: ``SQLiteError``, with the code `busy` where another process has given the sign-out up.
  public func empty(_ emptying: StoreEmptying) async throws {
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
          // Another process may have emptied it already, and somebody have signed in there.
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

  /// Takes note that all files were emptied, or that none will be.
  ///
  /// - Throws: ``SQLiteError``.
  public func end(_ emptying: StoreEmptying) async throws {
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

  /// Tells the observers of models and entries, and not those of the ledger, who are told otherwise.
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
  public var repositoryStore: any RepositoryStore { database }

  /// The table's name.
  public var nameInStore: String { table.plan.table }
}
