internal import Evocation
internal import Foundation

// Entries of a table that is renamed.
extension Connection {
  private static let moving = "Renaming the table of unsent writes"

  /// Runs `body`, and then has the entries of each table that it renamed follow.
  ///
  /// A trigger stays with its table, whatever that is called. So for each table with entries there is
  /// one meanwhile, which does nothing, and lies in no file: it belongs to the connection.
  func keepingQueues<Value>(_ body: () throws -> Value) throws -> Value {
    let queues = try tablesByQueue().sorted { $0.key < $1.key }
    defer {
      for index in queues.indices {
        try? execute("DROP TRIGGER IF EXISTS temp.evocation_follows_\(index)", Self.moving)
      }
    }
    for (index, queue) in queues.enumerated() {
      try execute(
        "CREATE TEMP TRIGGER evocation_follows_\(index) AFTER DELETE ON main.\(queue.value.quoted) "
          + "WHEN 0 BEGIN SELECT 1; END", Self.moving)
    }
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !isOutsideTransaction else { return value }
    for (index, queue) in queues.enumerated() {
      let table = try first(
        "SELECT tbl_name FROM sqlite_temp_schema WHERE name = 'evocation_follows_\(index)'")
      if case .text(let table)? = table { try move(queue.key, to: table.lowercased()) }
    }
    return value
  }

  /// The tables that have a table of entries, by the names of their queues.
  private func tablesByQueue() throws -> [String: String] {
    let prefix = QueueTable.name(of: "")
    let queues = try tables().filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    if queues.isEmpty { return [:] }
    return Dictionary(
      try tables().filter { queues.contains($0.lowercased()[...]) }.map { ($0.lowercased(), $0) }
    ) { first, _ in first }
  }

  private func tables() throws -> [String] {
    var names: [String] = []
    let sql = """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'
      """
    try rows(sql, [], Self.moving) { statement in
      if case .text(let name) = statement.value(at: 0) { names.append(name) }
      return true
    }
    return names
  }

  /// Gives a queue another name, unless the migration has made its table anew.
  private func move(_ queue: String, to new: String) throws {
    let tables = try tables()
    guard queue != new, !tables.contains(where: { $0.lowercased() == queue }) else { return }
    let isTaken = tables.contains(QueueTable.name(of: new))
    guard tables.contains(QueueTable.name(of: queue)) else {
      // The migration has renamed it too.
      if isTaken { try QueueTable(table: new).takeOver(queue, self) }
      return
    }
    guard !isTaken else {
      throw SQLiteError(
        .schemaMismatch,
        "\(Self.moving) \(queue.quoted) to \(new.quoted) failed: there are unsent writes of a table "
          + "of that name already; give it another one, or send them before.")
    }
    try QueueTable(table: new).takeOver(queue, self)
    let owner = "UPDATE evocation_outbox_references SET owner = ? WHERE owner = ?"
    try run(owner, [.text(new), .text(queue)], Self.moving)
    try renameReferences(to: queue, new)
    let key = "UPDATE evocation_outbox_references SET queue = ? WHERE queue = ?"
    try run(key, [.text(new), .text(queue)], Self.moving)
  }

  /// Changes the entries that wait for those of a queue.
  private func renameReferences(to queue: String, _ new: String) throws {
    var waiting: [(owner: String, position: Int64)] = []
    let sql = "SELECT DISTINCT owner, position FROM evocation_outbox_references WHERE queue = ?"
    try rows(sql, [.text(queue)], Self.moving) { statement in
      if case .text(let owner) = statement.value(at: 0) {
        waiting.append((owner, statement.integer(at: 1)))
      }
      return true
    }
    for (owner, position) in waiting where try QueueTable.isThere(owner, self) {
      let table = QueueTable.name(of: owner).quoted
      // What cannot be read stays, and is found unreadable with its entry.
      guard
        case .text(let json)? = try first(
          "SELECT refs FROM \(table) WHERE position = ?", [.integer(position)]),
        var references = try? JSONDecoder().decode([Outbox.Reference].self, from: Data(json.utf8))
      else { continue }
      for index in references.indices where references[index].queue == queue {
        references[index].queue = new
      }
      let renamed = String(decoding: try JSONEncoder().encode(references), as: UTF8.self)
      try run(
        "UPDATE \(table) SET refs = ? WHERE position = ?", [.text(renamed), .integer(position)],
        Self.moving)
    }
  }
}
