internal import Evocation
internal import Foundation

/// The entries of a file within one transaction of a connection, without their models.
///
/// On the writer it changes what the database knows of them, which is forgotten when the transaction is not
/// kept. On another connection it reads the last entries anew, when they are needed.
final class EntryStore: OutboxEntries {
  let connection: Connection
  private let database: SQLiteDatabase
  @exclusivity(unchecked) var index: EntryIndex  // asked twenty times a write, and calls nothing
  private var isRead = false
  /// Whether entries, or what concerns all of them, were changed.
  var hasChanged = false
  private var isUsed = false

  init(_ connection: Connection, _ database: SQLiteDatabase) {
    self.connection = connection
    self.database = database
    index = EntryIndex()
  }

  /// Whether the tables are there.
  func isThere() throws -> Bool {
    try read()
    return index.isThere
  }

  /// Makes the tables where they are missing.
  func make() throws {
    let isThere = try isThere()
    if !index.isChecked {
      // A newer version of the app may have written it meanwhile, in a process of its own.
      _ = try connection.checkOutboxFormat()
      index.isChecked = true
    }
    if isThere { return }
    try EntryTables.make(connection)
    index.isThere = true
  }

  /// Takes what the database knows, or reads it where another process has changed the file.
  func read() throws {
    if isRead { return }
    isRead = true
    do {
      try load()
    } catch {
      // Nothing is known, and must not be taken for what is.
      (isRead, isUsed, index) = (false, false, EntryIndex())
      throw error
    }
  }

  private func load() throws {
    guard connection.isWriting else {
      index.isThere = try EntryTables.areThere(connection)
      return
    }
    isUsed = true
    // Taken out meanwhile, so that it is changed and not copied.
    index = database.entryIndex.withLock { known in
      defer { known = EntryIndex() }
      return known
    }
    let version = try connection.first("PRAGMA data_version")
    guard index.dataVersion != version || !index.isThere else { return }
    let known = index
    index = EntryIndex()
    index.dataVersion = version
    index.isCounted = known.isCounted
    index.isThere = try EntryTables.areThere(connection)
    guard index.isThere else { return }
    try repairPositions()
    // It reads the whole index: not when the file is opened, nor where another process has written, which
    // counts too ("start with 1,000,000 pending").
    if known.isSuspect { try countIndexedAgain() }
    try readTail()
    // A file may hold anything.
    if index.positions.count >= EntryIndex.batch { try addToIndex() }
  }

  /// Reads the entries behind the last one that the file's index has.
  func readTail() throws {
    var found: [(Int64, Outbox.Reference)] = []
    let sql = """
      SELECT position, name, key, lookup FROM evocation_entries LEFT JOIN evocation_queues ON number = \
      queue ORDER BY position DESC
      """
    try connection.rows(sql, [], EntryTables.reading) { statement in
      let position = statement.integer(at: 0)
      index.last = max(index.last, position)
      if statement.value(at: 3) != .null {
        index.isIndexUsed = true
        return false
      }
      found.append((position, instance(statement, at: 1) ?? .unnamed(position)))
      return true
    }
    for (position, instance) in found.reversed() { index.append(position, instance) }
  }

  /// The instance that two columns of a row name, the queue's name and the key; nil where they name none.
  func instance(_ statement: Statement, at column: Int32) -> Outbox.Reference? {
    guard case .text(let queue) = statement.value(at: column),
      case .text(let key) = statement.value(at: column + 1)
    else { return nil }
    return Outbox.Reference(queue: queue, key: key)
  }

  /// Gives positions to entries whose own no version of the library has given, so that a next one is found.
  private func repairPositions() throws {
    let wrong = "position < 1 OR position >= \(Int64.max / 2)"
    guard try connection.first("SELECT 1 FROM evocation_entries WHERE \(wrong) LIMIT 1") != nil
    else {
      return
    }
    var positions: [Int64] = []
    try connection.rows(
      "SELECT position FROM evocation_entries WHERE \(wrong) ORDER BY position", [],
      EntryTables.reading
    ) { statement in
      positions.append(statement.integer(at: 0))
      return true
    }
    var last: Int64 = 0
    if case .integer(let position)? = try connection.first(
      "SELECT max(position) FROM evocation_entries WHERE NOT (\(wrong))")
    {
      last = position
    }
    for position in positions {
      last += 1
      for table in ["evocation_entries", "evocation_references"] {
        try connection.run(
          "UPDATE OR REPLACE \(table) SET position = ? WHERE position = ?",
          [.integer(last), .integer(position)], EntryTables.writing)
      }
    }
  }

  /// The positions of the entries on an instance that the file's index does not have.
  func tail(of instance: Outbox.Reference) throws -> [Int64] {
    if !connection.isWriting, index.positions.isEmpty, !index.isIndexUsed { try readTail() }
    return index.tail(of: instance)
  }

  /// Gives what is known back to the database; called once the transaction is kept.
  func keep() {
    if isUsed { database.entryIndex.withLock { $0 = index } }
    isUsed = false
  }
}
