internal import Evocation
internal import Foundation

// The part of the transaction that concerns the entries.
extension SQLiteTransaction {
  var entries: any OutboxEntries { store }

  var isEmpty: Bool {
    get throws { try store.isEmpty || store.keys(of: queueName, limit: 1).isEmpty }
  }

  private func instance(_ key: String) -> Outbox.Reference {
    Outbox.Reference(queue: queueName, key: key)
  }

  func records(of key: String) throws -> [OutboxRecord<Model>] {
    try store.positions(of: instance(key)).compactMap(record)
  }

  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Model>] {
    try store.positions(referringTo: reference).compactMap(record)
  }

  func records(after position: Int64, limit: Int) throws -> [OutboxRecord<Model>] {
    try records(
      "position > ? ORDER BY position LIMIT ?",
      [.integer(position), .integer(Int64(max(0, limit)))])
  }

  func record(at position: Int64) throws -> OutboxRecord<Model>? {
    try records("position = ?", [.integer(position)]).first
  }

  private func records(
    _ condition: String, _ values: [SQLValue]
  ) throws -> [OutboxRecord<Model>] {
    guard let number = try store.knownNumber(of: queueName) else { return [] }
    let columns =
      try connection.hasWords() ? EntryRow.columns : EntryRow.columnsWithoutWords
    let sql = "SELECT \(columns) FROM evocation_entries WHERE queue = ? AND \(condition)"
    let values = [.integer(number)] + values
    return try connection.all(sql, values, action: EntryTables.reading) { [store] statement in
      EntryRowReader(
        statement: statement, queue: queueName, key: key(of:), references: store.references
      ).record()
    }
  }

  func append(_ entry: Outbox.Entry<Model>) throws -> Int64 {
    var entry = entry
    entry.position = try store.nextPosition
    let (key, number) = (key(of: entry.model), try store.number(of: queueName))
    try store.write(EntryRow.insert) { [entry] in try bind(entry, key, number: number, to: $0) }
    try store.recordAppended(entry.position, instance(key))
    try store.insertReferences(of: entry)
    return entry.position
  }

  func appendFirst(
    _ kind: Outbox.EntryKind, _ model: Model, on base: Model?, queuedAt: Date, key: String
  ) throws -> OutboxRow? {
    let (instance, position) = (instance(key), try store.nextPosition)
    guard store.index.free[instance] == nil, try store.tail(of: instance).isEmpty else {
      return nil
    }
    let row = OutboxRow(
      position: position, id: EntryID.make(), instance: instance, kind: kind,
      hasReferences: false, wasAttempted: false)
    let number = try store.number(of: queueName)
    let isAdded = try store.write(EntryRow.insertFirst) { statement in
      try bind(json: model, to: statement, at: 7)
      if let base {
        try bind(json: base, to: statement, at: 8)
      } else {
        statement.bind(.null, at: 8)
      }
      statement.bind(position, at: 1)
      statement.bind(number, at: 2)
      statement.bind(.text(key), at: 3)
      statement.bind(.text(row.id), at: 4)
      statement.bind(EntryRow.number(of: kind), at: 5)
      statement.bind(.real(StoredDate.seconds(queuedAt)), at: 6)
      statement.bind(store.index.isIndexUsed ? .integer(instance.lookup(number)) : .null, at: 9)
      statement.bind(base == nil ? .null : .text(queueName), at: 10)
    }
    guard isAdded else { return nil }
    try store.recordAppended(position, instance)
    store.index.recordFree(row)
    return row
  }

  func last(of key: String) throws -> LastEntry? {
    try store.read()
    if let row = store.index.free[instance(key)] { return .free(row) }
    guard let position = try store.positions(of: instance(key)).last else { return nil }
    let found = try record(at: position).map { last($0, key) }
    if case .free(let row)? = found { store.index.recordFree(row) }
    return found
  }

  func merge(_ kind: Outbox.EntryKind, _ model: Model, into row: OutboxRow) throws {
    let isMerged = try store.write(EntryRow.merge) { statement in
      try bind(json: model, to: statement, at: 3)
      statement.bind(row.position, at: 1)
      statement.bind(EntryRow.number(of: kind), at: 2)
    }
    guard isMerged else { return }
    var merged = row
    merged.kind = kind
    store.index.recordFree(merged)
    store.index.search(from: row.position)
  }

  func replace(_ entry: Outbox.Entry<Model>) throws {
    let (key, number) = (key(of: entry.model), try store.number(of: queueName))
    let old = try connection.first(
      "SELECT key, flags FROM evocation_entries WHERE position = ? AND queue = ?",
      [.integer(entry.position), .integer(number)], action: EntryTables.reading
    ) { statement in
      statement.text(at: 0).map { (key: $0, flags: statement.integer(at: 1)) }
    }
    guard let old else { return }
    try store.write(EntryRow.replace) { try bind(entry, key, number: number, to: $0) }
    try store.recordReplaced(entry.position, instance(old.key), by: instance(key))
    if old.flags & EntryTables.Flags.hasReferences != 0 {
      try store.deleteReferences(of: entry.position)
    }
    try store.insertReferences(of: entry)
  }

  private func bind(
    _ entry: Outbox.Entry<Model>, _ key: String, number: Int64, to statement: Statement
  ) throws {
    let values = EntryRow.values(of: entry, key, queue: number)
    try connection.check(statement.bind(values), "Binding a value")
    let models: [(Model?, Int32)] = [
      (entry.model, 7), (entry.base, 8), (entry.refreshed ?? nil, 10),
    ]
    for (model, index) in models {
      if let model { try bind(json: model, to: statement, at: index) }
    }
  }

  private func bind(json model: Model, to statement: Statement, at index: Int32) throws {
    let code = try ModelJSON.data(model).withUnsafeBytes { statement.bind(text: $0, at: index) }
    try connection.check(code, "Binding a value")
  }

  func setState(of entry: Outbox.Entry<Model>) throws {
    try store.change(
      EntryRow.setState,
      EntryRow.values(of: entry.state, since: entry.waitsSince) + [
        EntryRow.stored(entry.words), .integer(Int64(max(0, entry.attempts))),
        .integer(entry.wasAttempted ? EntryTables.Flags.wasAttempted : 0),
        .integer(entry.position), .text(entry.id),
      ])
    store.recordState(entry.position, isPending: entry.state == .pending)
  }

  func delete(_ position: Int64) throws { try store.delete(position) }

  func park(_ entry: Outbox.UnreadableEntry) throws {
    try store.change(
      EntryRow.park, [.text(entry.reason), .integer(entry.position), .text(entry.id)])
    store.recordState(entry.position, isPending: false)
  }

  func note(of model: Model) throws -> AnswerNote? {
    try store.note(of: instance(key(of: model)))
  }

  var hasNotes: Bool { get throws { try store.hasNotes(of: queueName) } }

  func setNote(_ note: AnswerNote?, of model: Model) throws {
    try store.setNote(note, of: instance(key(of: model)))
  }
}

/// Finds the models that have entries.
extension SQLiteTransaction {
  /// Up to this many instances are found by their ids, so that no other models are read.
  private static var few: Int { 256 }

  func unsent(matching criteria: Criteria) throws -> [Model] {
    var wanted = try criteria.resolved(against: table.plan.schema)
    (wanted.limit, wanted.offset) = (nil, 0)
    let keys = try store.keys(of: queueName, limit: Self.few + 1)
    if keys.isEmpty { return [] }
    if keys.count <= Self.few, let ids = table.ids(keys) {
      let isUnsent = Criteria.Predicate.isIn(Criteria.Key(table.plan.keyName), ids)
      wanted.predicate = wanted.predicate.map { .all([$0, isUnsent]) } ?? isUnsent
    }
    var (models, unreadable) = ([Model](), Set<RowKey>())
    try table.forEachRow(table.selection.query(wanted), connection) { model, row in
      guard let model else {
        unreadable.insert(table.key(row))
        return true
      }
      if try !store.positions(of: instance(key(of: model))).isEmpty { models.append(model) }
      return true
    }
    return try models + unsent(ofRows: unreadable)
  }

  /// Returns the latest unsent models of rows that cannot be decoded.
  private func unsent(ofRows keys: Set<RowKey>) throws -> [Model] {
    var (models, position) = ([RowKey: Model](), Int64.min)
    while !keys.isEmpty {
      let records = try records(after: position, limit: 1_000)
      guard let last = records.last else { break }
      for model in records.compactMap(\.entry?.model) {
        let key = try table.key(of: model, connection)
        if keys.contains(key) { models[key] = model }
      }
      position = last.position
    }
    return Array(models.values)
  }
}

extension ModelTable {
  /// Returns the ids of these keys; nil if a key does not contain the id.
  fileprivate func ids(_ keys: [String]) -> [Criteria.Scalar]? {
    guard isListable, case .scalar(let kind) = plan.columns[plan.key[0]].kind
    else { return nil }
    let ids = keys.compactMap { key -> Criteria.Scalar? in
      switch kind {
      case .integer: Int64(key).map(Criteria.Scalar.integer)
      case .text:
        key.utf8.first == UInt8(ascii: "'") ? .text(String(Substring(key.utf8.dropFirst()))) : nil
      case .uuid: UUID(uuidString: String(key.dropFirst())).map(Criteria.Scalar.uuid)
      case .bool, .unsigned, .real, .decimal, .url, .date, .data: nil
      }
    }
    return ids.count == keys.count ? ids : nil
  }
}
