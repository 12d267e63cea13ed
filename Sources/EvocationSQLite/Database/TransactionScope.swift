internal import Evocation

/// One transaction of a database, which its repositories share.
///
/// Every write uses one. It collects what to report after the commit.
final class TransactionScope {
  let connection: Connection
  let database: SQLiteDatabase

  /// Whether SQL of the app has changed rows, so that it is unknown which.
  var isUnknown = false

  private var parts: [any TransactionPart] = []

  init(_ connection: Connection, _ database: SQLiteDatabase) {
    self.connection = connection
    self.database = database
  }

  /// Returns the part that fits, or else a new one.
  func part<Part: TransactionPart>(
    where fits: (Part) -> Bool = { _ in true }, orElse make: () -> Part
  ) -> Part {
    for case let part as Part in parts where fits(part) { return part }
    let part = make()
    parts.append(part)
    return part
  }

  /// Runs `body`, and then releases the parts, which hold the scope.
  func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    defer { parts = [] }
    return try body()
  }

  /// Notifies observers of the changes.
  ///
  /// Called after the commit, while the writer is still held.
  func tell() {
    if isUnknown {
      // The SQL may have changed the entries of the outbox.
      database.entryIndex.withLock { $0 = EntryIndex(isSuspect: true) }
      database.tellUnknown(version: connection.version)
    }
    var others = connection.takeAlsoChanged()
    for part in parts { part.tell(connection.version, &others) }
    if let others, !isUnknown { database.tellUnknown(others, version: connection.version) }
  }
}

/// What a repository or the outbox does in a transaction.
protocol TransactionPart: AnyObject {
  /// Notifies observers of the changes of the commit with this number.
  ///
  /// It takes its own table out of those that triggers and foreign keys changed.
  func tell(_ version: UInt64, _ others: inout ChangedTables?)
}

extension SQLiteDatabase {
  /// Runs a transaction, notifies observers before another commit is possible, and returns the
  /// number of the commit.
  func transaction<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (TransactionScope) throws -> Value
  ) async throws -> (value: Value, version: UInt64) {
    try await writing(isShort: isShort) { connection in
      let scope = TransactionScope(connection, self)
      return try scope.run {
        let value = try self.watch.transaction(connection) { _ in try body(scope) }
        scope.tell()
        return (value, connection.version)
      }
    }
  }
}
