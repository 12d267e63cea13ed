extension InMemoryRepository: OutboxRepository {
  /// The model's name; a repository is a store of its own.
  public var queueName: String { "\(Model.self)" }

  /// The repository itself.
  public var storeIdentity: ObjectIdentifier { ObjectIdentifier(self) }

  /// False: entries are lost when the process ends, as the models are.
  public var keepsEntries: Bool { false }

  /// Whether there are entries now.
  public var heldEntries: Bool { shared.withLock { !$0.queue.isEmpty } }

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
    return try writing.withLock { _ in
      let (models, queue) = shared.withLock { ($0.models, $0.queue) }
      return try body(InMemoryTransaction(models: models, queue: queue, repository: self))
    }
  }

  /// Calls `handler` after each commit that changed the entries, on the thread that made it.
  public func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    queueObservers.observe(handler)
  }

  /// Runs `body` in a transaction, commits it, and gives what it gave, and the version then.
  func transactNow<Value>(
    _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> (Value, version: UInt64) {
    let (value, isQueueChanged, version) = try writing.withLock { _ in
      let (value, changes, isQueueChanged) = try change(body)
      let (version, handlers) = shared.withLock { ($0.version, $0.handlers) }
      tell(changes, version, handlers)
      return (value, isQueueChanged, version)
    }
    if isQueueChanged { queueObservers.tell() }
    return (value, version)
  }

  /// Runs `body`, and puts what it changed into the state.
  ///
  /// The queue is taken out of the state meanwhile, so that it is changed and not copied.
  private func change<Value>(
    _ body: (InMemoryTransaction<Model>) throws -> Value
  ) throws -> (Value, StoreChanges<Model>, isQueueChanged: Bool) {
    let (models, queue) = shared.withLock { shared in
      defer { shared.queue = InMemoryQueue() }
      return (shared.models, shared.queue)
    }
    let transaction = InMemoryTransaction(models: models, queue: queue, repository: self)
    do {
      let value = try body(transaction)
      let changes = shared.withLock { shared in
        let changes = transaction.apply(to: &shared)
        if !changes.isEmpty { shared.version += 1 }
        return changes
      }
      return (value, changes, transaction.hasChangedQueue)
    } catch {
      shared.withLock { transaction.restoreQueue(of: &$0) }
      throw error
    }
  }
}

/// A transaction of an ``InMemoryRepository``: what it changed lies over the models that it began with.
final class InMemoryTransaction<Model: Codable & Identifiable & Sendable>: OutboxTransaction {
  private typealias Entry = StoredModel<Model>

  private var models: InMemoryState<Model>
  private var queue: InMemoryQueue<Model>
  private let repository: InMemoryRepository<Model>
  /// The models as they are after the transaction, by their ids; nil for a removed one.
  private var changed: [ModelID: Entry?] = [:]
  /// What takes back the changes of the queue, the last first.
  private var undoing: [(inout InMemoryQueue<Model>) -> Void] = []

  init(
    models: consuming InMemoryState<Model>, queue: consuming InMemoryQueue<Model>,
    repository: InMemoryRepository<Model>
  ) {
    self.models = models
    self.queue = queue
    self.repository = repository
  }

  var hasChangedQueue: Bool { !undoing.isEmpty }

  /// Writes what was changed, and gives what that was.
  func apply(to shared: inout InMemoryRepository<Model>.Shared) -> StoreChanges<Model> {
    // So that the state is the only one that holds them, and they are not copied.
    models = InMemoryState()
    (shared.queue, queue) = (queue, InMemoryQueue())
    var changes = shared.models.put(changed.values.compactMap { $0 })
    let removed = changed.compactMap { $0.value == nil ? $0.key : nil }
    changes.removed = shared.models.remove(removed).map { $0.model }
    return changes
  }

  /// Gives the queue back as it was before the transaction.
  func restoreQueue(of shared: inout InMemoryRepository<Model>.Shared) {
    for undo in undoing.reversed() { undo(&queue) }
    (shared.queue, queue) = (queue, InMemoryQueue())
  }

  func key(of model: Model) -> String { instance(of: model).text }

  private func instance(of model: Model) -> ByteText { repository.entry(of: model).id.key }

  func held(_ model: Model) -> Model? { entry(repository.entry(of: model).id)?.model }

  func insert(_ model: Model) -> Bool {
    let new = repository.entry(of: model)
    guard entry(new.id) == nil else { return false }
    changed[new.id] = .some(new)
    return true
  }

  func put(_ model: Model, before: Model?) {
    let new = repository.entry(of: model)
    changed[new.id] = .some(new)
  }

  func remove(_ model: Model) {
    changed[repository.entry(of: model).id] = .some(nil)
  }

  private func entry(_ id: ModelID) -> Entry? {
    if let changed = changed[id] { changed } else { models[id] }
  }

  func unsent(matching criteria: Criteria) throws -> [Model] {
    let schema = try ModelSchema.of(Model.self)
    var resolved = try criteria.resolved(against: schema)
    (resolved.limit, resolved.offset) = (nil, 0)
    let unsent = models.ordered.filter { queue.hasEntries(of: $0.id.key) }
    return try InMemoryRepository.select(resolved, from: unsent, schema).map { $0.model }
  }
}

// What concerns the entries.
extension InMemoryTransaction {
  var isEmpty: Bool { queue.isEmpty }

  func records(of key: String) -> [OutboxRecord<Model>] {
    queue.entries(of: ByteText(key)).map { .entry($0) }
  }

  func hasRecords(of reference: Outbox.Reference) -> Bool {
    reference.queue.hasSameBytes(as: repository.queueName)
      && queue.hasEntries(of: ByteText(reference.key))
  }

  func records(referringTo reference: Outbox.Reference) -> [OutboxRecord<Model>] {
    queue.entries(referringTo: reference).map { .entry($0) }
  }

  func records(
    after position: Int64, onlyHeads: Bool, limit: Int
  ) -> [OutboxRecord<Model>] {
    queue.entries(after: position, onlyHeads: onlyHeads, limit: limit).map { .entry($0) }
  }

  func append(_ entry: Outbox.Entry<Model>) -> Int64 {
    let position = queue.append(entry, instance(of: entry.model))
    undoing.append { _ = $0.delete(position) }
    return position
  }

  func replace(_ entry: Outbox.Entry<Model>) {
    guard let old = queue.replace(entry, instance(of: entry.model)) else { return }
    undoing.append { _ = $0.replace(old.entry, old.key) }
  }

  func setState(of entry: Outbox.Entry<Model>) {
    let key = instance(of: entry.model)
    guard var found = queue.entries(of: key).first(where: { $0.id == entry.id }) else { return }
    found.state = entry.state
    (found.attempts, found.wasAttempted) = (entry.attempts, entry.wasAttempted)
    replace(found)
  }

  func delete(_ position: Int64) {
    guard let old = queue.delete(position) else { return }
    undoing.append { $0.restore(old.entry, old.key) }
  }

  /// Does nothing: what was never encoded can be read.
  func park(_ entry: Outbox.UnreadableEntry) {}

  /// Does nothing, because no entry is unreadable.
  func reviveUnreadable() {}

  func count() -> OutboxCount { queue.count }

  var lease: OutboxLease? { queue.lease }

  func setLease(_ lease: OutboxLease?) {
    let old = queue.lease
    queue.lease = lease
    undoing.append { $0.lease = old }
  }

  var isHeld: Bool { queue.isHeld }

  func setHeld(_ isHeld: Bool) {
    let old = queue.isHeld
    queue.isHeld = isHeld
    undoing.append { $0.isHeld = old }
  }

  func transaction<Other>(
    for repository: any OutboxRepository<Other>
  ) -> (any OutboxTransaction<Other>)? {
    (repository as AnyObject) === self.repository ? self as? any OutboxTransaction<Other> : nil
  }
}
