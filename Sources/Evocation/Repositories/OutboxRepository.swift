package import Foundation

/// A local repository whose commits may carry entries of the outbox.
///
/// It keeps models and entries in one store, and changes both in one transaction: ``InMemoryRepository``
/// does so for as long as it lives, the one on SQLite in its file. Only these two are such repositories;
/// a type of an app's that conforms is a ``TransactionalRepository`` and an ``ObservableRepository``, and
/// keeps no entries.
public protocol OutboxRepository<Model>: TransactionalRepository, ObservableRepository {}

/// What the outbox asks of an ``OutboxRepository``.
///
/// What is queued, what is merged and what becomes of models is decided by Evocation; a repository gives
/// it transactions, and keeps what they write.
///
/// ``TransactionalRepository/commit(_:)`` has two more things to do. A write with a
/// ``StoreWrite/outbox`` is carried out by ``StoreWrite/queue(_:in:)``. A write whose
/// ``StoreWrite/source`` is not the app is carried out as ``StoreWrite/sparingUnsent(in:)`` gives it.
package protocol OutboxStore<Model>: OutboxRepository {
  /// Names the queue within its store, the same in every process and in every version of the app.
  var queueName: String { get }

  /// Identifies the store: repositories whose entries lie in one store have the same identity.
  var storeIdentity: ObjectIdentifier { get }

  /// Whether entries survive the end of the process.
  var keepsEntries: Bool { get }

  /// Whether the entries of another repository lie in the same store, or can from now on.
  ///
  /// Entries wait for those of other model types only within one store. Where it is not implemented, it
  /// compares ``storeIdentity``.
  func shares(with other: any OutboxStore) -> Bool

  /// Whether the queue had entries, or versions of models were known, when the repository was made.
  ///
  /// They are sent, and lie over answers, also where no rule of the present strategy queues. Where it is
  /// not implemented, it is true: that costs a look at the queue for each answer of the remote.
  var heldEntries: Bool { get }

  /// Writes models, and queues the write for the remote, in one transaction.
  ///
  /// It does what ``TransactionalRepository/commit(_:)`` does with a write of this one action and an
  /// ``StoreWrite/outbox``, for less: the writes of an app come to it. Where it is not implemented, it
  /// is a ``transact(isShort:_:)``.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` for a model to be added that is there already, and
  ///   what the store throws; nothing was changed then.
  func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], _ note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model>

  /// Runs `body` in one transaction: what it wrote is kept as a whole, or nothing when it throws.
  ///
  /// The observers of the models and of the queue are told after the commit. What is short is bounded
  /// by one key, and may run where the caller is. `body` must not keep the transaction.
  func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value

  /// Does the same for what writes nothing, and may read beside a write.
  func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value

  /// Calls `handler` after each commit that changed the entries of the store, whoever made it.
  ///
  /// It is called on the thread that committed, must be quick, and must not call the repository.
  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

/// The models and the entries of one model type, within a transaction.
///
/// An instance is named by a key, which is the same text for the same id, and other bytes for every
/// other id; a `String` as the key of a dictionary mixes up texts that differ in bytes alone. A model's changes are told
/// to the repository's observers, each model once.
package protocol OutboxTransaction<Model> {
  associatedtype Model: Sendable

  /// The ``OutboxStore/queueName`` of the repository.
  var queueName: String { get }

  /// The text that names the model's instance.
  func key(of model: Model) throws -> String

  /// The model that the repository holds with the id of this one.
  func held(_ model: Model) throws -> Model?

  /// Adds a model; false, and nothing done, where one with its id is there.
  func insert(_ model: Model) throws -> Bool

  /// Adds or changes a model; `before` is what ``held(_:)`` gives.
  func put(_ model: Model, before: Model?) throws

  /// Removes a model that is held.
  func remove(_ model: Model) throws

  /// Gives a model that is held another id, and calls `rekey`, which changes what refers to it.
  ///
  /// Nothing refers to a model that is not there, neither before `rekey` nor after it.
  func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws

  /// The service's version of a model that is held; nil where it is not known.
  func version(of model: Model) throws -> String?

  /// Whether the version of any model of this type is known.
  var knowsVersions: Bool { get throws }

  /// Sets the service's version of a model.
  func setVersion(_ version: String?, of model: Model) throws

  /// The models that match, and have entries, in the order asked for; a limit does not count.
  func unsent(matching criteria: Criteria) throws -> [Model]

  /// The entries of all model types of the store.
  var entries: any OutboxEntries { get }

  /// Whether there are no entries of this model type.
  var isEmpty: Bool { get throws }

  /// The entries on an instance, the oldest first.
  func records(of key: String) throws -> [OutboxRecord<Model>]

  /// The entries that refer to an instance, the oldest first.
  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Model>]

  /// Entries after a position, the oldest first.
  func records(after position: Int64, limit: Int) throws -> [OutboxRecord<Model>]

  /// The entry at a position; nil where none of this model type is.
  func record(at position: Int64) throws -> OutboxRecord<Model>?

  /// Adds an entry behind all others, and gives its position.
  @discardableResult
  func append(_ entry: Outbox.Entry<Model>) throws -> Int64

  /// Adds a pending entry that refers to nothing, behind all others, if its instance has none.
  ///
  /// Most writes come to it and to ``last(of:)`` and ``merge(_:_:into:)``, which an implementation can do for
  /// less than they cost by the other methods; where they are not implemented, they use those. With a
  /// base, the entry's version is ``version(of:)`` that.
  ///
  /// - Returns: Nil, and nothing is done, where the instance has entries.
  func appendFirst(
    _ kind: Outbox.EntryKind, _ model: Model, on base: Model?, queuedAt: Date, key: String
  ) throws -> OutboxRow?

  /// The last entry on an instance, without its models; nil where it has none.
  func last(of key: String) throws -> OutboxLast?

  /// Has an entry that is ``OutboxLast/free(_:)``, and refers to nothing, be another write of its instance.
  func merge(_ kind: Outbox.EntryKind, _ model: Model, into row: OutboxRow) throws

  /// Replaces the entry at a position by one of the same instance or, if `key` says so, of another.
  func replace(_ entry: Outbox.Entry<Model>) throws

  /// Writes an entry's state, attempts and whether it was attempted, and leaves its models alone.
  func setState(of entry: Outbox.Entry<Model>) throws

  /// Deletes the entry at a position.
  func delete(_ position: Int64) throws

  /// Parks an entry that cannot be decoded, so that it is not found again as pending.
  func park(_ entry: Outbox.UnreadableEntry) throws

  /// The same transaction for another repository of the same store; nil where it is of another.
  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)?
}

extension OutboxStore {
  /// Whether both have the same ``storeIdentity``.
  package func shares(with other: any OutboxStore) -> Bool {
    storeIdentity == other.storeIdentity
  }
}

extension OutboxTransaction {
  /// Adds the model under its new id, has `rekey` called, and removes the one under the old id.
  package func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws {
    try put(new, before: self.held(new))
    try rekey()
    try remove(held)
  }

  /// The key of a model's instance, which can be compared and looked for.
  package func instance(of model: Model) throws -> ByteText { ByteText(try key(of: model)) }
}

/// The last entry on an instance, as a write sees it that may be merged into it.
package enum OutboxLast: Sendable, Hashable {
  /// It never left, and can still be changed.
  case free(OutboxRow)
  /// It may have reached the remote, waits, or is parked.
  case fixed(OutboxRow)
  /// Its models cannot be decoded.
  case unreadable

  /// The entry without its models; nil where these cannot be decoded.
  var row: OutboxRow? {
    switch self {
    case .free(let row), .fixed(let row): row
    case .unreadable: nil
    }
  }
}

/// An entry as it was found.
package enum OutboxRecord<Model: Sendable>: Sendable {
  /// An entry.
  case entry(Outbox.Entry<Model>)
  /// An entry whose models cannot be decoded.
  case unreadable(Outbox.UnreadableEntry)

  /// The entry; nil where it cannot be decoded.
  package var entry: Outbox.Entry<Model>? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// The entry's id.
  package var id: String {
    switch self {
    case .entry(let entry): entry.id
    case .unreadable(let entry): entry.id
    }
  }

  /// Where the entry stands.
  package var position: Int64 {
    switch self {
    case .entry(let entry): entry.position
    case .unreadable(let entry): entry.position
    }
  }
}

/// What a write that was queued has written.
package struct QueuedWrite<Model: Sendable>: Sendable {
  /// The models that were added or changed, or those that were removed.
  package let models: [Model]

  /// The entries that now say so to the remote, one for each model that is to be sent.
  package let entries: [OutboxRow]

  /// The ids of entries that are sent no more, because the write has taken them back before they left.
  package let withdrawn: [String]

  /// Whether the outbox now has entries on models of the write.
  package var isPending: Bool { entries.count > 0 }

  /// Makes a result.
  package init(models: [Model], entries: [OutboxRow], withdrawn: [String] = []) {
    self.models = models
    self.entries = entries
    self.withdrawn = withdrawn
  }
}
