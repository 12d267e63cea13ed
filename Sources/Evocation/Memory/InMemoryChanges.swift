/// What one commit changed in memory.
struct InMemoryChanges<Model: Sendable>: Sendable {
  var stored: [Model] = []
  var updated: [RepositoryChange<Model>.Update] = []
  var removed: [Model] = []

  /// The change as observers are told, or nil when no model was touched.
  var told: RepositoryChange<Model>? {
    stored.isEmpty && updated.isEmpty && removed.isEmpty
      ? nil : .models(stored: stored, updated: updated, removed: removed)
  }
}
