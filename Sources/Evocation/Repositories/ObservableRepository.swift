/// A repository that tells what was stored, updated and removed, after each commit.
///
/// One that counts its commits says of each answer which of its states it shows, by
/// ``snapshot(_:)``, and of each change which state it made. An observer then asks once, and works
/// in what comes after that. Of one that counts none an observer asks anew after each change.
public protocol ObservableRepository<Model>: Repository {
  /// Calls `handler` after each commit, in the order of the commits, until the observation ends.
  ///
  /// The handler runs on the thread that committed, before the write answers, and must be quick;
  /// it must not call the repository. A commit that changed nothing is not told.
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation

  /// Gives the models that match, and the version of the state that they were read from.
  ///
  /// The state has every commit up to its version, and none after it. A change that was made by
  /// others and is not told yet may be in it all the same. The default implementation asks
  /// ``Repository/find(_:)`` and knows no version.
  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model>
}

extension ObservableRepository {
  /// Asks ``Repository/find(_:)``, and knows no version.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    RepositorySnapshot(try await find(criteria).value, version: nil)
  }
}
