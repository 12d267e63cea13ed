/// What one commit changed in a repository.
public enum RepositoryChange<Model: Sendable>: Sendable {
  /// These models were stored, updated, and removed.
  ///
  /// `removed` holds the models as they last were.
  case models(stored: [Model], updated: [Update], removed: [Model])

  /// Something changed that cannot be told model by model: another process wrote, for example.
  case unknown

  /// A model that was replaced by another with its id.
  public struct Update: Sendable {
    /// The model as it was.
    public var before: Model
    /// The model as it is now.
    public var after: Model

    /// Makes an update.
    public init(before: Model, after: Model) {
      self.before = before
      self.after = after
    }
  }
}
