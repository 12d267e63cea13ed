/// The models that the app wrote during a fetch, and their effect on the fetched models.
package struct WrittenModels<Model: Sendable>: Sendable {
  /// What happened to one model.
  package enum Fate: Sendable {
    /// The local store has written or removed it, so the local store's state is the newest.
    case kept(Model)
    /// Only the remote wrote it, and this is the remote's present model.
    case answered(Model)
    /// Only the remote removed it.
    case gone(Model)
    /// The service has said automatically that it is gone; the model is not known.
    case removed
  }

  private(set) var fates: [ModelID: Fate] = [:]

  /// Whether models without ids were written, which cannot be distinguished.
  package private(set) var isUnknown = false

  package init() {}

  /// Records the fates of a write's models, in place of earlier fates of the same models.
  ///
  /// - Returns: The replaced fates. Releasing a model may run the app's code, which must not happen
  ///   under a lock.
  package mutating func note(_ models: [Model], _ fate: (Model) -> Fate) -> [Fate] {
    guard let ids = ModelID.all(of: models) else {
      isUnknown = isUnknown || !models.isEmpty
      return []
    }
    return zip(ids, models).compactMap { fates.updateValue(fate($1), forKey: $0) }
  }

  /// Records that the service has removed models, in place of their earlier fates.
  mutating func note(removed ids: [ModelID]) {
    for id in ids { fates[id] = .removed }
  }

  var isEmpty: Bool { fates.isEmpty && !isUnknown }

  /// The models that the local store has written.
  package var kept: [Model] {
    fates.values.compactMap { if case .kept(let model) = $0 { model } else { nil } }
  }

  /// The models that only the remote wrote, as it has them, and those that only it removed.
  package var followed: (answered: [Model], gone: [Model]) {
    var followed: (answered: [Model], gone: [Model]) = ([], [])
    for fate in fates.values {
      switch fate {
      case .kept, .removed: continue
      case .answered(let model): followed.answered.append(model)
      case .gone(let model): followed.gone.append(model)
      }
    }
    return followed
  }

  /// Adds later writes, which take precedence, and returns the replaced fates.
  ///
  /// It adds the smaller dictionary to the larger one, so that repeated additions stay inexpensive.
  mutating func add(_ later: WrittenModels) -> [Fate] {
    isUnknown = isUnknown || later.isUnknown
    guard later.fates.count > fates.count else {
      return later.fates.compactMap { fates.updateValue($1, forKey: $0) }
    }
    var (larger, spare) = (later.fates, [Fate]())
    for (id, fate) in fates {
      if larger[id] == nil { larger[id] = fate } else { spare.append(fate) }
    }
    fates = larger
    return spare
  }

  /// Returns the models to save of a fetch that began before the writes.
  package func applied(to fetched: [Model], versions: [String?] = []) -> FetchedModels<Model> {
    guard !fates.isEmpty, let ids = ModelID.all(of: fetched) else {
      return FetchedModels(fetched, versions: versions)
    }
    var (models, listed, writtenCount) = ([Model](), [Model](), 0)
    var known: [VersionedModel<Model>] = []
    for (index, (id, model)) in zip(ids, fetched).enumerated() {
      let fate = fates[id]
      if fate != nil { writtenCount += 1 }
      switch fate {
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
      models: models, listed: listed, kept: kept, versions: known,
      dropped: fetched.count - models.count, writtenCount: writtenCount)
  }
}
