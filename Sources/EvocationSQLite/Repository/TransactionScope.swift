internal import Evocation

/// One transaction of a database on models and entries, which its repositories share.
///
/// It gathers what is to be told after the commit.
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

  /// The part of a repository; there is one for all repositories of a table.
  func transaction<Model>(for repository: SQLiteRepository<Model>) -> SQLiteTransaction<Model> {
    for case let part as SQLiteTransaction<Model> in parts where part.hub === repository.hub {
      return part
    }
    let part = SQLiteTransaction(repository, self)
    parts.append(part)
    return part
  }

  /// Runs `body`, and then parts with the transactions, which hold the scope.
  func run<Value>(_ body: () throws -> Value) throws -> Value {
    defer { parts = [] }
    return try body()
  }

  /// Tells what was changed; called after the commit, while the writer is still held.
  func tell() {
    for part in parts { part.tell(connection.version) }
    store.keep()
    if store.hasChanged { database.queueObservers.tell() }
  }
}

/// What a repository has to do with a transaction, whatever its model type.
private protocol TransactionPart: AnyObject {
  /// Tells the observers of the models what was changed.
  func tell(_ version: UInt64)
}

extension SQLiteTransaction: TransactionPart {}

/// A repository on SQLite, whatever its model type.
protocol SQLiteModelStore: AnyObject {
  /// Its part of a transaction of its database; nil where it is of another database.
  func part(of scope: TransactionScope) -> Any?
}

extension SQLiteRepository: SQLiteModelStore {
  func part(of scope: TransactionScope) -> Any? {
    scope.database === database ? scope.transaction(for: self) : nil
  }
}
