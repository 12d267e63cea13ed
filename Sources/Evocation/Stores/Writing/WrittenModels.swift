/// The models that the app wrote during a fetch, and their effect on the fetched models.
package struct WrittenModels<Model: Sendable>: Sendable {
  /// What happened to one model.
  package enum LastState: Sendable {
    /// The local store has written or removed it, so the local store's state is the newest.
    case kept(Model)
    /// Only the remote wrote it, and this is the remote's present model.
    case answered(Model)
    /// Only the remote removed it.
    case gone(Model)
    /// The service has said automatically that it is gone; the model is not known.
    case removed
  }

  private(set) var lastStates: [ModelID: LastState] = [:]

  /// Whether models without ids were written, which cannot be distinguished.
  package private(set) var isUnknown = false

  package init() {}

  /// Records the last states of a write's models, in place of earlier last states of the same models.
  ///
  /// - Returns: The replaced last states. Releasing a model may run the app's code, which must not happen
  ///   under a lock.
  package mutating func record(_ models: [Model], _ lastState: (Model) -> LastState) -> [LastState]
  {
    guard let ids = ModelID.all(of: models) else {
      isUnknown = isUnknown || !models.isEmpty
      return []
    }
    return zip(ids, models).compactMap { lastStates.updateValue(lastState($1), forKey: $0) }
  }

  /// Records that the service has removed models, in place of their earlier last states.
  mutating func record(removed ids: [ModelID]) {
    for id in ids { lastStates[id] = .removed }
  }

  var isEmpty: Bool { lastStates.isEmpty && !isUnknown }

  /// The models that the local store has written.
  package var kept: [Model] {
    lastStates.values.compactMap { if case .kept(let model) = $0 { model } else { nil } }
  }

  /// The models that only the remote wrote, as it has them, and those that only it removed.
  package var followed: (answered: [Model], gone: [Model]) {
    var followed: (answered: [Model], gone: [Model]) = ([], [])
    for lastState in lastStates.values {
      switch lastState {
      case .kept, .removed: continue
      case .answered(let model): followed.answered.append(model)
      case .gone(let model): followed.gone.append(model)
      }
    }
    return followed
  }

  /// Adds later writes, which take precedence, and returns the replaced last states.
  ///
  /// It adds the smaller dictionary to the larger one, so that repeated additions stay inexpensive.
  mutating func add(_ later: WrittenModels) -> [LastState] {
    isUnknown = isUnknown || later.isUnknown
    guard later.lastStates.count > lastStates.count else {
      return later.lastStates.compactMap { lastStates.updateValue($1, forKey: $0) }
    }
    var (larger, spare) = (later.lastStates, [LastState]())
    for (id, lastState) in lastStates {
      if larger[id] == nil { larger[id] = lastState } else { spare.append(lastState) }
    }
    lastStates = larger
    return spare
  }

  /// Returns the models to save of a fetch that began before the writes.
  package func applied(
    to fetched: [Model], versions: [String?] = [], unsaid: UnsaidKeys = .none
  ) -> FetchedModels<Model> {
    guard !lastStates.isEmpty, let ids = ModelID.all(of: fetched) else {
      return FetchedModels(fetched, versions: versions, unsaid: unsaid)
    }
    var (models, listed, writtenCount) = ([Model](), [Model](), 0)
    var known: [VersionedModel<Model>] = []
    for (index, (id, model)) in zip(ids, fetched).enumerated() {
      let lastState = lastStates[id]
      if lastState != nil { writtenCount += 1 }
      switch lastState {
      case nil:
        models.append(model)
        listed.append(model)
        if versions.indices.contains(index), let version = versions[index] {
          known.append(VersionedModel(model, version: version))
        }
      case .answered(let newer):
        models.append(newer)
        listed.append(newer)
      case .kept: listed.append(model)
      case .gone, .removed: continue
      }
    }
    return FetchedModels(
      models: models, listed: listed, kept: kept, versions: known, unsaid: unsaid,
      dropped: fetched.count - models.count, writtenCount: writtenCount)
  }
}
