internal import CEvocationSQLite
internal import Evocation

/// Models that a transaction writes, in an order that their unique values allow.
///
/// A row waits if another row of the table has one of its unique values. The same transaction may
/// write or remove that row later, for example if a service moves a number to another model, or two
/// models exchange values.
final class PendingRows<Model: Codable & Identifiable & Sendable> {
  /// A row's new value, and its present one; missing if no observer needs it.
  private typealias Row = (model: Model, before: HeldRow<Model>)

  private let table: ModelTable<Model>
  private let connection: Connection
  private let tellsApart: Bool
  private let update: RowWriter<Model>
  /// Inserts models; updates existing ones too unless observers need to know which were new.
  ///
  /// It is nil if models are ignored that the table does not have.
  private let insert: RowWriter<Model>?

  private var waiting: [Row] = []
  private var refusal: SQLiteError?
  private var changed = ModelList<Model>()
  private var written = StoreChanges<Model>()
  private var changes = StoreChanges<Model>()

  /// Creates it.
  ///
  /// `tellingApart` distinguishes stored and updated models, which only observers need.
  init(
    _ table: ModelTable<Model>, _ connection: Connection, inserting: Bool = true,
    tellingApart: Bool
  ) throws {
    self.table = table
    self.connection = connection
    tellsApart = tellingApart
    update = try table.writer(table.update, connection)
    let sql = tellingApart ? table.insert : table.upsert
    insert = inserting ? try table.writer(sql, connection) : nil
  }

  /// Whether models wait for rows that are removed before ``finish()``.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Writes the models, each once, except those that have to wait.
  func write(_ models: [Model]) throws {
    if isWaiting {
      let ids = Set(models.map(table.id))
      waiting.removeAll { ids.contains(table.id($0.model)) }
    }
    guard insert == nil || tellsApart else {
      // An observer that begins during the write gets an unknown change.
      written.isMixed = written.isMixed || !models.isEmpty
      _ = try table.write(models, table.upsert, many: table.upsertMany, connection: connection) {
        model, write in
        try unlessItWaits((model, .missing), write)
      }
      return
    }
    let finder = tellsApart ? try table.finder(connection) : nil
    try models.inSteps(connection) { model in
      let row: Row = (model, try finder?.held(model) ?? .missing)
      try unlessItWaits(row) { try write(row) }
    }
    settle()
  }

  /// Writes the models that wait, after the rows to remove are removed, and returns the changes of
  /// all models.
  ///
  /// If rows still wait for each other, it first gives them temporary values.
  ///
  /// - Throws: ``SQLiteError`` if a row that stays has the value, or two rows would get the same
  ///   value.
  func finish() throws -> StoreChanges<Model> {
    // The first pass goes backwards, so that a number that increases by one finds the next one
    // free.
    for _ in 0..<2 {
      let again = waiting
      waiting = []
      for row in again.reversed() { try unlessItWaits(row) { try write(row) } }
    }
    if isWaiting, let refusal {
      try connection.savepoint {
        do {
          try table.freeUniqueValues(of: waiting.map(\.model), connection)
        } catch let error as SQLiteError where error.code == .constraint {
          throw refusal
        }
        for row in waiting { try write(row) }
      }
      waiting = []
    }
    settle()
    return changes
  }

  /// Returns those of the models that were changed, in their order.
  func takeChanged(of models: [Model]) -> [Model] {
    let changed = changed.take()
    guard refusal != nil else { return changed }
    let ids = Set(changed.map(table.id))
    return models.filter { ids.contains(table.id($0)) }
  }

  /// Runs `body`, which writes a row, or adds the row to the waiting ones.
  private func unlessItWaits(_ row: Row, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SQLiteError where connection.canGoOn(after: error) {
      waiting.append(row)
      refusal = error
    }
  }

  private func write(_ row: Row) throws {
    if let insert {
      let writer =
        switch row.before {
        case .missing: insert
        case .model, .unreadable: update
        }
      _ = try writer.write(row.model)
    } else {
      guard try update.write(row.model) else { return }
      changed.append(row.model)
      written.isMixed = !tellsApart
    }
    guard tellsApart else { return }
    switch row.before {
    case .missing: written.stored.append(row.model)
    case .model(let before): written.updated.append(.init(before: before, after: row.model))
    case .unreadable: written.isMixed = true
    }
  }

  private func settle() {
    changes.add(written, table.id)
    written = StoreChanges()
  }
}

extension Connection {
  /// Whether a row was rejected because of another row's unique value, and the transaction
  /// continues.
  func canGoOn(after error: SQLiteError) -> Bool {
    error.resultCode == SQLITE_CONSTRAINT | 8 << 8 && !isOutsideTransaction
  }
}
