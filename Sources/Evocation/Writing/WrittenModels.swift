/// Which models the app wrote while somebody fetched, and what that makes of what was fetched.
struct WrittenModels<Model: Sendable>: Sendable {
  /// What holds of one model; the model itself says which it is.
  enum Fate: Sendable {
    /// Local has written it, so what local has, or has no longer, is the newest.
    case kept(Model)
    /// The remote alone wrote it, and this is what it has now.
    case answered(Model)
    /// The remote alone removed it.
    case gone(Model)
  }

  private(set) var fates: [ModelID: Fate] = [:]

  /// Whether models without ids were written, which cannot be told apart.
  private(set) var isUnknown = false

  /// Notes what a write did, in place of what was known of the same models.
  ///
  /// - Returns: What is no longer needed. Releasing a model may run the app's code, which must not
  ///   happen under a lock.
  mutating func note(_ models: [Model], _ fate: (Model) -> Fate) -> [Fate] {
    guard let ids = ModelID.all(of: models) else {
      isUnknown = isUnknown || !models.isEmpty
      return []
    }
    return zip(ids, models).compactMap { fates.updateValue(fate($1), forKey: $0) }
  }

  var isEmpty: Bool { fates.isEmpty && !isUnknown }

  /// The models that local has written.
  var kept: [Model] {
    fates.values.compactMap { if case .kept(let model) = $0 { model } else { nil } }
  }

  /// The models that the remote alone wrote, as it has them, and those that it alone removed.
  var followed: (answered: [Model], gone: [Model]) {
    var followed: (answered: [Model], gone: [Model]) = ([], [])
    for fate in fates.values {
      switch fate {
      case .kept: continue
      case .answered(let model): followed.answered.append(model)
      case .gone(let model): followed.gone.append(model)
      }
    }
    return followed
  }

  /// Adds what was written later, which counts for more; gives what is no longer needed.
  ///
  /// The smaller one is put into the larger, so that what is added again and again stays cheap.
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

  /// What is to be saved of what was fetched before.
  func applied(to fetched: [Model], versions: [String?] = []) -> FetchedModels<Model> {
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
      case .gone: continue
      }
    }
    return FetchedModels(
      models, listed: listed, kept: kept, dropped: fetched.count - models.count,
      writtenCount: writtenCount, versions: known)
  }
}
