/// A repository that tells what was stored, updated and removed, after each commit.
public protocol ObservableRepository<Model>: Repository {
  /// Calls `handler` after each commit, in the order of the commits, until the observation ends.
  ///
  /// The handler runs on the thread that committed, before the write answers, and must be quick;
  /// it must not call the repository. A commit that changed nothing is not told.
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation
}
