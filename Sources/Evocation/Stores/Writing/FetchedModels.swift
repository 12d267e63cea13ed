/// The models of a fetch, without those that the app has written in the meantime.
///
/// It is a class to be one pointer wide, as what generic calls pass on has to be (`find, async, and
/// local is synced`).
package final class FetchedModels<Model: Sendable>: Sendable {
  /// The models to save.
  package let models: [Model]

  /// The models to save, and at their positions the models that stay as the local store has them.
  package let listed: [Model]

  /// The models that are neither changed nor removed, whether they were fetched or not.
  package let kept: [Model]

  /// The server's versions of those saved models that have one.
  package let versions: [VersionedModel<Model>]

  /// The keys of which the answer says nothing.
  package let unsaid: UnsaidKeys

  /// The number of fetched models that are not saved.
  package let dropped: Int

  /// The number of models that were written in the meantime.
  let writtenCount: Int

  package init(
    models: [Model], listed: [Model], kept: [Model] = [], versions: [VersionedModel<Model>],
    unsaid: UnsaidKeys = .none, dropped: Int = 0, writtenCount: Int = 0
  ) {
    self.models = models
    self.listed = listed
    self.kept = kept
    self.versions = versions
    self.unsaid = unsaid
    self.dropped = dropped
    self.writtenCount = writtenCount
  }

  /// Creates the models of a fetch during which nothing was written.
  package convenience init(
    _ models: [Model], versions: [String?] = [], unsaid: UnsaidKeys = .none
  ) {
    self.init(
      models: models, listed: models,
      versions: versions.isEmpty ? [] : VersionedModel.known(models, versions), unsaid: unsaid)
  }

  /// Whether none of the fetched models is left to save.
  package var isWhollyDropped: Bool { dropped > 0 && models.isEmpty }

  /// The remark for the trace; nil if all models are saved.
  package var note: String? {
    switch writtenCount {
    case 0: nil
    case 1: "1 model was written in the meantime and stays as it is"
    default: "\(writtenCount) models were written in the meantime and stay as they are"
    }
  }

  /// Returns the write that saves the models.
  ///
  /// With criteria, of which they are all that match, it mirrors them. Without criteria it inserts
  /// or updates. Of an answer that shows none to be gone, it does so with criteria too.
  package func write(
    for criteria: Criteria?, _ stamp: FetchStamp? = nil,
    source: StoreWrite<Model>.Source = .remote
  ) -> StoreWrite<Model> {
    if let gone = criteria.flatMap({ unsaid.removable($0.unlimited) }) {
      let mirror = StoreWrite<Model>.Change.mirror(models, for: gone, keeping: kept)
      return StoreWrite(
        [mirror], stamp: stamp, source: source, versions: versions, unsaid: unsaid)
    }
    let actions: [StoreWrite<Model>.Change] = isWhollyDropped ? [] : [.storeOrUpdate(models)]
    return StoreWrite(
      actions, stamp: stamp, source: source, versions: versions, unsaid: unsaid)
  }
}
