internal import Evocation

/// What one transaction changed in a table.
struct TableChanges<Model: Sendable>: Sendable {
  var stored: [Model] = []
  var updated: [RepositoryChange<Model>.Update] = []
  var removed: [Model] = []

  /// Whether models were stored or updated without finding out which of both.
  var isMixed = false

  /// The change as observers are told, or nil when no model was touched.
  var told: RepositoryChange<Model>? {
    if isMixed { return .unknown }
    return stored.isEmpty && updated.isEmpty && removed.isEmpty
      ? nil : .models(stored: stored, updated: updated, removed: removed)
  }
}
