public import Evocation

/// Writes models, lists and the ledger in one transaction. Every write uses this.
extension SQLiteRepository: TransactionalRepository, ListStore {
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
    var (commit, version): (StoreCommit<Model>, UInt64)
    do {
      (commit, version) = try await attempt(write, foreign, tellingTaken: false)
    } catch is TakenIDs {
      // A statement of many rows does not report which ids existed, so this repeats the write one
      // by one.
      (commit, version) = try await attempt(write, foreign, tellingTaken: true)
    }
    commit.version = version
    if let stamp = write.stamp, let record = commit.record, !isOwn {
      commit.record = try await stamp.with(record).write()
    }
    if let record = commit.record { write.stamp?.note(record, version: version) }
    return commit
  }

  private func attempt(
    _ write: StoreWrite<Model>, _ foreign: FetchRecord?, tellingTaken: Bool
  ) async throws -> (StoreCommit<Model>, version: UInt64) {
    let table = table
    guard write.outbox != nil || write.source != .app else {
      return try await transact(isShort: write.isShort) { connection, isObserved in
        try table.perform(
          write, foreign, connection, isObserved: isObserved, tellingTaken: tellingTaken)
      }
    }
    return try await inScope(isShort: write.isShort) { part in
      if let note = write.outbox {
        return try write.stamping(foreign, part.connection) { _ in
          try write.queue(note, in: part)
        }
      }
      let (commit, changes) = try table.perform(
        write.sparingUnsent(in: part), foreign, part.connection, isObserved: part.isObserved,
        tellingTaken: tellingTaken)
      part.add(changes)
      return commit
    }
  }

  /// Performs one change in one transaction, without a stamp and a list.
  ///
  /// The calls of a repository use it, mostly with one model, so it searches through nothing
  /// (`storeOne`).
  func commit(
    _ action: StoreWrite<Model>.Change, isShort: Bool
  ) async throws -> Response<[Model]> {
    let table = table
    do {
      return try await transact(isShort: isShort) { connection, isObserved in
        try table.answer(action, connection, isObserved: isObserved, tellingTaken: false)
      }.0
    } catch is TakenIDs {
      return try await transact(isShort: isShort) { connection, isObserved in
        try table.answer(action, connection, isObserved: isObserved, tellingTaken: true)
      }.0
    }
  }

  /// Runs one transaction, notifies observers before another commit is possible, and returns its
  /// number.
  func transact<Answer: Sendable>(
    isShort: Bool,
    _ body:
      @escaping @Sendable (Connection, _ isObserved: Bool) throws -> (
        Answer, StoreChanges<Model>
      )
  ) async throws -> (Answer, version: UInt64) {
    let (hub, watch) = (hub, database.watch)
    let write: @Sendable (Connection) throws -> (Answer, version: UInt64) = { connection in
      // An observer that begins during the transaction gets an unknown change.
      let (answer, changes) = try watch.transaction(connection) { connection in
        try body(connection, hub.isObserved)
      }
      let version = connection.version
      if hub.isObserved, let change = changes.asRepositoryChange(version: version) {
        hub.tell(change)
      }
      return (answer, version)
    }
    return try await database.writing(isShort: isShort, write)
  }
}

/// Some ids already exist, but statements of many rows do not report which.
private struct TakenIDs: Error {}

extension ModelTable {
  /// Performs a write in the connection's transaction.
  fileprivate func perform(
    _ write: StoreWrite<Model>, _ foreign: FetchRecord?, _ connection: Connection,
    isObserved: Bool, tellingTaken: Bool
  ) throws -> (StoreCommit<Model>, StoreChanges<Model>) {
    var changes = StoreChanges<Model>()
    let commit = try write.stamping(foreign, connection) { record in
      var answers: [[Model]] = []
      if let list = write.list {
        changes.add(try perform(list, connection, &record, tellingApart: isObserved), id)
      }
      for action in write.changes {
        let (answer, change) = try perform(
          action, connection, isObserved: isObserved, tellingTaken: tellingTaken)
        answers.append(answer)
        changes.add(change, id)
      }
      return StoreCommit(answers: answers)
    }
    return (commit, changes)
  }

  fileprivate func answer(
    _ action: StoreWrite<Model>.Change, _ connection: Connection, isObserved: Bool,
    tellingTaken: Bool
  ) throws -> (Response<[Model]>, StoreChanges<Model>) {
    let (models, changes) = try perform(
      action, connection, isObserved: isObserved, tellingTaken: tellingTaken)
    return (Response(models), changes)
  }

  private func perform(
    _ action: StoreWrite<Model>.Change, _ connection: Connection, isObserved: Bool,
    tellingTaken: Bool
  ) throws -> ([Model], StoreChanges<Model>) {
    switch action {
    case .store(let models):
      if tellingTaken {
        let taken = try addApart(models, connection)
        guard taken.isEmpty else { throw EvocationError.alreadyExists(taken.map(\.description)) }
      } else if try !add(models, connection) {
        throw TakenIDs()
      }
      return (models, StoreChanges(stored: models))
    case .update(let models):
      return try change(lastOfEach(models), connection, tellingBefore: isObserved)
    case .storeOrUpdate(let models):
      let models = lastOfEach(models)
      return (models, try put(models, connection, tellingApart: isObserved))
    case .remove(let models):
      let removed = try removeAll(models, connection)
      return (removed, StoreChanges(removed: removed))
    case .mirror(let models, let criteria, let kept):
      let changes = try mirror(
        models, for: criteria, keeping: kept, connection, tellingApart: isObserved)
      return (changes.removed, changes)
    }
  }
}

extension FetchStamp {
  /// Returns the record to write into a ledger of another store.
  fileprivate func recordNow() async throws -> FetchRecord {
    if basis == .any, since == nil { return record }
    return try record(replacing: await ledger.record(for: tag))
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
      try ledger.make()
      record = try stamp.record(replacing: ledger.record(for: stamp.tag))
    }
    var commit = try body(&record)
    if let stamp, let record, foreign == nil { try ledger.write(record, for: stamp.tag) }
    commit.record = record
    return commit
  }

  /// Whether no change has models, and there is no stamp and no list to write.
  fileprivate var hasNothingToDo: Bool {
    stamp == nil && list == nil
      && changes.allSatisfy { change in
        switch change {
        case .store(let models), .update(let models), .storeOrUpdate(let models),
          .remove(let models):
          models.isEmpty
        case .mirror: false
        }
      }
  }

  /// Whether the write is bounded by one key, so that it may run on the caller's thread.
  fileprivate var isShort: Bool {
    guard changes.count == 1, list == nil else { return false }
    return switch changes[0] {
    case .store(let models), .update(let models), .storeOrUpdate(let models), .remove(let models):
      models.count == 1
    case .mirror: false
    }
  }

}
