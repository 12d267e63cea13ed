public import Evocation

/// Writes models, lists and the ledger in one transaction. Every write uses this.
extension SQLiteRepository {
  /// The ledger of the repository's database.
  public var fetchLedger: (any FetchLedger)? { SQLiteFetchLedger(database) }

  /// Performs all parts of a write in one transaction.
  ///
  /// If the write's stamp belongs to the ledger of another store, it is written there afterwards.
  ///
  /// - Parameter write: The changes of models, the list and the stamp to write.
  /// - Returns: The answers to the changes, with the ledger's record and the number of the commit.
  /// - Throws: One of these errors. Nothing is written then, unless the later write to the ledger
  ///   of another store failed:
  ///   - `EvocationError.alreadyExists` if a model to store already exists.
  ///   - `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that do not
  ///     fit the model.
  ///   - The error of an outdated stamp.
  ///   - ``SQLiteError`` or `CancellationError`.
  @discardableResult
  public func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    guard !write.hasNothingToDo else {
      return StoreCommit(answers: write.changes.map { _ in [] })
    }
    let isOwn = write.stamp.map { $0.ledger.identity == ObjectIdentifier(database) } ?? true
    let foreign = isOwn ? nil : try await write.stamp?.recordNow()
    var (commit, version) = try await transaction(isShort: write.isShort) { part in
      try part.perform(write, foreign)
    }
    commit.version = version
    if let stamp = write.stamp, let record = commit.record {
      if isOwn {
        stamp.setWritten(record, version: version)
      } else {
        commit.record = try await stamp.with(record).write(in: version)
      }
    }
    return commit
  }

  /// Performs one change in one transaction, without a stamp and a list.
  ///
  /// The calls of a repository use it, mostly with one model, so it searches through nothing
  /// (`storeOne`).
  func commit(_ change: StoreWrite<Model>.Change) async throws -> Response<[Model]> {
    if change.count == 0 { return Response([]) }
    return Response(
      try await transaction(isShort: change.count == 1) { try $0.perform(change) }.value)
  }
}

/// Some ids are taken, but statements of many rows do not report which.
private struct TakenIDs: Error {}

extension SQLiteTransaction {
  /// Performs a write; `foreign` is the record for a ledger of another store.
  fileprivate func perform(
    _ write: StoreWrite<Model>, _ foreign: FetchRecord?
  ) throws -> StoreCommit<Model> {
    if let note = write.outbox {
      return try write.stamping(foreign, connection) { _ in try write.queue(note, in: self) }
    }
    let write = write.source == .app ? write : try write.sparingUnsent(in: self)
    return try write.stamping(foreign, connection) { record in
      if let list = write.list {
        report(try table.perform(list, connection, record: &record, tellingApart: isObserved))
      }
      var commit = StoreCommit(answers: try write.changes.map(perform))
      commit.gone = write.gone
      return commit
    }
  }

  /// Performs a change, and returns its answer.
  fileprivate func perform(_ change: StoreWrite<Model>.Change) throws -> [Model] {
    switch change {
    case .store(let models):
      try add(models)
      return models
    case .update(let models):
      let models = table.lastOfEach(models)
      let rows = try PendingRows(table, connection, inserting: false, tellingApart: isObserved)
      try rows.write(models)
      report(try rows.finish())
      return rows.takeChanged(of: models)
    case .storeOrUpdate(let models):
      let models = table.lastOfEach(models)
      let rows = try PendingRows(table, connection, tellingApart: isObserved)
      try rows.write(models)
      report(try rows.finish())
      return models
    case .remove(let models):
      let changes = try table.removeAll(models, connection)
      report(changes)
      return changes.removed
    case .mirror(let models, let criteria, let kept):
      let changes = try table.mirror(
        models, for: criteria, keeping: kept, connection: connection, tellingApart: isObserved)
      report(changes)
      return changes.removed
    }
  }

  private func add(_ models: [Model]) throws {
    do {
      try connection.savepoint {
        // Nothing here updates or removes a row, so there is nothing to wait for.
        let count = try table.write(
          models, table.insert, many: table.insertMany, connection: connection
        ) {
          try $1()
        }
        guard count == models.count else { throw TakenIDs() }
      }
      report(StoreChanges(stored: models))
    } catch is TakenIDs {
      // Again, one by one, to find out which.
      var (taken, known): ([String], Set<ModelID>) = ([], [])
      try models.inSteps(connection) { model in
        let id = table.id(model)
        if try !insert(model), known.insert(id).inserted { taken.append(id.description) }
      }
      guard taken.isEmpty else { throw EvocationError.alreadyExists(taken) }
    }
  }
}

extension FetchStamp {
  /// Returns the record to write into a ledger of another store.
  fileprivate func recordNow() async throws -> FetchRecord {
    isUnconditional ? record : try record(replacing: await ledger.record(for: tag))
  }
}

extension StoreWrite {
  /// Runs `body`, and writes the stamp with it.
  ///
  /// `foreign` is the record for a ledger of another store; nil if the stamp belongs to this one.
  fileprivate func stamping(
    _ foreign: FetchRecord?, _ connection: Connection,
    _ body: (inout FetchRecord?) throws -> StoreCommit<Model>
  ) throws -> StoreCommit<Model> {
    let ledger = FetchTable(connection)
    var record = foreign
    if let stamp, record == nil {
      try connection.makeOwnTables()
      record = try stamp.record(replacing: ledger.record(for: stamp.tag))
    }
    var commit = try body(&record)
    if let stamp, let record, foreign == nil { try ledger.write(record, for: stamp.tag) }
    commit.record = record
    return commit
  }

  /// Whether no change has models, and there is no stamp and no list to write.
  fileprivate var hasNothingToDo: Bool {
    stamp == nil && list == nil && changes.allSatisfy { $0.count == 0 }
  }

  /// Whether the write is bounded by one key, so that it may run on the caller's thread.
  fileprivate var isShort: Bool {
    changes.count == 1 && list == nil && changes[0].count == 1
  }
}

extension StoreWrite.Change {
  /// How many models it concerns; nil if it may remove others.
  fileprivate var count: Int? {
    switch self {
    case .store(let models), .update(let models), .storeOrUpdate(let models), .remove(let models):
      models.count
    case .mirror: nil
    }
  }
}
