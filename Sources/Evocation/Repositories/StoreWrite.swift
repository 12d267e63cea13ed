/// A write to a local store that is taken whole: all of it is committed, or nothing.
///
/// ```swift
/// let write = StoreWrite([.mirror(cars, for: ["year": 2002])], stamp: stamp)
/// let commit = try await store.commit(write)
/// ```
///
/// Whatever is fetched comes down to the local repository as one of these: models and what is removed
/// because the answer does not have it, the page of a list, and when it was fetched.
public struct StoreWrite<Model: Sendable>: Sendable {
  /// One thing that is done to the store.
  public enum Action: Sendable {
    /// Adds models; the write fails when one with the same id is there.
    case store([Model])
    /// Changes the models that are there.
    case update([Model])
    /// Adds those models that are not there, and changes the others.
    case storeOrUpdate([Model])
    /// Removes models by their ids.
    case remove([Model])
    /// Adds or changes models, and removes what matches the criteria and is not among them.
    ///
    /// What is kept is neither changed nor removed, and not added; only its ids count. A limit of the
    /// criteria counts `models` alone; with an offset nothing is removed.
    case mirror([Model], for: Criteria, keeping: [Model] = [])
    /// Changes a list of models; only a ``ListStore`` is given one.
    case list(ListWrite<Model>)
  }

  /// What is done, in this order.
  public var actions: [Action]

  /// What the ledger is to remember with it; nil for nothing.
  public var stamp: FetchStamp?

  /// Makes a write.
  public init(_ actions: [Action], stamp: FetchStamp? = nil) {
    self.actions = actions
    self.stamp = stamp
  }
}

/// What became of a ``StoreWrite``.
public struct StoreCommit<Model: Sendable>: Sendable {
  /// For each action, in order, what the repository's method of the same name answers.
  ///
  /// That of `mirror` is what it removed; a change of a list has none.
  public var answers: [[Model]]

  /// What the ledger remembers now; nil where nothing was to be remembered.
  public var record: FetchRecord?

  /// The version of the store's state that has the write; nil where none are counted.
  ///
  /// Where the write changed no model it is the version that was there.
  public var version: UInt64?

  /// What the repository adds, as in ``Response/metadata``.
  public var metadata: [String: any Sendable]

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
}

/// A local repository that takes a ``StoreWrite`` whole.
///
/// ``InMemoryRepository`` is one for models, and the one on SQLite for models, lists and the ledger. To
/// any other local repository a write is made step by step, the stamp last: where the process ends
/// in between, what was saved counts as old and is fetched again.
public protocol TransactionalRepository<Model>: Repository {
  /// The ledger in the same store, always one of the same identity; nil where there is none.
  var fetchLedger: (any FetchLedger)? { get }

  /// Does all that the write says, or nothing.
  ///
  /// A stamp whose ledger is not this repository's own is written behind the commit, by
  /// ``FetchStamp/write()``. Of the record that the ledger holds at that moment,
  /// ``FetchStamp/record(replacing:)`` makes the one to be written.
  ///
  /// - Throws: What the store throws, and ``OutdatedStamp``; nothing was done then.
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>
}

extension Repository {
  /// Does what a write says: whole where the repository can, or else step by step.
  func land(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    if let whole = self as? any TransactionalRepository<Model> {
      return try await whole.commit(write)
    }
    return try await commitInSteps(write)
  }

  /// Does what a write says step by step, the stamp last.
  func commitInSteps(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    var commit = StoreCommit<Model>(answers: [])
    for action in write.actions {
      let response = try await perform(action)
      commit.answers.append(response.value)
      commit.metadata.merge(response.metadata) { $1 }
    }
    commit.record = try await write.stamp?.write()
    return commit
  }

  private func perform(_ action: StoreWrite<Model>.Action) async throws -> Response<[Model]> {
    switch action {
    case .store(let models): try await store(models)
    case .update(let models): try await update(models)
    case .storeOrUpdate(let models): try await storeOrUpdate(models)
    case .remove(let models): try await remove(models)
    case .mirror(let models, let criteria, let kept) where kept.isEmpty:
      try await mirror(models, for: criteria)
    case .mirror(let models, let criteria, let kept):
      try await mirror(models, for: criteria, keeping: kept)
    case .list: throw CacheError.notListable(model: "\(Model.self)")
    }
  }
}
