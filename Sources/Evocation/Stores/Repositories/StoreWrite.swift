package import Foundation

/// A write to a local store that is committed as a whole or not at all.
///
/// ```swift
/// let write = StoreWrite([.mirror(cars, for: ["year": 2002])], stamp: stamp)
/// let commit = try await store.commit(write)
/// ```
///
/// Evocation saves everything that it fetches as one of these: the models, the removal of models
/// that the answer does not contain, and the record of the fetch.
public struct StoreWrite<Model: Sendable>: Sendable, PlainlyPrinted {
  /// One change of the store.
  public enum Change: Sendable, PlainlyPrinted {
    /// Adds models.
    ///
    /// The write fails if a model with the same id is there already.
    case store([Model])
    /// Changes the models that are there.
    case update([Model])
    /// Adds the models that are not there, and changes the rest.
    case storeOrUpdate([Model])
    /// Removes models by their ids.
    case remove([Model])
    /// Adds or changes models, and removes every other model that matches the criteria.
    ///
    /// Kept models are not changed, removed or added. Only their ids count. With a limit that
    /// `models` reach, an offset or a cursor, nothing is removed.
    case mirror([Model], for: Criteria, keeping: [Model] = [])
  }

  /// The origin of the models.
  package enum Source: Sendable, Hashable {
    /// The app.
    ///
    /// The store performs the write as it is.
    case app
    /// The server.
    ///
    /// Unsent changes are applied on top of it, and are based on it from now on.
    case remote
    /// The server, which sent it automatically, as it happened.
    ///
    /// As for `remote`; a model whose version is older than the one in the store is left out.
    case live
    /// A cache.
    ///
    /// Unsent changes are applied on top of it.
    case cache
  }

  /// The changes, in this order.
  public var changes: [Change]

  /// The change of a list of models, which is made before the others; nil for none.
  ///
  /// Only a ``ListStore`` accepts it.
  package var list: ListWrite<Model>?

  /// The record to write to the ledger (the record of fetches) in the same commit; nil for none.
  public var stamp: FetchStamp?

  /// The origin of the models.
  package var source: Source

  /// The server's versions of the models.
  ///
  /// A model that is not among these has no version afterwards.
  package var versions: [VersionedModel<Model>]

  /// The keys of which the server said nothing, so that the store keeps its values under them.
  package var unsaid: UnsaidKeys

  /// The models with unsent writes that the server has removed, once those were spared.
  package var gone: [Model] = []

  /// How to queue the write for the server; nil for a write that the outbox does not send.
  package var outbox: OutboxNote<Model>?

  /// Creates a write.
  public init(_ changes: [Change], stamp: FetchStamp? = nil) {
    self.init(changes, stamp: stamp, source: .app)
  }

  /// Creates a write of models that are not the app's, or a write that is queued.
  package init(
    _ changes: [Change], stamp: FetchStamp? = nil, source: Source = .app,
    outbox: OutboxNote<Model>? = nil, versions: [VersionedModel<Model>] = [],
    unsaid: UnsaidKeys = .none
  ) {
    self.changes = changes
    self.stamp = stamp
    self.source = source
    self.outbox = outbox
    self.versions = versions
    self.unsaid = unsaid
  }
}

/// The values that the entries of a write are made with.
package struct OutboxNote<Model: Sendable>: Sendable {
  /// The date of the write.
  package var queuedAt: Date

  /// Returns the instances that a model refers to.
  package typealias References = @Sendable (Model) -> [Outbox.Reference]

  /// Returns a model that refers to renamed instances by their present names.
  package typealias Following =
    @Sendable (Model, _ renaming: (Outbox.Reference) throws -> OutboxRenaming?) throws -> Model

  /// Finds the instances that a model refers to, whose entries are sent before its own; nil for
  /// none.
  package var references: References?

  /// Updates what a model refers to, by the present names; nil for models that refer to none.
  package var following: Following?

  /// The unit of the entries, as in ``Outbox/Entry/unit``; nil for entries of their own.
  package var unit: Int64?

  /// How urgent the entries are.
  package var priority = Strategy.Priority.normal

  /// Records the id of an entry that the write takes back before it was sent; nil if nobody waits.
  ///
  /// It is called inside the transaction, because whoever the commit wakes asks immediately.
  package var recordWithdrawn: (@Sendable (String) -> Void)?

  /// Creates a note.
  package init(queuedAt: Date, references: References? = nil, following: Following? = nil) {
    self.queuedAt = queuedAt
    self.references = references
    self.following = following
  }
}

extension StoreWrite {
  /// Creates a write that changes a list.
  package init(
    list: ListWrite<Model>, _ changes: [Change] = [], stamp: FetchStamp? = nil,
    source: Source = .app, versions: [VersionedModel<Model>] = [], unsaid: UnsaidKeys = .none
  ) {
    self.init(changes, stamp: stamp, source: source, versions: versions, unsaid: unsaid)
    self.list = list
  }
}

/// The result of a ``StoreWrite``.
///
/// After a write that mirrors, it has the models that the store removed:
///
/// ```swift
/// let commit = try await store.commit(write)
/// print("version", commit.version ?? 0, "is without", commit.answers.joined().map(\.id))
/// ```
public struct StoreCommit<Model: Sendable>: Sendable, PlainlyPrinted {
  /// For each change, in order, the models that the repository's method of the same name returns.
  ///
  /// For `mirror` these are the removed models.
  public var answers: [[Model]]

  /// The present record in the ledger; nil if the write wrote none.
  public var record: FetchRecord?

  /// The version of the store's state that has the write; nil if the store counts none.
  ///
  /// If the write changed no model, it is the version from before.
  public var version: UInt64?

  /// Additional values, as in ``Response/metadata``.
  public var metadata: [String: any Sendable]

  /// The entries of a queued write that will send it.
  package var entries: [OutboxRow] = []

  /// The models that stay because of their unsent writes, and that the server has removed.
  package var gone: [Model] = []

  /// Whether the outbox now has entries on models of the write.
  package var isPending: Bool { !entries.isEmpty }

  /// Creates a commit.
  public init(
    answers: [[Model]], record: FetchRecord? = nil, version: UInt64? = nil,
    metadata: [String: any Sendable] = [:]
  ) {
    self.answers = answers
    self.record = record
    self.version = version
    self.metadata = metadata
  }

  /// Returns the models that the write's mirrors removed, or would have without unsent writes.
  package func removed(by write: StoreWrite<Model>) -> [Model] {
    var removed = gone
    for case (.mirror, let answer) in zip(write.changes, answers) { removed += answer }
    return removed
  }
}

/// A local repository that commits a ``StoreWrite`` as a whole.
///
/// ``InMemoryRepository`` does so for models, the SQLite repository for models, lists and the
/// ledger. On any other local repository Evocation performs a write step by step, the stamp last.
/// If the process ends in between, what was saved counts as old, and Evocation fetches it again.
///
/// A repository that wraps another one passes each write on as a whole:
///
/// ```swift
/// extension PrintingStore: TransactionalRepository {
///   var fetchLedger: (any FetchLedger)? { base.fetchLedger }
///
///   func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
///     print("saving", write.changes.count, "changes")
///     return try await base.commit(write)
///   }
/// }
/// ```
public protocol TransactionalRepository<Model>: Repository {
  /// The ledger in the same store, always with the same identity; nil if the store has none.
  var fetchLedger: (any FetchLedger)? { get }

  /// Makes all changes of a write, or none.
  ///
  /// If the stamp is for another ledger than this repository's, write it after the commit with
  /// ``FetchStamp/write()``. Otherwise write the record that ``FetchStamp/record(replacing:)``
  /// makes from the present one, in the same transaction.
  ///
  /// - Throws: What the store and ``FetchStamp/record(replacing:)`` throw. Nothing has changed
  ///   then.
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>
}

extension TransactionalRepository {
  /// Performs a write with whole models; a store of the outbox completes them itself.
  package func save(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    if write.unsaid.isEmpty || self is any OutboxStore<Model> { return try await commit(write) }
    return try await commit(write.completed(in: self))
  }
}

extension Repository {
  /// Performs a write: as a whole if the repository can, otherwise step by step.
  package func write(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    if let whole = self as? any TransactionalRepository<Model> {
      return try await whole.save(write)
    }
    return try await commitInSteps(write)
  }

  /// Performs a write step by step, the stamp last.
  package func commitInSteps(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    guard write.list == nil else { throw CacheError.notListable(model: "\(Model.self)") }
    var commit = StoreCommit<Model>(answers: [])
    for action in try await write.completed(in: self).changes {
      let response = try await perform(action)
      commit.answers.append(response.value)
      commit.metadata.merge(response.metadata) { $1 }
    }
    commit.record = try await write.stamp?.write()
    return commit
  }

  private func perform(_ action: StoreWrite<Model>.Change) async throws -> Response<[Model]> {
    switch action {
    case .store(let models): try await store(models)
    case .update(let models): try await update(models)
    case .storeOrUpdate(let models): try await storeOrUpdate(models)
    case .remove(let models): try await remove(models)
    case .mirror(let models, let criteria, let kept) where kept.isEmpty:
      try await mirror(models, for: criteria)
    case .mirror(let models, let criteria, let kept):
      try await mirror(models, for: criteria, keeping: kept)
    }
  }
}
