internal import Evocation

/// The models and the entries of one repository in a transaction.
///
/// All repositories of a table share one.
final class SQLiteTransaction<Model: Codable & Identifiable & Sendable>: OutboxTransaction,
  TransactionPart
{
  let hub: ChangeHub<Model>
  let table: ModelTable<Model>
  let scope: TransactionScope
  /// Whether an observer needs the changes; otherwise it is only recorded that there are any.
  let isObserved: Bool
  private var changes: [StoreChanges<Model>] = []
  /// The models whose rows were found to be such that the type cannot decode them.
  private var unreadable: Set<ModelID> = []
  /// Reads rows by the keys of models; nil before the first one.
  private var finder: RowFinder<Model>?

  init(_ repository: SQLiteRepository<Model>, _ scope: TransactionScope) {
    hub = repository.hub
    table = repository.table
    isObserved = hub.changes.isObserved
    self.scope = scope
  }

  var connection: Connection { scope.connection }

  var queueName: String { table.queueName }

  /// The entries of the database.
  private(set) lazy var store = scope.part { EntryStore(connection, scope.database) }

  /// Reports changes to the observers once they are committed.
  func report(_ changes: StoreChanges<Model>) {
    let isNeeded = isObserved || self.changes.isEmpty
    if isNeeded, !changes.isEmpty { self.changes.append(changes) }
  }

  /// Notifies the observers of the models.
  func tell(_ version: UInt64, _ others: inout ChangedTables?) {
    let isAlsoChanged = others?.remove(table.queueName) == true
    guard hub.changes.isObserved else { return }
    var all = StoreChanges(changes, table.id)
    // A trigger or a foreign key changed other rows of the table.
    if isAlsoChanged { all.isMixed = true }
    // An observer that began during the transaction gets an unknown change.
    if !isObserved { all.isMixed = !all.isEmpty }
    if let change = all.asRepositoryChange(version: version) { hub.changes.tell(change) }
  }

  func key(of model: Model) -> String { table.id(model).key.text }

  func held(_ model: Model) throws -> Model? { try held([model])[0] }

  func held(_ models: [Model]) throws -> [Int: Model] {
    let finder = try self.finder ?? table.finder(connection)
    self.finder = finder
    var held: [Int: Model] = [:]
    try finder.forEach(models) { place, row in
      held[place] = row
      if row == nil { unreadable.insert(table.id(models[place])) }
    }
    return held
  }

  func hasUnreadable(_ model: Model) -> Bool { unreadable.contains(table.id(model)) }

  func insert(_ model: Model) throws -> Bool {
    guard try table.writer(table.insert, connection).write(model) else {
      guard try table.finder(connection).finds(model) else { throw table.leftOut(connection) }
      return false
    }
    report(StoreChanges(stored: [model]))
    return true
  }

  func put(_ model: Model, before: Model?) throws {
    _ = try table.writer(table.upsert, connection).write(model)
    if unreadable.remove(table.id(model)) != nil { return report(StoreChanges(isMixed: true)) }
    let update = before.map { RepositoryChange.Update(before: $0, after: model) }
    report(update.map { StoreChanges(updated: [$0]) } ?? StoreChanges(stored: [model]))
  }

  func remove(_ model: Model) throws {
    guard try table.writer(table.remove, connection, of: table.keyColumns).write(model) else {
      return
    }
    try table.unlist([model], connection)
    let isUnknown = unreadable.remove(table.id(model)) != nil
    report(StoreChanges(removed: [model], isMixed: isUnknown))
  }

  /// Changes the key of a row in place, so that no reference points to a missing row.
  ///
  /// SQLite checks foreign keys when the transaction ends.
  func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws {
    let present = try self.held(new)
    if hasUnreadable(new) { try remove(new) }
    if present == nil {
      try connection.execute("PRAGMA defer_foreign_keys = ON", "Giving a row another key")
      try table.rekey(held, to: new, connection: connection)
      try table.unlist([held], connection)
    }
    try put(new, before: present)
    try rekey()
    if present == nil {
      report(StoreChanges(removed: [held]))
    } else {
      try remove(held)
    }
  }

  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    (repository as? any SQLiteModelStore)?.part(of: scope) as? any OutboxTransaction<Other>
  }
}

/// A repository on SQLite, independent of its model type.
protocol SQLiteModelStore: AnyObject {
  /// Returns its part of a transaction of its database; nil for another database.
  func part(of scope: TransactionScope) -> Any?
}

extension SQLiteRepository {
  func part(of scope: TransactionScope) -> Any? {
    scope.database === database ? own(scope) : nil
  }

  /// Returns its part of a transaction of its database.
  func own(_ scope: TransactionScope) -> SQLiteTransaction<Model> {
    scope.part(where: { [hub] in $0.hub === hub }, orElse: { SQLiteTransaction(self, scope) })
  }

  /// Runs a transaction of the database, and returns the number of its commit.
  func transaction<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (SQLiteTransaction<Model>) throws -> Value
  ) async throws -> (value: Value, version: UInt64) {
    try await database.transaction(isShort: isShort) { try body(self.own($0)) }
  }
}
