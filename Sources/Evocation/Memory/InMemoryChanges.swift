/// What one commit changed in memory.
struct InMemoryChanges<Model: Sendable>: Sendable {
  var stored: [Model] = []
  var updated: [RepositoryChange<Model>.Update] = []
  var removed: [Model] = []

  /// Whether no model was touched.
  var isEmpty: Bool { stored.isEmpty && updated.isEmpty && removed.isEmpty }

  /// The change as observers are told.
  func asRepositoryChange(version: UInt64) -> RepositoryChange<Model> {
    .models(stored: stored, updated: updated, removed: removed, version: version)
  }
}
