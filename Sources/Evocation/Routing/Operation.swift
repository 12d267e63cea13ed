/// What one of the calls does: its name, whose rule it follows, and what it asks of a repository.
///
/// Each stands in one file with the calls that an app makes. It is a type without values, so that a
/// call knows its action without looking anything up.
protocol CallAction: SendableMetatype {
  /// The call's name.
  static var name: String { get }
  /// The action whose rule applies.
  static var action: Strategy.Action { get }
}

/// A call that leaves everything as it is.
protocol ReadAction: CallAction {
  /// Whether it answers models, which the counterpart can be given.
  static var givesModels: Bool { get }
  /// Whether it counts no further than to one.
  static var countsToOne: Bool { get }
  /// Which part of what the criteria ask for it reads.
  static func scope(of criteria: Criteria) -> Criteria

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model>
}

/// A call that adds, changes or removes models.
///
/// Those that concern one model are given an array of one, and answer an array of at most one.
protocol WriteAction: CallAction {
  /// Whether it takes any number of models, so that with none there is nothing to do.
  static var isBulk: Bool { get }
  /// What it does to each model.
  static var kind: Outbox.EntryKind { get }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model>
}

extension ReadAction {
  static var givesModels: Bool { true }
  static var countsToOne: Bool { false }
  static func scope(of criteria: Criteria) -> Criteria { criteria }
}

extension WriteAction {
  static var isBulk: Bool { true }
}

/// What a repository answered: models, or only how many there are.
///
/// A single model is an array of one here, so that the routing is written once and nothing on the
/// way depends on a model's size. It has four words and no more, because the runtime would look up the
/// type of a longer one (`find, async`).
struct Answer<Model: Sendable>: Sendable {
  let models: [Model]
  let count: Int
  let values: [String: any Sendable]
  private let note: Note

  /// What else there is to say of the models.
  private enum Note: Sendable {
    case nothing
    /// The outbox holds what was written, in these entries.
    case pending([OutboxRow])
    /// The service's version of each.
    case versions([String?])
  }

  init(_ response: Response<[Model]>) {
    models = response.value
    count = response.value.count
    values = response.metadata
    note = response.versions.isEmpty ? .nothing : .versions(response.versions)
  }

  // Always inlined, because it would look up the types of both that its caller knows.
  @inline(__always)
  init(_ response: Response<Model?>) {
    models = if let model = response.value { [model] } else { [] }
    count = models.count
    values = response.metadata
    note = response.versions.isEmpty ? .nothing : .versions(response.versions)
  }

  /// The answer to what is copied: how many were given, and which were removed for them.
  init(copied count: Int, removed: [Model], values: [String: any Sendable]) {
    models = removed
    self.count = count
    self.values = values
    note = .nothing
  }

  init(_ write: QueuedWrite<Model>) {
    models = write.models
    count = models.count
    values = [:]
    note = write.isPending ? .pending(write.entries) : .nothing
  }

  init(count: Int) {
    models = []
    self.count = count
    values = [:]
    note = .nothing
  }

  /// The entries in which the outbox holds what was written; nil where it does not.
  var entries: [OutboxRow]? { if case .pending(let entries) = note { entries } else { nil } }

  /// The service's version of each model; empty where the repository knows none.
  var versions: [String?] { if case .versions(let versions) = note { versions } else { [] } }
}

/// An action with what it was given.
///
/// It is indirect to be one pointer wide.
indirect enum Operation<Model: Sendable>: Sendable {
  case read(any ReadAction.Type, Criteria)
  case write(any WriteAction.Type, [Model])
  /// A find of what changed since a mark.
  case changes(ChangesRequest<Model>)

  /// The action whose rule applies.
  var action: Strategy.Action {
    switch self {
    case .read(let read, _): read.action
    case .write(let write, _): write.action
    case .changes: .find
    }
  }

  /// The call's name.
  var name: String {
    switch self {
    case .read(let read, _): read.name
    case .write(let write, _): write.name
    case .changes: "find"
    }
  }

  var isRead: Bool {
    switch self {
    case .read, .changes: true
    case .write: false
    }
  }

  /// What is read; nil for a write.
  var criteria: Criteria? {
    switch self {
    case .read(let read, let criteria): read.scope(of: criteria)
    case .changes(let request): request.criteria
    case .write: nil
    }
  }

  /// The models that a write was given; none for a read.
  var models: [Model] {
    switch self {
    case .read, .changes: []
    case .write(_, let models): models
    }
  }

  /// Whether the answer is models, which the counterpart can be given.
  var givesModels: Bool {
    switch self {
    case .read(let read, _): read.givesModels
    case .write, .changes: true
    }
  }

  /// Whether it is a bulk call that was given no models.
  var hasNothingToDo: Bool {
    switch self {
    case .read, .changes: false
    // Not `isEmpty`, for which the type of the array would be looked up.
    case .write(let write, let models): models.count == 0 && write.isBulk
    }
  }

  /// Asks the repository's method of the same name.
  @inline(__always)
  func ask(_ repository: any Repository<Model>) async throws -> Answer<Model> {
    switch self {
    case .read(let read, let criteria): try await read.ask(repository, for: criteria)
    case .write(let write, let models): try await write.ask(repository, with: models)
    case .changes(let request): try await request.ask(repository)
    }
  }

  /// Writes to a local store, and queues the write for the remote; nil for a read.
  func queue(
    _ note: OutboxNote<Model>, in outbox: any OutboxStore<Model>
  ) async throws -> QueuedWrite<Model>? {
    guard case .write(let write, let models) = self else { return nil }
    return try await outbox.queue(write.kind, models, note)
  }

  /// Gives the counterpart what the target answered; whole where it takes a write whole.
  func copy(
    _ copy: FetchedCopy<Model>, to repository: any Repository<Model>,
    _ whole: (any TransactionalRepository<Model>)?, sparesUnsent: Bool
  ) async throws -> Answer<Model> {
    let models = copy.fetched.models
    switch self {
    case .write(let write, _) where write.action.isRemoval:
      return Answer(try await repository.remove(models))
    case .write, .changes:
      guard sparesUnsent, let whole else {
        return Answer(try await repository.storeOrUpdate(models))
      }
      return try await upsert(copy.fetched, in: whole)
    case .read(let read, let criteria):
      // What was not found leaves nothing that matches, whatever the limit.
      let isNothing = models.isEmpty && copy.fetched.dropped == 0
      let scope = isNothing ? criteria : read.scope(of: criteria)
      if copy.stamp == nil, !copy.isMirroring, sparesUnsent, let whole {
        return try await upsert(copy.fetched, in: whole)
      }
      if whole == nil || copy.stamp == nil, !copy.isMirroring {
        // As `commitInSteps` does, without its generic types (`find, async, and local is synced`).
        let response = try await repository.storeOrUpdate(models)
        try await copy.stamp?.write()
        return Answer(
          copied: response.value.count, removed: [], values: response.metadata)
      }
      let write = copy.fetched.write(for: copy.isMirroring ? scope : nil, copy.stamp)
      let commit =
        if let whole {
          try await whole.commit(write)
        } else {
          try await repository.commitInSteps(write)
        }
      return Answer(
        copied: models.count, removed: commit.removed(by: write), values: commit.metadata)
    }
  }

  private func upsert(
    _ fetched: FetchedModels<Model>, in whole: any TransactionalRepository<Model>
  ) async throws -> Answer<Model> {
    let models = fetched.models
    let write = StoreWrite(
      [.storeOrUpdate(models)], source: .remote, versions: fetched.versions)
    let commit = try await whole.commit(write)
    return Answer(copied: models.count, removed: [], values: commit.metadata)
  }
}
