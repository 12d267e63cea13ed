import Foundation

extension InMemoryRepository: OutboxRepository {
  /// The model's name, with those of the types that it stands in: others may have an `Item` too.
  public var queueName: String {
    String(String(reflecting: Model.self).drop { $0 != "." }.dropFirst())
  }

  /// What holds the entries: the repository alone, or several of which one waits for another.
  public var storeIdentity: ObjectIdentifier { ObjectIdentifier(store) }

  /// False: entries are lost when the process ends, as the models are.
  public var keepsEntries: Bool { false }

  /// Whether there are entries now.
  public var heldEntries: Bool {
    exclusively { store in store.entries.withLock { !$0.isEmpty(queueName) } }
  }

  /// True for every other repository in memory, whose entries lie with these from now on.
  public func shares(with other: any OutboxRepository) -> Bool {
    guard let other = other as? any InMemoryQueueing else { return false }
    store.takeOver(other.store)
    return true
  }

  /// Runs `body` while nobody else writes; nothing that it wrote is seen before its end.
  public func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try Cancellation.check()
    return try transactNow { try body($0) }.0
  }

  /// Runs `body` on the present state, while nobody writes.
  public func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try Cancellation.check()
    return try exclusively { store in
      let scope = InMemoryScope(store.entries.withLock { $0 })
      return try withExtendedLifetime(scope) { try body($0.transaction(of: self)) }
    }
  }

  /// Calls `handler` after each commit that changed the entries, on the thread that made it.
  public func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    home.observers.observe(handler)
  }

  /// Runs `body` in a transaction, commits it, and gives what it gave, and the version then.
  func transactNow<Value>(
    _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> (Value, version: UInt64) {
    let (value, version, changed) = try exclusively { try transact(in: $0, body) }
    changed?.observers.tell()
    return (value, version)
  }

  /// Runs a transaction while nobody else writes; gives the store where its entries were changed.
  func transact<Value>(
    in store: InMemoryStore, _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> (Value, version: UInt64, changed: InMemoryStore?) {
    // The entries are taken out of the store meanwhile, so that they are changed and not copied.
    let scope = InMemoryScope(
      store.entries.withLock { entries in
        defer { entries = InMemoryEntries() }
        return entries
      })
    defer { scope.close(store) }
    do {
      let value = try body(scope.transaction(of: self))
      for commit in scope.commits() { commit() }
      return (value, shared.withLock { $0.version }, scope.hasChangedEntries ? store : nil)
    } catch {
      scope.takeBack()
      throw error
    }
  }

  /// Puts changes into the state, tells of them, and gives the version then.
  @discardableResult
  func apply(_ edits: InMemoryEdits<Model>) -> UInt64 {
    let (changes, version, handlers) = shared.withLock { shared in
      let changes = edits.apply(to: &shared.models)
      if !changes.isEmpty { shared.version += 1 }
      return (changes, shared.version, shared.handlers)
    }
    tell(changes, version, handlers)
    return version
  }
}

/// A repository in memory, whatever its model type.
private protocol InMemoryQueueing: AnyObject, Sendable {
  var store: InMemoryStore { get }
  func part(of scope: InMemoryScope) -> Any
}

extension InMemoryRepository: InMemoryQueueing {
  fileprivate func part(of scope: InMemoryScope) -> Any { scope.transaction(of: self) }
}

/// One transaction of an ``InMemoryStore``, which its repositories share.
final class InMemoryScope: OutboxEntries {
  fileprivate var entries: InMemoryEntries
  /// What takes back the changes of the entries, the last first.
  private var undoing: [(inout InMemoryEntries) -> Void] = []
  /// The parts of repositories, and what puts their changes into these.
  private var parts: [(part: AnyObject, commit: () -> Void)] = []

  init(_ entries: consuming InMemoryEntries) { self.entries = entries }

  var hasChangedEntries: Bool { !undoing.isEmpty }

  func transaction<Model>(of repository: InMemoryRepository<Model>) -> InMemoryTransaction<Model> {
    for case let part as InMemoryTransaction<Model> in parts.map(\.part)
    where part.repository === repository {
      return part
    }
    let part = InMemoryTransaction(repository, self)
    parts.append((part, { repository.apply(part.taken()) }))
    return part
  }

  /// What puts the parts' changes into their repositories; it ends the scope.
  fileprivate func commits() -> [() -> Void] {
    defer { parts = [] }
    return parts.map(\.commit)
  }

  fileprivate func takeBack() {
    for undo in undoing.reversed() { undo(&entries) }
    (undoing, parts) = ([], [])
  }

  /// Gives the entries back to the store.
  fileprivate func close(_ store: InMemoryStore) {
    store.entries.withLock { swap(&$0, &entries) }
  }

  fileprivate func part<Other>(
    for repository: any OutboxRepository<Other>
  ) -> (any OutboxTransaction<Other>)? {
    guard let repository = repository as? any InMemoryQueueing,
      parts.contains(where: { ($0.part as? any InMemoryPart)?.store === repository.store })
    else { return nil }
    return repository.part(of: self) as? any OutboxTransaction<Other>
  }

  // What is done to the entries.

  fileprivate func append(_ held: InMemoryEntries.Held) -> Int64 {
    let position = entries.append(held)
    undoing.append { $0.delete(position) }
    return position
  }

  fileprivate func put(_ held: InMemoryEntries.Held) {
    guard let old = entries.put(held) else { return }
    undoing.append { $0.put(old) }
  }

  fileprivate func delete(_ position: Int64) {
    guard let old = entries.delete(position) else { return }
    undoing.append { $0.put(old) }
  }

  var isEmpty: Bool { entries.isEmpty }

  func pending(after position: Int64, limit: Int) -> [OutboxRow] {
    var rows: [OutboxRow] = []
    for position in entries.positions(after: position) {
      if rows.count >= limit { break }
      guard let held = entries.held[position], held.state == .pending else { continue }
      rows.append(held.row)
    }
    return rows
  }

  func due(by date: Date, limit: Int) -> [OutboxRow] {
    entries.due(by: date).prefix(limit).map(\.row)
  }

  func nextDue() -> Date? { entries.nextDue }

  func row(withID id: String) -> OutboxRow? {
    entries.held.values.first { $0.row.id == id }?.row
  }

  func ends(of instance: Outbox.Reference) -> ClosedRange<Int64>? {
    let positions = entries.positions(of: instance)
    return positions.first.flatMap { first in positions.last.map { first...$0 } }
  }

  func references(of position: Int64) -> [Outbox.Reference] {
    entries.held[position]?.references ?? []
  }

  func isReferredTo(
    _ instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) -> Bool {
    entries.positions(referringTo: instance).contains(where: positions.contains)
  }

  func take(_ position: Int64) {
    guard var held = entries.held[position] else { return }
    (held.state, held.row.wasAttempted, held.waitsSince) = (.pending, true, nil)
    let searched = entries.searched
    put(held)
    entries.searched = searched
  }

  func endWaits() {
    for var held in entries.due(by: .distantFuture) {
      (held.state, held.waitsSince) = (.pending, nil)
      put(held)
    }
  }

  var searched: Int64 {
    get { entries.searched }
    set { entries.searched = newValue }
  }

  func renaming(of instance: Outbox.Reference) -> OutboxRenaming? { entries.renamings[instance] }

  func note(_ renaming: OutboxRenaming, of instance: Outbox.Reference) {
    let old = entries.renamings.updateValue(renaming, forKey: instance)
    undoing.append { $0.renamings[instance] = old }
  }

  func forgetRenamings(to instance: Outbox.Reference) {
    let old = entries.renamings
    entries.renamings = old.filter { former, renaming in
      !(former.queue == instance.queue && renaming.key.hasSameBytes(as: instance.key))
    }
    if entries.renamings.count < old.count { undoing.append { $0.renamings = old } }
  }

  fileprivate func setVersion(_ version: String?, of instance: Outbox.Reference) {
    let old = entries.versions[instance]
    guard old != version else { return }
    entries.versions[instance] = version
    undoing.append { $0.versions[instance] = old }
  }

  func patience(with service: String) -> ClosedRange<Date>? { entries.patience[service] }

  func note(_ patience: ClosedRange<Date>, with service: String) {
    let old = entries.patience.updateValue(patience, forKey: service)
    undoing.append { $0.patience[service] = old }
  }

  /// Does nothing, because no entry is unreadable.
  func reviveUnreadable() {}

  func count() -> OutboxCount { entries.count }

  var lease: OutboxLease? { entries.lease }

  func setLease(_ lease: OutboxLease?) {
    let old = entries.lease
    entries.lease = lease
    undoing.append { $0.lease = old }
  }

  var isHeld: Bool { entries.isHeld }

  func setHeld(_ isHeld: Bool) {
    let old = entries.isHeld
    entries.isHeld = isHeld
    undoing.append { $0.isHeld = old }
  }
}

private protocol InMemoryPart: AnyObject {
  var store: InMemoryStore { get }
}

/// The models and the entries of one ``InMemoryRepository`` within a transaction: what it changed lies
/// over the models that it began with.
final class InMemoryTransaction<Model: Codable & Identifiable & Sendable>: OutboxTransaction,
  InMemoryPart
{
  let repository: InMemoryRepository<Model>
  /// Unowned, because the scope has its parts, and lives as long as the transaction.
  private unowned let scope: InMemoryScope
  private(set) var models: InMemoryState<Model>
  var edits = InMemoryEdits<Model>()

  init(_ repository: InMemoryRepository<Model>, _ scope: InMemoryScope) {
    self.repository = repository
    self.scope = scope
    models = repository.present.state
  }

  var store: InMemoryStore { repository.store }

  /// What was changed; the models are let go, so that the state is the only one that holds them.
  fileprivate func taken() -> InMemoryEdits<Model> {
    models = InMemoryState()
    return edits
  }

  func key(of model: Model) -> String { repository.entry(of: model).id.key.text }

  func held(_ model: Model) -> Model? {
    edits.entry(repository.entry(of: model).id, in: models)?.model
  }

  func insert(_ model: Model) -> Bool {
    let new = repository.entry(of: model)
    guard edits.entry(new.id, in: models) == nil else { return false }
    edits.put([new])
    return true
  }

  func put(_ model: Model, before: Model?) { edits.put([repository.entry(of: model)]) }

  func remove(_ model: Model) { _ = edits.remove([repository.entry(of: model).id], from: models) }

  func unsent(matching criteria: Criteria) throws -> [Model] {
    let schema = try ModelSchema.of(Model.self)
    var resolved = try criteria.resolved(against: schema)
    (resolved.limit, resolved.offset) = (nil, 0)
    let unsent = edits.ordered(over: models).filter { entry in
      !scope.entries.positions(of: instance(entry.id.key.text)).isEmpty
    }
    return try InMemoryRepository.select(resolved, from: unsent, schema).map { $0.model }
  }

  func transaction<Other>(
    for repository: any OutboxRepository<Other>
  ) -> (any OutboxTransaction<Other>)? { scope.part(for: repository) }
}

// What concerns the entries.
extension InMemoryTransaction {
  var entries: any OutboxEntries { scope }

  var queueName: String { repository.queueName }

  var isEmpty: Bool { scope.entries.isEmpty(repository.queueName) }

  private func instance(_ key: String) -> Outbox.Reference {
    Outbox.Reference(queue: repository.queueName, key: key)
  }

  func version(of model: Model) -> String? {
    scope.entries.versions[instance(key(of: model))]
  }

  var knowsVersions: Bool { scope.entries.knowsVersions(of: repository.queueName) }

  func setVersion(_ version: String?, of model: Model) {
    scope.setVersion(version, of: instance(key(of: model)))
  }

  func records(of key: String) -> [OutboxRecord<Model>] {
    scope.entries.positions(of: instance(key)).compactMap(record)
  }

  func records(referringTo reference: Outbox.Reference) -> [OutboxRecord<Model>] {
    scope.entries.positions(referringTo: reference).compactMap(record)
  }

  func records(after position: Int64, limit: Int) -> [OutboxRecord<Model>] {
    var records: [OutboxRecord<Model>] = []
    for position in scope.entries.positions(after: position) {
      if records.count >= limit { break }
      if let record = record(at: position) { records.append(record) }
    }
    return records
  }

  func record(at position: Int64) -> OutboxRecord<Model>? {
    guard let held = scope.entries.held[position],
      held.row.instance.queue.hasSameBytes(as: repository.queueName),
      var entry = held.entry as? Outbox.Entry<Model>
    else { return nil }
    entry.position = position
    (entry.state, entry.wasAttempted) = (held.state, held.row.wasAttempted)
    entry.waitsSince = held.waitsSince
    return .entry(entry)
  }

  func append(_ entry: Outbox.Entry<Model>) -> Int64 { scope.append(held(entry)) }

  func replace(_ entry: Outbox.Entry<Model>) {
    guard record(at: entry.position) != nil else { return }
    scope.put(held(entry))
  }

  func setState(of entry: Outbox.Entry<Model>) {
    guard var found = record(at: entry.position)?.entry, found.id == entry.id else { return }
    found.state = entry.state
    (found.attempts, found.wasAttempted) = (entry.attempts, entry.wasAttempted)
    found.waitsSince = entry.waitsSince
    replace(found)
  }

  func delete(_ position: Int64) { scope.delete(position) }

  /// Does nothing: what was never encoded can be read.
  func park(_ entry: Outbox.UnreadableEntry) {}

  private func held(_ entry: Outbox.Entry<Model>) -> InMemoryEntries.Held {
    InMemoryEntries.Held(
      row: OutboxRow(
        position: entry.position, id: entry.id, instance: instance(key(of: entry.model)),
        kind: entry.kind,
        hasReferences: !entry.references.isEmpty || !entry.formerReferences.isEmpty,
        wasAttempted: entry.wasAttempted),
      state: entry.state, queuedAt: entry.queuedAt, waitsSince: entry.waitsSince,
      references: entry.references, formerReferences: entry.formerReferences, entry: entry)
  }
}
