internal import Evocation

/// The models and the entries of one repository in a transaction.
final class SQLiteTransaction<Model: Codable & Identifiable & Sendable>: OutboxTransaction {
  let hub: ChangeHub<Model>
  let table: ModelTable<Model>
  let scope: TransactionScope
  private var changes: TransactionChanges<Model>
  /// The table's name in lowercase, because SQLite ignores the case of names.
  let queueName: String

  init(_ repository: SQLiteRepository<Model>, _ scope: TransactionScope) {
    hub = repository.hub
    table = repository.table
    queueName = repository.queueName
    self.scope = scope
    changes = TransactionChanges(isKept: hub.isObserved)
  }

  var connection: Connection { scope.connection }

  /// Whether an observer needs the changes.
  var isObserved: Bool { changes.isKept }

  /// Adds changes that were made outside of this object.
  func add(_ changes: StoreChanges<Model>) {
    self.changes.add(changes, table.id)
  }

  /// Notifies the observers of the changes.
  func tell(_ version: UInt64) {
    // An observer that began during the transaction gets an unknown change.
    guard hub.isObserved, let change = changes.all.asRepositoryChange(version: version) else {
      return
    }
    hub.tell(change)
  }

  func key(of model: Model) -> String { table.id(model).key.text }

  func held(_ model: Model) throws -> Model? { try table.finder(connection).held(model) }

  func insert(_ model: Model) throws -> Bool {
    guard try table.writer(table.insert, connection).write(model) else {
      guard try table.finder(connection).finds(model) else { throw table.leftOut(connection) }
      return false
    }
    changes.note(before: nil, after: model, table.id)
    return true
  }

  func put(_ model: Model, before: Model?) throws {
    _ = try table.writer(table.upsert, connection).write(model)
    changes.note(before: before, after: model, table.id)
  }

  func remove(_ model: Model) throws {
    guard try table.writer(connection.statement(table.remove), connection).write(model) else {
      return
    }
    try table.unlist([model], connection)
    changes.note(before: model, after: nil, table.id)
  }

  /// Changes the key of a row in place, so that no reference points to a missing row.
  ///
  /// SQLite checks foreign keys when the transaction ends.
  func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws {
    let present = try self.held(new)
    if present == nil {
      try connection.execute("PRAGMA defer_foreign_keys = ON", "Giving a row another key")
      try table.rekey(held, to: new, connection)
      try table.unlist([held], connection)
    }
    try put(new, before: present)
    try rekey()
    if present == nil {
      changes.note(before: held, after: nil, table.id)
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

/// The changes of a transaction: each model once, as it was before and as it is after.
struct TransactionChanges<Model: Sendable> {
  private typealias Fate = (before: Model?, after: Model?)

  /// Whether an observer needs the changes; otherwise only the fact that something changed is
  /// recorded.
  let isKept: Bool
  private var isChanged = false
  private var isMixed = false
  private var order: [ModelID] = []
  private var fates: [ModelID: Fate] = [:]

  init(isKept: Bool) {
    self.isKept = isKept
  }

  /// Records a change of a model.
  ///
  /// Nil stands for a model that does not exist.
  mutating func note(before: Model?, after: Model?, _ id: (Model) -> ModelID) {
    isChanged = true
    guard isKept, let model = after ?? before else { return }
    let id = id(model)
    if let known = fates[id] {
      fates[id] = (known.before, after)
    } else {
      order.append(id)
      fates[id] = (before, after)
    }
  }

  mutating func add(_ changes: StoreChanges<Model>, _ id: (Model) -> ModelID) {
    isChanged = isChanged || !changes.isEmpty
    isMixed = isMixed || changes.isMixed
    for model in changes.stored { note(before: nil, after: model, id) }
    for update in changes.updated { note(before: update.before, after: update.after, id) }
    for model in changes.removed { note(before: model, after: nil, id) }
  }

  /// The changes, for observers.
  var all: StoreChanges<Model> {
    guard isKept, !isMixed else { return StoreChanges(isMixed: isChanged) }
    var changes = StoreChanges<Model>()
    for fate in order.compactMap({ fates[$0] }) {
      switch fate {
      case (nil, nil): continue
      case (nil, let after?): changes.stored.append(after)
      case (let before?, let after?): changes.updated.append(.init(before: before, after: after))
      case (let before?, nil): changes.removed.append(before)
      }
    }
    return changes
  }
}
