package import Foundation

/// A local repository whose commits may include entries of the outbox.
///
/// It holds models and entries in one store, and changes both in one transaction.
/// ``InMemoryRepository`` holds them as long as it lives, the SQLite repository in its file. Only
/// these two can keep entries. A type of your app that conforms is used as a
/// ``TransactionalRepository`` and an ``ObservableRepository`` only.
///
/// Your app registers one as the local repository of models that it sends later:
///
/// ```swift
/// try Evocation.shared.register(
///   Note.self, remote: HTTPRepository(service, "notes"), local: SQLiteRepository(database),
///   strategy: .offlineFirst)
/// ```
public protocol OutboxRepository<Model>: TransactionalRepository, ObservableRepository {}

/// The requirements of the outbox for an ``OutboxRepository``.
///
/// Evocation decides what to queue, what to merge, and what happens to models. A repository
/// provides transactions, and keeps what they write.
///
/// ``TransactionalRepository/commit(_:)`` has two more duties. It performs a write that has a
/// ``StoreWrite/outbox`` by ``StoreWrite/queue(_:in:)``. If the ``StoreWrite/source`` of a write is
/// not the app, it performs the write that ``StoreWrite/sparingUnsent(in:)`` returns, and its commit
/// has the models that are ``StoreWrite/gone`` of that write.
package protocol OutboxStore<Model>: OutboxRepository {
  /// The name of the queue in its store, the same in every process and in every version of the app.
  var queueName: String { get }

  /// Identifies the store.
  ///
  /// Repositories whose entries are in one store have the same identity.
  var storeIdentity: ObjectIdentifier { get }

  /// Whether entries survive the end of the process.
  var keepsEntries: Bool { get }

  /// Whether the entries of another repository are in the same store, or can be from now on.
  ///
  /// Entries wait for entries of other model types only in one store. The default implementation
  /// compares ``storeIdentity``.
  func shares(with other: any OutboxStore) -> Bool

  /// Whether the queue had entries, or the store knew versions of models, when the repository was
  /// made.
  ///
  /// The outbox then sends the entries and applies them on top of results, even if no rule of the
  /// present strategy queues. The default is true, which costs a look at the queue for each remote
  /// answer.
  var heldEntries: Bool { get }

  /// Writes models, and queues the write for the server, in one transaction.
  ///
  /// It does the same as ``TransactionalRepository/commit(_:)`` for a write of this one change with
  /// a ``StoreWrite/outbox``, at less expense, because every write of an app calls it. The default
  /// implementation uses ``transact(isShort:_:)``.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` if a model to be added is there already, and
  ///   what the store throws. Nothing has changed then.
  func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model>

  /// Runs `body` in one transaction.
  ///
  /// If `body` throws, nothing that it wrote is saved. The store notifies the observers of the
  /// models and of the queue after the commit. A short transaction is limited to the entries of one
  /// key, and may run where the caller runs. `body` must not keep the transaction.
  func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value

  /// Runs `body` in a transaction that writes nothing, and that may read beside a write.
  func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value

  /// Calls `handler` after each commit, by any repository, that changed entries of the store.
  ///
  /// The handler runs on the thread that committed. It must be quick, and must not call the
  /// repository.
  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

/// The models and the entries of one model type, inside a transaction.
///
/// A key names an instance: the same text for the same id, and different bytes for every other id.
/// Do not use a `String` as the key of a dictionary for it, because `String` treats some texts with
/// different bytes as equal. The repository reports the changes of models to its observers, each
/// model once.
package protocol OutboxTransaction<Model> {
  associatedtype Model: Sendable

  /// The ``OutboxStore/queueName`` of the repository.
  var queueName: String { get }

  /// Returns the text that names the model's instance.
  func key(of model: Model) throws -> String

  /// Returns the repository's model with the same id as this one; nil if there is none, and if the
  /// repository cannot read it.
  func held(_ model: Model) throws -> Model?

  /// Returns the same for each of many models, by its place; none for those without one.
  func held(_ models: [Model]) throws -> [Int: Model]

  /// Whether ``held(_:)`` has found a model that the repository has, but cannot read.
  func hasUnreadable(_ model: Model) -> Bool

  /// Adds a model.
  ///
  /// Returns false, and does nothing, if there is a model with its id.
  func insert(_ model: Model) throws -> Bool

  /// Adds or changes a model.
  ///
  /// `before` is what ``held(_:)`` returns.
  func put(_ model: Model, before: Model?) throws

  /// Removes a model that the repository has.
  func remove(_ model: Model) throws

  /// Changes the id of a model, and calls `rekey`, which changes what refers to it.
  ///
  /// Before `rekey` and after it, every reference leads to a model that is there.
  func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws

  /// Returns what the server said about a model that the repository has; nil if nothing is known.
  func note(of model: Model) throws -> AnswerNote?

  /// Whether there is a note of any model of this type.
  var hasNotes: Bool { get throws }

  /// Sets what the server said about a model.
  func setNote(_ note: AnswerNote?, of model: Model) throws

  /// Returns the models that match and have entries, in the order of the criteria, ignoring a
  /// limit.
  func unsent(matching criteria: Criteria) throws -> [Model]

  /// The entries of all model types in the store.
  var entries: any OutboxEntries { get }

  /// Whether there are no entries of this model type.
  var isEmpty: Bool { get throws }

  /// Returns the entries on an instance, the oldest first.
  func records(of key: String) throws -> [OutboxRecord<Model>]

  /// Returns the entries that refer to an instance, the oldest first.
  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Model>]

  /// Returns entries after a position, the oldest first.
  func records(after position: Int64, limit: Int) throws -> [OutboxRecord<Model>]

  /// Returns the entry at a position; nil if none of this model type is there.
  func record(at position: Int64) throws -> OutboxRecord<Model>?

  /// Adds an entry behind all others, and returns its position.
  @discardableResult
  func append(_ entry: Outbox.Entry<Model>) throws -> Int64

  /// Adds a pending entry that refers to nothing, behind all others, if its instance has none.
  ///
  /// Most writes use this method, ``last(of:)`` and ``merge(_:_:into:)``, so an implementation can
  /// make them less expensive. The default implementations use the general methods. If there is a
  /// base, the note of the entry is ``note(of:)`` the base.
  ///
  /// - Returns: Nil if the instance has entries. Nothing has changed then.
  func appendFirst(
    _ kind: Outbox.EntryKind, _ model: Model, on base: Model?, queuedAt: Date, key: String
  ) throws -> OutboxRow?

  /// Returns the last entry on an instance, without its models; nil if it has none.
  func last(of key: String) throws -> LastEntry?

  /// Turns an ``LastEntry/free(_:)`` entry that refers to nothing into another write on its
  /// instance.
  func merge(_ kind: Outbox.EntryKind, _ model: Model, into row: OutboxRow) throws

  /// Replaces the entry at a position, also by one on another instance.
  func replace(_ entry: Outbox.Entry<Model>) throws

  /// Writes an entry's state, the service's words, attempts and whether it was attempted, and does
  /// not change its models.
  func setState(of entry: Outbox.Entry<Model>) throws

  /// Deletes the entry at a position.
  func delete(_ position: Int64) throws

  /// Parks an entry that cannot be decoded, so that it is not found again as pending.
  func park(_ entry: Outbox.UnreadableEntry) throws

  /// Returns this transaction for another repository of the same store; nil for another store.
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
  /// Adds the model under its new id, calls `rekey`, and removes the model under the old id.
  package func rename(_ held: Model, to new: Model, _ rekey: () throws -> Void) throws {
    try put(new, before: self.held(new))
    try rekey()
    try remove(held)
  }

  /// Asks for one after another.
  package func held(_ models: [Model]) throws -> [Int: Model] {
    var all: [Int: Model] = [:]
    for (place, model) in models.enumerated() { all[place] = try held(model) }
    return all
  }

  /// False, because most repositories can read whatever they have.
  package func hasUnreadable(_: Model) -> Bool { false }

  /// Returns the server's version of a model that the repository has; nil if it is not known.
  package func version(of model: Model) throws -> String? { try note(of: model)?.version }

  /// Sets the server's version of a model.
  package func setVersion(_ version: String?, of model: Model) throws {
    try setNote(version.map { .version($0) }, of: model)
  }

  /// Returns the key of a model's instance as a value that compares by bytes.
  package func instance(of model: Model) throws -> ByteText { ByteText(try key(of: model)) }
}

/// The last entry on an instance, as seen by a write that may be merged into it.
package enum LastEntry: Sendable, Hashable {
  /// No attempt was made, and the entry can still be changed.
  case free(OutboxRow)
  /// It may have reached the server, or it waits, or it is parked.
  case fixed(OutboxRow)
  /// Its models cannot be decoded.
  case unreadable

  /// The entry without its models; nil if they cannot be decoded.
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

  /// The entry; nil if it cannot be decoded.
  package var entry: Outbox.Entry<Model>? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// The id of the entry.
  package var id: String {
    switch self {
    case .entry(let entry): entry.id
    case .unreadable(let entry): entry.id
    }
  }

  /// The position of the entry.
  package var position: Int64 {
    switch self {
    case .entry(let entry): entry.position
    case .unreadable(let entry): entry.position
    }
  }
}

/// The result of a queued write.
package struct QueuedWrite<Model: Sendable>: Sendable {
  /// The models that were added or changed, or those that were removed.
  package let models: [Model]

  /// The entries that will send the write, one for each model that has to be sent.
  package let entries: [OutboxRow]

  /// Whether the outbox now has entries on models of the write.
  package var isPending: Bool { entries.count > 0 }

  /// Creates a result.
  package init(models: [Model], entries: [OutboxRow]) {
    self.models = models
    self.entries = entries
  }
}
