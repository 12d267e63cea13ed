internal import Evocation
internal import Foundation

// What concerns the entries.
extension SQLiteTransaction {
  private var outbox: OutboxTable { OutboxTable(connection) }

  var isEmpty: Bool {
    get throws { try !hasQueue() || connection.first(queue.any) == nil }
  }

  func records(of key: String) throws -> [OutboxRecord<Model>] {
    // Most instances have none, which is told by less ("storeOne, by the outbox").
    guard try hasQueue(), try hasEntries(key) else { return [] }
    let last = try records(queue.lastOfKey, [.text(key)])
    var records = try records(queue.ofKey, [.text(key)])
    // What stands behind the end of the keys may be among them.
    if let first = last.first {
      records.removeAll { $0.position >= first.position }
      records += last
    }
    return records
  }

  func hasRecords(of reference: Outbox.Reference) throws -> Bool {
    // SQL ends at a NUL, so no table has one in its name.
    guard !reference.queue.utf8.contains(0),
      try QueueTable.isThere(reference.queue, connection)
    else { return false }
    return try connection.first(QueueTable.hasKey(reference.queue), [.text(reference.key)]) != nil
  }

  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Model>] {
    try records(queue.referring, [.text(reference.queue), .text(reference.key)])
  }

  func records(
    after position: Int64, onlyHeads: Bool, limit: Int
  ) throws -> [OutboxRecord<Model>] {
    try records(
      onlyHeads ? queue.heads : queue.after,
      [.integer(position), .integer(Int64(max(0, limit)))])
  }

  private func records(_ sql: String, _ values: [SQLValue]) throws -> [OutboxRecord<Model>] {
    guard try hasQueue() else { return [] }
    var records: [OutboxRecord<Model>] = []
    try connection.rows(sql, values, OutboxTable.reading) { statement in
      records.append(
        QueueRowReader(statement: statement, queue: queue.queue, key: key(of:)).record())
      return true
    }
    return records
  }

  func append(_ entry: Outbox.Entry<Model>) throws -> Int64 {
    try write(queue.insert) { try bind(entry, to: $0) }
    let position = connection.lastRow
    if position % QueueTable.batch == 0 { try change(queue.addKeys, [.integer(position)]) }
    try outbox.insert(entry.references, of: queue.queue, position)
    return position
  }

  func replace(_ entry: Outbox.Entry<Model>) throws {
    try write(queue.replace) { statement in
      try bind(entry, to: statement)
      statement.bind(entry.position, at: statement.parameterCount)
    }
    guard connection.changes > 0 else { return }
    try outbox.deleteReferences(of: queue.queue, entry.position)
    try outbox.insert(entry.references, of: queue.queue, entry.position)
  }

  private func bind(_ entry: Outbox.Entry<Model>, to statement: Statement) throws {
    try QueueRow.bind(entry, key(of: entry.model), to: statement, connection) {
      try table.bindJSON($0, to: statement, at: $1, connection)
    }
  }

  func setState(of entry: Outbox.Entry<Model>) throws {
    try write(queue.setState) { try QueueRow.bindState(of: entry, to: $0, connection) }
  }

  func delete(_ position: Int64) throws {
    try change(queue.delete, [.integer(position)])
    try outbox.deleteReferences(of: queue.queue, position)
  }

  func park(_ entry: Outbox.UnreadableEntry) throws {
    try change(queue.park, [.text(entry.reason), .integer(entry.position), .text(entry.id)])
  }

  func reviveUnreadable() throws {
    guard try hasQueue() else { return }
    try change(queue.revive, [])
  }

  private func change(_ sql: String, _ values: [SQLValue]) throws {
    try write(sql) { try connection.check($0.bind(values), "Binding a value") }
  }

  /// Runs a statement that changes entries, after `bind` has given it its values.
  private func write(_ sql: String, _ bind: (Statement) throws -> Void) throws {
    try makeQueue()
    let statement = try connection.statement(sql, OutboxTable.writing)
    defer { statement.reset() }
    try bind(statement)
    _ = try connection.step(statement, OutboxTable.writing)
    if connection.changes > 0 { scope.hasChangedQueue = true }
  }

  func count() throws -> OutboxCount {
    guard try hasQueue(), case .integer(let all)? = try connection.first(queue.count),
      case .integer(let parked)? = try connection.first(queue.countParked)
    else { return OutboxCount() }
    var oldest: Date?
    try connection.rows(queue.oldest, [], OutboxTable.reading) { statement in
      oldest = StoredDate.read(statement, at: 0)
      return false
    }
    return OutboxCount(
      pending: Int(max(0, all - parked)), parked: Int(parked), oldest: oldest)
  }

  var lease: OutboxLease? {
    get throws { try connection.checkOutboxFormat() ? outbox.lease() : nil }
  }

  func setLease(_ lease: OutboxLease?) throws {
    try makeQueue()
    try outbox.setLease(lease)
    scope.hasChangedQueue = true
  }

  var isHeld: Bool {
    get throws { try connection.checkOutboxFormat() && outbox.isHeld() }
  }

  func setHeld(_ isHeld: Bool) throws {
    try makeQueue()
    try outbox.setHeld(isHeld)
    scope.hasChangedQueue = true
  }
}

/// Which models have entries.
extension SQLiteTransaction {
  /// Up to so many instances are looked for by their ids, and models are not read for nothing.
  private static var few: Int { 256 }

  func unsent(matching criteria: Criteria) throws -> [Model] {
    var wanted = try criteria.resolved(against: table.plan.schema)
    (wanted.limit, wanted.offset) = (nil, 0)
    let keys = try someKeys(Self.few + 1)
    if keys.isEmpty { return [] }
    let known = keys.count > Self.few ? nil : Set(keys.map(ByteText.init))
    if known != nil, let ids = table.ids(keys) {
      let isUnsent = Criteria.Predicate.isIn("id", ids)
      wanted.predicate = wanted.predicate.map { .all([$0, isUnsent]) } ?? isUnsent
    }
    var models: [Model] = []
    try table.forEach(table.selection.query(wanted), connection) { model in
      let key = key(of: model)
      let isUnsent = try known?.contains(ByteText(key)) ?? hasEntries(key)
      if isUnsent { models.append(model) }
      return true
    }
    return models
  }

  private func hasEntries(_ key: String) throws -> Bool {
    try connection.first(queue.hasKey, [.text(key)]) != nil
  }

  /// The keys of some instances that have entries.
  private func someKeys(_ limit: Int) throws -> [String] {
    guard try hasQueue() else { return [] }
    var keys: [String] = []
    try connection.rows(queue.keys, [.integer(Int64(limit))], OutboxTable.reading) { statement in
      if case .text(let key) = statement.value(at: 0) { keys.append(key) }
      return true
    }
    return keys
  }
}

extension ModelTable {
  /// The ids whose keys these are; nil where a key does not tell the id.
  fileprivate func ids(_ keys: [String]) -> [Criteria.Scalar]? {
    guard plan.key.count == 1, plan.columns[plan.key[0]].name == "id",
      case .scalar(let kind) = plan.columns[plan.key[0]].kind
    else { return nil }
    let ids = keys.compactMap { key -> Criteria.Scalar? in
      switch kind {
      case .integer: Int64(key).map(Criteria.Scalar.integer)
      case .text: key.first == "'" ? .text(String(key.dropFirst())) : nil
      case .uuid: UUID(uuidString: String(key.dropFirst())).map(Criteria.Scalar.uuid)
      case .bool, .unsigned, .real, .decimal, .url, .date, .data: nil
      }
    }
    return ids.count == keys.count ? ids : nil
  }
}
