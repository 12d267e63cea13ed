internal import Evocation
internal import Foundation

// Functions that find entries.
extension EntryStore {
  /// Returns the positions of the entries of an instance, in order.
  func positions(of instance: Outbox.Reference) throws -> [Int64] {
    // SQL ends at a NUL, so no table has one in its name.
    guard !instance.queue.utf8.contains(0), let number = try knownNumber(of: instance.queue) else {
      return []
    }
    let last = try tail(of: instance)
    guard index.isIndexUsed else { return last }
    let sql = """
      SELECT position FROM evocation_entries WHERE lookup = ? AND queue = ? AND key = ? ORDER BY position
      """
    return try positions(
      sql, [.integer(instance.lookup(number)), .integer(number), .text(instance.key)]) + last
  }

  /// Returns the positions of the entries whose model or base refers to an instance.
  func positions(referringTo instance: Outbox.Reference) throws -> [Int64] {
    try positions(
      """
      SELECT DISTINCT position FROM evocation_references WHERE queue = ? AND key = ? ORDER BY position
      """, instance.values)
  }

  func positions(_ sql: String, _ values: [SQLValue]) throws -> [Int64] {
    try connection.all(sql, values, action: EntryTables.reading) { $0.integer(at: 0) }
  }

  /// Returns the keys of some instances of a queue that have entries.
  func keys(of queue: String, limit: Int) throws -> [String] {
    guard let number = try knownNumber(of: queue) else { return [] }
    try knowTail()
    var keys: Set<ByteText> = []
    for instance in index.tail.keys where instance.queue.hasSameBytes(as: queue) {
      keys.insert(ByteText(instance.key))
      if keys.count == limit { return keys.map(\.text) }
    }
    guard index.isIndexUsed else { return keys.map(\.text) }
    try connection.rows(
      "SELECT key FROM evocation_entries WHERE lookup BETWEEN ? AND ?",
      [.integer(number << 32), .integer(number << 32 | 0xFFFF_FFFF)], action: EntryTables.reading
    ) { statement in
      if let key = statement.text(at: 0) { keys.insert(ByteText(key)) }
      return keys.count < limit
    }
    return keys.map(\.text)
  }

  var isEmpty: Bool {
    get throws {
      try connection.first("SELECT 1 FROM evocation_entries LIMIT 1") == nil
    }
  }

  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow] {
    var start = positions.lowerBound
    while true {
      let bounds = [start, positions.upperBound, Int64(limit)]
      let (rows, unnamed) = try named(
        Self.pending(isUtility: isUtility), bounds.map { .integer($0) })
      // Others may be behind those that identify no instance.
      guard rows.isEmpty, let last = unnamed.last, last < positions.upperBound else { return rows }
      start = last.addingClamped(1)
    }
  }

  /// The condition of pending entries of one priority within positions, and their order.
  ///
  /// The index of states has those of low urgency in this order, because they wait for no time.
  static func pending(isUtility: Bool) -> String {
    let state = isUtility ? "state = 0 AND until IS NULL" : "state IS NULL"
    return "\(state) AND position BETWEEN ? AND ? ORDER BY position LIMIT ?"
  }

  func due(by date: Date, limit: Int) throws -> [OutboxRow] {
    let seconds = SQLValue.real(StoredDate.seconds(date))
    // An invalid date must not keep an entry forever.
    return try rows(
      """
      state = 1 AND (until <= ? OR since > ? OR until IS NULL OR typeof(until) <> 'real' OR until > \
      \(StoredDate.seconds(.distantFuture))) ORDER BY until LIMIT ?
      """, [seconds, seconds, .integer(Int64(limit))])
  }

  /// Returns the entries that a condition selects, without those that identify no instance.
  func rows(_ condition: String, _ values: [SQLValue] = []) throws -> [OutboxRow] {
    try named(condition, values).rows
  }

  /// Returns the entries that a condition selects, and the positions of those that identify no
  /// instance.
  private func named(
    _ condition: String, _ values: [SQLValue]
  ) throws -> (rows: [OutboxRow], unnamed: [Int64]) {
    try read()
    var (isAstray, unnamed) = (false, [Int64]())
    let sql = """
      SELECT position, id, (SELECT name FROM evocation_queues WHERE number = queue), key, kind, flags, \
      lookup, queue, unit, CASE WHEN \(Self.isParked) THEN ifnull(reason, '') END, attempts, state = 0 \
      OR state = 1 AND flags & \(EntryTables.Flags.isUtility) FROM evocation_entries WHERE \(condition)
      """
    let rows = try connection.all(sql, values, action: EntryTables.reading) {
      statement -> OutboxRow? in
      let (position, flags) = (statement.integer(at: 0), statement.integer(at: 5))
      guard let instance = instance(statement, at: 2) else {
        unnamed.append(position)
        return nil
      }
      let number = statement.integer(at: 7)
      isAstray =
        isAstray || !isFound(position, instance, lookup: statement.value(at: 6), queue: number)
      let unit: Int64? =
        if case .integer(let unit) = statement.value(at: 8), unit <= position { unit } else { nil }
      // An unreadable entry is detected when it is to be sent.
      return OutboxRow(
        position: position, id: statement.text(at: 1) ?? "", instance: instance,
        kind: EntryRow.kind(statement.integer(at: 4)) ?? .update,
        hasReferences: flags & EntryTables.Flags.hasReferences != 0,
        wasAttempted: flags & EntryTables.Flags.wasAttempted != 0,
        unit: unit, isUtility: statement.value(at: 11) == .integer(1),
        parked: statement.text(at: 9),
        attempts: max(0, Int(clamping: statement.integer(at: 10))))
    }
    if connection.isWriting {
      if isAstray { try putIndexRight() }
      // An entry that identifies no instance can neither wait nor be sent.
      for position in unnamed {
        try change(
          "UPDATE evocation_entries SET state = 3, reason = ? WHERE position = ?",
          [.text("Reading an entry failed: it does not say what it is on."), .integer(position)])
      }
    }
    return (rows, unnamed)
  }

  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow] {
    guard let number = try knownNumber(of: queue) else { return [] }
    return try rows(
      "position > ? AND queue = ? ORDER BY position LIMIT ?",
      [.integer(position), .integer(number), .integer(Int64(limit))])
  }

  func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow] {
    try positions(of: instance).filter { $0 >= position }.flatMap {
      try rows("position = ?", [.integer($0)])
    }
  }

  func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow] {
    // The entries of a unit are adjacent, so no index is needed.
    var (found, next) = ([OutboxRow](), unit)
    while found.count < limit {
      let rows = try rows(from: next, limit: min(limit - found.count, 200))
      let own = rows.prefix { $0.unit == unit }
      found += own
      guard let last = own.last, own.count == rows.count else { break }
      next = last.position.addingClamped(1)
    }
    return found
  }

  func row(from position: Int64) throws -> OutboxRow? { try rows(from: position, limit: 1).first }

  private func rows(from position: Int64, limit: Int) throws -> [OutboxRow] {
    try rows(
      "position >= ? ORDER BY position LIMIT ?",
      [.integer(position), .integer(Int64(limit))])
  }

  func row(withID id: String) throws -> OutboxRow? {
    try rows("id = ? LIMIT 1", [.text(id)]).first
  }

  func nextDue() throws -> Date? {
    try connection.first(
      "SELECT min(until) FROM evocation_entries WHERE state = 1", [], action: EntryTables.reading
    ) { StoredDate.read($0, at: 0) }
  }

  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>? {
    let positions = try positions(of: instance)
    return positions.first.flatMap { first in positions.last.map { first...max(first, $0) } }
  }

  func references(of position: Int64) throws -> [Outbox.Reference] {
    try references(of: position, isFormer: false)
  }

  func references(of position: Int64, isFormer: Bool) throws -> [Outbox.Reference] {
    try connection.all(
      "SELECT queue, key FROM evocation_references WHERE position = ? AND isFormer = ?",
      [.integer(position), .integer(isFormer ? 1 : 0)], action: EntryTables.reading
    ) { instance($0, at: 0) }
  }

  func firstReferring(
    to instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Int64? {
    let sql = """
      SELECT position FROM evocation_references WHERE queue = ? AND key = ? AND position BETWEEN ? AND ? \
      ORDER BY position LIMIT 1
      """
    let ends: [SQLValue] = [.integer(positions.lowerBound), .integer(positions.upperBound)]
    return try connection.integer(sql, instance.values + ends)
  }
}
