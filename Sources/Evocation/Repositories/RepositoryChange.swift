/// What one commit changed in a repository.
public enum RepositoryChange<Model: Sendable>: Sendable {
  /// These models were stored, updated, and removed.
  ///
  /// `updated` holds the models as they now are, and `removed` as they last were.
  case models(stored: [Model], updated: [Model], removed: [Model])

  /// Something changed that cannot be told model by model: another process wrote, for example.
  case unknown
}
