internal import Evocation

/// One transaction of a database on models and entries, which its repositories share.
///
/// It collects the notifications for after the commit.
final class TransactionScope {
  let connection: Connection
  let database: SQLiteDatabase

  /// The entries of the database.
  let store: EntryStore

  private var parts: [any TransactionPart] = []

  init(_ connection: Connection, _ database: SQLiteDatabase) {
    self.connection = connection
    self.database = database
    store = EntryStore(connection, database)
  }

  /// Returns the part of a repository.
  ///
  /// All repositories of a table share one part.
  func transaction<Model>(for repository: SQLiteRepository<Model>) -> SQLiteTransaction<Model> {
    for case let part as SQLiteTransaction<Model> in parts where part.hub === repository.hub {
      return part
    }
    let part = SQLiteTransaction(repository, self)
    parts.append(part)
    return part
  }

  /// Runs `body`, and then releases the transactions, which hold the scope.
  func run<Value>(_ body: () throws -> Value) throws -> Value {
    defer { parts = [] }
    return try body()
  }

  /// Notifies observers of the changes.
  ///
  /// Called after the commit, while the writer is still held.
  func tell() {
    for part in parts { part.tell(connection.version) }
    store.keep()
    if store.hasChanged { database.queueObservers.tell() }
  }
}

/// A repository's part in a transaction, independent of its model type.
private protocol TransactionPart: AnyObject {
  /// Notifies the observers of the models of the changes.
  func tell(_ version: UInt64)
}

extension SQLiteTransaction: TransactionPart {}

/// A repository on SQLite, independent of its model type.
protocol SQLiteModelStore: AnyObject {
  /// Returns its part of a transaction of its database; nil for another database.
  func part(of scope: TransactionScope) -> Any?
}

extension SQLiteRepository: SQLiteModelStore {
  func part(of scope: TransactionScope) -> Any? {
    scope.database === database ? scope.transaction(for: self) : nil
  }
}
