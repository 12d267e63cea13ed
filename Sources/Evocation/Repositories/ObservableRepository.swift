/// A repository that tells what was stored, updated and removed, after each commit.
///
/// A repository may count its commits: then ``snapshot(_:)`` gives the version of the state that it
/// read, and each change the version that it made. An observer then asks once, and applies later
/// changes to the answer. Without versions it asks again after each change.
public protocol ObservableRepository<Model>: Repository {
  /// Calls `handler` after each commit, in the order of the commits, until the observation ends.
  ///
  /// The handler runs on the thread that committed, before the write returns. It must be quick and
  /// must not call the repository. It is not called for a commit that changed nothing.
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation

  /// Gives the models that match, and the version of the state that they were read from.
  ///
  /// The state has every commit up to its version, and none after it, except that it may have
  /// changes by others that were not told yet. The default implementation calls
  /// ``Repository/find(_:)`` and gives no version.
  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model>
}

extension ObservableRepository {
  /// Calls ``Repository/find(_:)``, and gives no version.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    RepositorySnapshot(try await find(criteria).value, version: nil)
  }
}
