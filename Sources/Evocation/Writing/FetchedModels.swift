/// What was fetched, apart from what the app wrote meanwhile.
///
/// It is a class to be one pointer wide in calls that fetched nothing.
final class FetchedModels<Model: Sendable>: Sendable {
  /// What is to be saved.
  let models: [Model]

  /// The same, and in their places the models that stay as local has them, where it has them.
  let listed: [Model]

  /// What is neither changed nor removed, whether it was fetched or not.
  let kept: [Model]

  /// The service's versions of the saved models, of those that have one.
  let versions: [VersionedModel<Model>]

  /// How many were fetched that are not to be saved.
  let dropped: Int

  private let writtenCount: Int

  init(
    _ models: [Model], listed: [Model], kept: [Model], dropped: Int, writtenCount: Int,
    versions: [VersionedModel<Model>]
  ) {
    self.models = models
    self.versions = versions
    self.listed = listed
    self.kept = kept
    self.dropped = dropped
    self.writtenCount = writtenCount
  }

  /// All of what was fetched, because nothing was written.
  convenience init(_ models: [Model], versions: [String?] = []) {
    self.init(
      models, listed: models, kept: [], dropped: 0, writtenCount: 0,
      versions: versions.isEmpty ? [] : VersionedModel.known(models, versions))
  }

  /// Whether there is nothing left of it to be saved.
  var isWhollyDropped: Bool { models.isEmpty && dropped > 0 }

  /// The remark for the trace, or nil where all is saved.
  var note: String? {
    switch writtenCount {
    case 0: nil
    case 1: "1 model was written meanwhile and stays as it is"
    default: "\(writtenCount) models were written meanwhile and stay as they are"
    }
  }

  /// The write that saves it: a mirror of the criteria, or an addition where there are none.
  func write(
    for criteria: Criteria?, _ stamp: FetchStamp? = nil,
    source: StoreWrite<Model>.Source = .remote
  ) -> StoreWrite<Model> {
    if let criteria {
      let mirror = StoreWrite<Model>.Change.mirror(
        models, for: self.criteria(criteria), keeping: kept)
      return StoreWrite([mirror], stamp: stamp, source: source, versions: versions)
    }
    let actions: [StoreWrite<Model>.Change] = isWhollyDropped ? [] : [.storeOrUpdate(models)]
    return StoreWrite(actions, stamp: stamp, source: source, versions: versions)
  }

  /// The criteria whose answer the saved models are: a page has room for so many fewer.
  func criteria(_ criteria: Criteria) -> Criteria {
    guard dropped > 0, let limit = criteria.limit else { return criteria }
    return criteria.limit(max(0, limit - dropped))
  }
}
