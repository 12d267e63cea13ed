internal import Evocation
internal import Foundation

/// The entries of a file inside one transaction of a connection, without their models.
///
/// On the writer it changes the database's knowledge of them, which is discarded if the transaction
/// fails. On another connection it reads the latest entries again when it needs them.
final class EntryStore: OutboxEntries, TransactionPart {
  let connection: Connection
  private let database: SQLiteDatabase
  @exclusivity(unchecked) var index: EntryIndex  // read twenty times a write, and calls nothing
  private var isRead = false
  /// Whether entries, or the row that concerns all of them, were changed.
  var hasChanged = false
  private var isUsed = false

  init(_ connection: Connection, _ database: SQLiteDatabase) {
    self.connection = connection
    self.database = database
    index = EntryIndex()
  }

  /// Prepares to write.
  func prepare() throws {
    try read()
    if index.isChecked, connection.knowsWords { return }
    // A newer version of the app may have written the file in the meantime, in another process.
    try connection.checkFormat()
    try connection.makeWords()
    index.isChecked = true
  }

  /// Takes the database's knowledge, or reads the file again if another process has changed it.
  func read() throws {
    if isRead { return }
    isRead = true
    do {
      try load()
    } catch {
      // Nothing is known now, and an empty index must not count as knowledge.
      (isRead, isUsed, index) = (false, false, EntryIndex())
      throw error
    }
  }

  private func load() throws {
    guard connection.isWriting else { return }
    isUsed = true
    // Taken out for this time, so that it is changed in place and not copied.
    index = database.entryIndex.withLock { known in
      defer { known = EntryIndex() }
      return known
    }
    let version = try connection.first("PRAGMA data_version")
    guard index.dataVersion != version else { return }
    let known = index
    index = EntryIndex()
    index.dataVersion = version
    index.isCounted = known.isCounted
    try repairPositions()
    // Counting reads the whole index. It is not done when the file is opened, or after a write of
    // another process, which counts too ("start with 1,000,000 pending").
    if known.isSuspect { try countIndexedAgain() }
    try readLatest()
  }

  /// Reads the latest entries on the writer.
  func readLatest() throws {
    try readTail()
    // A file may have any content.
    if index.count >= EntryIndex.batch { try addToIndex() }
  }

  /// Reads the entries after the last one in the file's index.
  private func readTail() throws {
    var found: [(Int64, Outbox.Reference)] = []
    let sql = """
      SELECT position, name, key, lookup FROM evocation_entries LEFT JOIN evocation_queues ON number = \
      queue ORDER BY position DESC
      """
    try connection.rows(sql, [], action: EntryTables.reading) { statement in
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

  /// Returns the instance that the columns of the queue's name and the key identify; nil if they do
  /// not.
  func instance(_ statement: Statement, at column: Int32) -> Outbox.Reference? {
    statement.text(at: column).flatMap { queue in
      statement.text(at: column + 1).map { Outbox.Reference(queue: queue, key: $0) }
    }
  }

  /// Corrects positions that no version of the library has assigned, so that a next position
  /// exists.
  private func repairPositions() throws {
    let wrong = "position < 1 OR position >= \(Int64.max / 2)"
    let positions = try positions(
      "SELECT position FROM evocation_entries WHERE \(wrong) ORDER BY position", [])
    if positions.isEmpty { return }
    var last =
      try connection.integer("SELECT max(position) FROM evocation_entries WHERE NOT (\(wrong))")
      ?? 0
    for position in positions {
      last += 1
      for table in ["evocation_entries", "evocation_references"] {
        try connection.run(
          "UPDATE OR REPLACE \(table) SET position = ? WHERE position = ?",
          [.integer(last), .integer(position)], action: EntryTables.writing)
      }
    }
  }

  /// Makes the entries that the file's index does not have known on any connection.
  func knowTail() throws {
    try read()
    if !connection.isWriting, index.count == 0, !index.isIndexUsed { try readTail() }
  }

  /// Returns the positions of the entries of an instance that the file's index does not have.
  func tail(of instance: Outbox.Reference) throws -> [Int64] {
    try knowTail()
    return index.tail(of: instance)
  }

  func tell(_: UInt64, _: inout ChangedTables?) {
    keep()
    if hasChanged { database.queueObservers.tell() }
  }

  /// Returns the knowledge to the database.
  ///
  /// Called after the transaction has been committed.
  func keep() {
    if isUsed { database.entryIndex.withLock { $0 = index } }
    isUsed = false
  }
}
