/// An action of a call: its name, the action whose rule it follows, and the repository method.
///
/// Each action is in one file with the calls that your app makes. It is a type without values, so
/// that a call knows its action without looking anything up.
package protocol CallAction: SendableMetatype {
  /// The call's name.
  static var name: String { get }
  /// The action whose rule applies.
  static var action: Strategy.Action { get }
}

/// A call that changes nothing.
package protocol ReadAction: CallAction {
  /// Whether it answers with models, which can be saved to the second repository.
  static var givesModels: Bool { get }
  /// Whether it counts only up to one.
  static var countsToOne: Bool { get }
  /// Whether it finds the first model that matches.
  static var findsOne: Bool { get }
  /// Returns the criteria for the part of the matching models that it reads.
  static func scope(of criteria: Criteria) -> Criteria

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model>
}

/// A call that inserts, updates or removes models.
///
/// Calls on one model get an array of one, and answer with an array of at most one.
package protocol WriteAction: CallAction {
  /// Whether it takes any number of models, so that it has nothing to do for none.
  static var isBulk: Bool { get }
  /// The change that it makes to each model.
  static var kind: Outbox.EntryKind { get }

  static func ask<Model>(
    _ repository: any Repository<Model>, with models: [Model]
  ) async throws -> Answer<Model>
}

extension ReadAction {
  package static var givesModels: Bool { true }
  package static var countsToOne: Bool { false }
  package static var findsOne: Bool { false }
  package static func scope(of criteria: Criteria) -> Criteria { criteria }
}

extension WriteAction {
  package static var isBulk: Bool { true }
}

/// The answer of a repository: models, or only their number.
///
/// A single model is an array of one here, so that the routing is written once, and nothing in it
/// depends on a model's size. The answer has four words and no more, because the runtime would look
/// up the type of a longer one (`find, async`).
package struct Answer<Model: Sendable>: Sendable {
  let models: [Model]
  let count: Int
  let values: [String: any Sendable]
  private let note: Note

  /// Further facts about the models.
  private enum Note: Sendable {
    case nothing
    /// The outbox has the write, in these entries.
    case pending([OutboxRow])
    /// The server's version of each model.
    case versions([String?])
  }

  init(_ response: Response<[Model]>) {
    models = response.value
    count = response.value.count
    values = response.values
    note = response.versions.isEmpty ? .nothing : .versions(response.versions)
  }

  // Always inlined, because it would otherwise look up two types that its caller knows.
  @inline(__always)
  init(_ response: Response<Model?>) {
    models = if let model = response.value { [model] } else { [] }
    count = models.count
    values = response.values
    note = response.versions.isEmpty ? .nothing : .versions(response.versions)
  }

  /// Creates the answer to a copy: the number of saved models, and those that were removed for
  /// them.
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

  /// Creates the same answer with other states of its models.
  init(_ answer: Answer, _ models: [Model]) {
    self.models = models
    (count, values, note) = (answer.count, answer.values, answer.note)
  }

  init(count: Int, values: [String: any Sendable] = [:]) {
    models = []
    self.count = count
    self.values = values
    note = .nothing
  }

  /// The outbox entries of the write; nil if there are none.
  var entries: [OutboxRow]? { if case .pending(let entries) = note { entries } else { nil } }

  /// The server's version of each model; empty if the repository knows none.
  var versions: [String?] { if case .versions(let versions) = note { versions } else { [] } }
}

/// An action with its arguments.
///
/// It is indirect to be one pointer wide.
package indirect enum Operation<Model: Sendable>: Sendable {
  case read(any ReadAction.Type, Criteria)
  case write(any WriteAction.Type, [Model])
  /// A find of the changes since a change token.
  case changes(ChangesRequest<Model>)

  /// Returns the same operation, in which equalities of some keys give parameters their values.
  func declaring(_ parameters: Set<Criteria.Key>) -> Self {
    guard case .read(let action, let criteria) = self else { return self }
    return .read(action, criteria.declaring(parameters))
  }

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

  /// The criteria of a read; nil for a write.
  var criteria: Criteria? {
    switch self {
    case .read(let read, let criteria): read.scope(of: criteria)
    case .changes(let request): request.criteria
    case .write: nil
    }
  }

  /// The criteria whose last fetch brought what a read asks for: its own, and for a single model also
  /// those of a find.
  var fetchedCriteria: [Criteria] {
    guard case .read(let read, let criteria) = self else { return [] }
    let scope = read.scope(of: criteria)
    return scope == criteria ? [scope] : [scope, criteria]
  }

  /// The models of a write; none for a read.
  var models: [Model] {
    switch self {
    case .read, .changes: []
    case .write(_, let models): models
    }
  }

  /// Whether the answer has models, which can be saved to the second repository.
  var givesModels: Bool {
    switch self {
    case .read(let read, _): read.givesModels
    case .write, .changes: true
    }
  }

  /// Whether it is a bulk call without models.
  var hasNothingToDo: Bool {
    switch self {
    case .read, .changes: false
    // Not `isEmpty`, for which the type of the array would be looked up.
    case .write(let write, let models): models.count == 0 && write.isBulk
    }
  }

  /// Calls the repository's method of the same name.
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
    return try await outbox.queue(write.kind, models, note: note)
  }

  /// Saves the target's answer to the second repository, in one transaction if that has
  /// transactions.
  func copy(
    _ copy: FetchedCopy<Model>, to repository: any Repository<Model>,
    whole: (any TransactionalRepository<Model>)?, sparesUnsent: Bool
  ) async throws -> Answer<Model> {
    let models = copy.fetched.models
    switch self {
    case .write(let write, _) where write.action.isRemoval:
      return Answer(try await repository.remove(models))
    case .write, .changes:
      guard sparesUnsent || !copy.fetched.unsaid.isEmpty else {
        return Answer(try await repository.storeOrUpdate(models))
      }
      guard let whole else {
        let commit = try await repository.commitInSteps(copy.fetched.write(for: nil))
        return Answer(copied: models.count, removed: [], values: commit.metadata)
      }
      return try await upsert(copy.fetched, in: whole)
    case .read(_, let criteria):
      if copy.stamp == nil, !copy.isMirroring, let whole {
        return try await upsert(copy.fetched, in: whole)
      }
      if whole == nil, !copy.isMirroring, copy.fetched.unsaid.isEmpty {
        // Does the same as `commitInSteps`, without its generic types
        // (`find, async, and local is synced`).
        let response = try await repository.storeOrUpdate(models)
        try await copy.stamp?.write()
        return Answer(
          copied: response.value.count, removed: [], values: response.metadata)
      }
      let write = copy.fetched.write(for: copy.isMirroring ? criteria : nil, copy.stamp)
      let commit =
        if let whole {
          try await whole.save(write)
        } else {
          try await repository.commitInSteps(write)
        }
      return Answer(
        copied: models.count, removed: copy.isMirroring ? commit.removed(by: write) : [],
        values: commit.metadata)
    }
  }

  private func upsert(
    _ fetched: FetchedModels<Model>, in whole: any TransactionalRepository<Model>
  ) async throws -> Answer<Model> {
    let models = fetched.models
    let write = StoreWrite(
      [.storeOrUpdate(models)], source: .remote, versions: fetched.versions,
      unsaid: fetched.unsaid)
    let commit = try await whole.save(write)
    return Answer(copied: models.count, removed: [], values: commit.metadata)
  }
}
