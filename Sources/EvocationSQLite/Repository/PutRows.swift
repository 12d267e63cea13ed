internal import Evocation

/// Models that a transaction inserts or updates, in an order that their unique values allow.
struct PutRows<Model: Codable & Identifiable & Sendable> {
  private let table: ModelTable<Model>
  private let connection: Connection
  private let tellsApart: Bool
  private var changes = StoreChanges<Model>()
  private var waiting = WaitingRows<Model>()

  /// Creates it.
  ///
  /// `tellingApart` distinguishes stored and updated models, which only observers need.
  init(_ table: ModelTable<Model>, _ connection: Connection, tellingApart: Bool) {
    self.table = table
    self.connection = connection
    tellsApart = tellingApart
  }

  /// Whether models wait for rows that are removed before ``finish()``.
  var isWaiting: Bool { waiting.error != nil }

  /// Writes the models, each once, except those that have to wait.
  mutating func write(_ models: [Model]) throws {
    if models.isEmpty { return }
    if isWaiting {
      let ids = Set(models.map(table.id))
      waiting.forget { ids.contains(table.id($0)) }
    }
    guard tellsApart else {
      // An observer that begins during the write gets an unknown change.
      changes.isMixed = true
      _ = try table.write(
        models, table.upsert, table.upsertMany, connection, waiting: &waiting)
      return
    }
    let writers = try writers
    let finder = try table.finder(connection)
    var written = StoreChanges<Model>()
    try models.inSteps(connection) { model in
      let before = try finder.held(model)
      try waiting.write(model, before: before, connection) {
        try writers.write((model, before), &written)
      }
    }
    changes.add(written, table.id)
  }

  /// Writes the models that wait, and returns the changes of all models.
  mutating func finish() throws -> StoreChanges<Model> {
    guard isWaiting else { return changes }
    let (table, connection, tellsApart) = (table, connection, tellsApart)
    let writers = try writers
    let upsert = try table.writer(table.upsert, connection)
    var written = StoreChanges<Model>()
    try waiting.writeAll(connection) { models in
      try table.freeUniqueValues(of: models, connection)
    } _: { row in
      if tellsApart {
        try writers.write(row, &written)
      } else {
        _ = try upsert.write(row.model)
      }
    }
    changes.add(written, table.id)
    return changes
  }

  private var writers: Writers {
    get throws {
      Writers(
        inserts: try table.writer(table.insert, connection),
        updates: try table.writer(table.update, connection))
    }
  }

  private struct Writers {
    let inserts: RowWriter<Model>
    let updates: RowWriter<Model>

    func write(_ row: WaitingRows<Model>.Row, _ changes: inout StoreChanges<Model>) throws {
      if let before = row.before {
        _ = try updates.write(row.model)
        changes.updated.append(.init(before: before, after: row.model))
      } else {
        _ = try inserts.write(row.model)
        changes.stored.append(row.model)
      }
    }
  }
}
