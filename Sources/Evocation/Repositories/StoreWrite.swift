package import Foundation

/// A write to a local store that is committed as a whole or not at all.
///
/// ```swift
/// let write = StoreWrite([.mirror(cars, for: ["year": 2002])], stamp: stamp)
/// let commit = try await store.commit(write)
/// ```
///
/// All that is fetched is saved as one of these: models, the removal of those that the answer does
/// not have, and the record of the fetch.
public struct StoreWrite<Model: Sendable>: Sendable {
  /// One change of the store.
  public enum Change: Sendable {
    /// Adds models; the write fails when one with the same id is there already.
    case store([Model])
    /// Changes the models that are there.
    case update([Model])
    /// Adds those models that are not there, and changes the others.
    case storeOrUpdate([Model])
    /// Removes models by their ids.
    case remove([Model])
    /// Adds or changes models, and removes what matches the criteria and is not among them.
    ///
    /// Kept models are neither changed nor removed, nor added; only their ids count. A limit of the
    /// criteria counts `models` alone; with an offset nothing is removed.
    case mirror([Model], for: Criteria, keeping: [Model] = [])
  }

  /// Whose word the models are.
  package enum Source: Sendable, Hashable {
    /// The app's: the write is carried out as it is.
    case app
    /// The remote's: unsent writes lie over it, and it becomes what they are based on.
    case remote
    /// A cache's: unsent writes lie over it.
    case cache
  }

  /// The changes, in this order.
  public var changes: [Change]

  /// The change of a list of models, which comes before the others; nil for none.
  ///
  /// Only a ``ListStore`` takes it.
  package var list: ListWrite<Model>?

  /// The record to write to the ledger with it; nil for none.
  public var stamp: FetchStamp?

  /// Whose word the models are.
  package var source: Source

  /// The service's versions of the models; one of which nothing is said here has none from now on.
  package var versions: [VersionedModel<Model>]

  /// What is queued with it for the remote; nil for a write that the outbox does not send.
  package var outbox: OutboxNote<Model>?

  /// Makes a write.
  public init(_ changes: [Change], stamp: FetchStamp? = nil) {
    self.init(changes, stamp: stamp, source: .app)
  }

  /// Makes a write of what somebody else than the app says, or that is queued.
  package init(
    _ changes: [Change], stamp: FetchStamp? = nil, source: Source = .app,
    outbox: OutboxNote<Model>? = nil, versions: [VersionedModel<Model>] = []
  ) {
    self.changes = changes
    self.stamp = stamp
    self.source = source
    self.outbox = outbox
    self.versions = versions
  }
}

/// What the entries of a write are made with.
package struct OutboxNote<Model: Sendable>: Sendable {
  /// When the write was made.
  package var queuedAt: Date

  /// Gives the instances that a model refers to.
  package typealias References = @Sendable (Model) -> [Outbox.Reference]

  /// Gives a model with what it refers to as that is called now.
  package typealias Following =
    @Sendable (Model, _ renaming: (Outbox.Reference) throws -> OutboxRenaming?) throws -> Model

  /// The instances that a model refers to, whose entries are sent before its own; nil for none.
  package var references: References?

  /// Has a model refer to instances as they are called now; nil for models that refer to none.
  package var following: Following?

  /// The unit that the entries belong to, as ``Outbox/Entry/unit`` says; nil for entries of their own.
  package var unit: Int64?

  /// Makes a note.
  package init(queuedAt: Date, references: References? = nil, following: Following? = nil) {
    self.queuedAt = queuedAt
    self.references = references
    self.following = following
  }
}

extension StoreWrite {
  /// What the changes were called.
  @available(*, deprecated, renamed: "Change")
  public typealias Action = Change

  /// The changes, in this order.
  @available(*, deprecated, renamed: "changes")
  public var actions: [Change] { changes }
}

extension StoreWrite {
  /// Makes a write that changes a list.
  package init(
    list: ListWrite<Model>, _ changes: [Change] = [], stamp: FetchStamp? = nil,
    source: Source = .app, versions: [VersionedModel<Model>] = []
  ) {
    self.init(changes, stamp: stamp, source: source, versions: versions)
    self.list = list
  }
}

/// The result of a ``StoreWrite``.
public struct StoreCommit<Model: Sendable>: Sendable {
  /// For each change, in order, the models that the repository's method of the same name gives.
  ///
  /// Those of `mirror` are the removed ones.
  public var answers: [[Model]]

  /// The ledger's record now; nil where none was written.
  public var record: FetchRecord?

  /// The version of the store's state that has the write; nil where the store counts none.
  ///
  /// Where the write changed no model, it is the version from before.
  public var version: UInt64?

  /// Additional values, as in ``Response/metadata``.
  public var metadata: [String: any Sendable]

  /// The entries that say so to the remote, for a write that was queued.
  package var entries: [OutboxRow] = []

  /// The ids of entries that a queued write has taken back before they left.
  package var withdrawn: [String] = []

  /// Whether the outbox now has entries on models of the write.
  package var isPending: Bool { !entries.isEmpty }

  /// Makes a commit.
  public init(
    answers: [[Model]], record: FetchRecord? = nil, version: UInt64? = nil,
    metadata: [String: any Sendable] = [:]
  ) {
    self.answers = answers
    self.record = record
    self.version = version
    self.metadata = metadata
  }

  /// The models that the write's mirrors removed.
  func removed(by write: StoreWrite<Model>) -> [Model] {
    zip(write.changes, answers).flatMap { action, answer -> [Model] in
      guard case .mirror = action else { return [] }
      return answer
    }
  }
}

/// A local repository that commits a ``StoreWrite`` as a whole.
///
/// ``InMemoryRepository`` does so for models, the one on SQLite for models, lists and the ledger.
/// On any other local repository a write is done step by step, the stamp last: if the process ends
/// in between, what was saved counts as old and is fetched again.
public protocol TransactionalRepository<Model>: Repository {
  /// The ledger in the same store, always with the same identity; nil where there is none.
  var fetchLedger: (any FetchLedger)? { get }

  /// Makes all changes of a write, or none.
  ///
  /// A stamp for another ledger than this repository's is written after the commit, by
  /// ``FetchStamp/write()``. ``FetchStamp/record(replacing:)`` makes the record to write from the
  /// one that the ledger then holds.
  ///
  /// - Throws: What the store and ``FetchStamp/record(replacing:)`` throw; nothing was changed then.
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>
}

extension Repository {
  /// Carries out a write: as a whole where the repository can, or else step by step.
  func land(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    if let whole = self as? any TransactionalRepository<Model> {
      return try await whole.commit(write)
    }
    return try await commitInSteps(write)
  }

  /// Carries out a write step by step, the stamp last.
  func commitInSteps(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    guard write.list == nil else { throw CacheError.notListable(model: "\(Model.self)") }
    var commit = StoreCommit<Model>(answers: [])
    for action in write.changes {
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
