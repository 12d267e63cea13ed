/// A repository that reports what each commit has stored, updated and removed.
///
/// A repository may count its commits. Then ``snapshot(_:)`` returns the version of the state that
/// it read, and each change has the version that it made. An observer then reads once, and applies
/// later changes to the result. Without versions, an observer reads again after each change.
///
/// ```swift
/// let observation = store.observeChanges { change in
///   guard case .models(let stored, _, let removed) = change.extent else { return }
///   count.withLock { $0 += stored.count - removed.count }
/// }
/// ```
public protocol ObservableRepository<Model>: Repository {
  /// Calls `handler` after each commit, in the order of the commits, until the observation ends.
  ///
  /// The handler runs on the thread that committed, before the write returns. It must be quick, and
  /// must not call the repository. The repository does not call it after a commit that changed
  /// nothing.
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation

  /// Returns the models that match, and the version of the state that they were read from.
  ///
  /// The state has every commit up to its version and none after it. It may also have changes by
  /// other processes that the repository has not yet reported. The default implementation calls
  /// ``Repository/find(_:)`` and returns no version.
  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model>
}

extension ObservableRepository {
  /// Calls ``Repository/find(_:)``, and returns no version.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    RepositorySnapshot(try await find(criteria).value, version: nil)
  }
}
