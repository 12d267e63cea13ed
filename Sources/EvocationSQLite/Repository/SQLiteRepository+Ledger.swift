public import Evocation

extension SQLiteRepository: LedgerRepository {
  /// The ledger of the repository's database.
  public var fetchLedger: any FetchLedger { SQLiteFetchLedger(database) }

  /// Saves models and writes the stamp, in one transaction.
  ///
  /// - Parameters:
  ///   - models: What was fetched; of several with one id, the last counts.
  ///   - criteria: What is mirrored, as ``mirror(_:for:)`` does; nil to remove nothing.
  ///   - stamp: What is to be remembered in the ledger of this database.
  /// - Throws: `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that
  ///   do not fit the model; ``SQLiteError``; `CancellationError`. Neither the models are saved then,
  ///   nor is the stamp written.
  public func save(
    _ models: [Model], mirroring criteria: Criteria?, stamp: FetchStamp
  ) async throws {
    try await save(models, mirroring: criteria, keeping: [], stamp: stamp)
  }

  /// Does the same, and leaves some models as they are, in one transaction.
  public func save(
    _ models: [Model], mirroring criteria: Criteria?, keeping kept: [Model], stamp: FetchStamp
  ) async throws {
    let saving = try Saving(models, mirroring: criteria, keeping: kept, table)
    let hub = hub
    try await commit(isShort: false) { table, connection in
      let changes = try saving.run(table, connection, tellingApart: hub.isObserved)
      let ledger = FetchTable(connection)
      try ledger.make()
      try ledger.write(stamp.record, for: stamp.tag)
      return ((), changes)
    }
  }
}
