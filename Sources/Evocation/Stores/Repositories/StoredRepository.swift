/// A local repository in a store with others, all of which signing out empties together.
///
/// Evocation empties every other local repository separately. The SQLite repository is in the store
/// of its database.
package protocol StoredRepository<Model>: Repository {
  /// The store: the same object for all repositories in it.
  var repositoryStore: any RepositoryStore { get }

  /// The store's name for this repository, such as its table.
  var nameInStore: String { get }
}

/// A store of several repositories and the records about them that can be emptied as a whole.
///
/// If Evocation empties several stores that outlive the process, it first calls ``prepare(_:)`` on
/// each of them, so that a process that was killed can be followed by one that finishes. A prepared
/// store that is opened again is emptied before it answers anything, and empties the others.
package protocol RepositoryStore: AnyObject, Sendable {
  /// The location of the store after a restart; nil if the store does not outlive the process.
  var durableLocation: String? { get }

  /// Records durably that the store is about to be emptied together with others.
  ///
  /// - Throws: What the store throws, and `EvocationError.unsentWrites` if there are some that stay.
  ///   Nothing has changed then.
  func prepare(_ emptying: StoreEmptying) async throws

  /// Empties the named repositories, their lists, and the ledger in the store, in one transaction.
  ///
  /// It treats their unsent writes as the description says, and notifies observers. In a prepared
  /// store, the same transaction records that it was emptied, so that it is emptied once.
  ///
  /// - Throws: What the store throws. Nothing has changed then.
  func empty(_ emptying: StoreEmptying) async throws

  /// Deletes what ``prepare(_:)`` recorded, because all stores were emptied, or none will be.
  func end(_ emptying: StoreEmptying) async throws
}

/// What signing out does to one store.
package struct StoreEmptying: Sendable, Hashable {
  /// What happens to the unsent writes in the store.
  package enum UnsentWrites: String, Sendable, Hashable, Codable, CaseIterable {
    /// They stay as they are.
    case stay
    /// They wait until a user signs in again.
    case wait
    /// They are deleted.
    case go
  }

  /// Names the sign-out, a new name each time.
  package var id: String

  /// The store's names of the repositories to empty.
  package var repositories: [String]

  /// What happens to the unsent writes of these repositories.
  package var unsent: UnsentWrites

  /// The other stores that outlive the process and are emptied together with this one.
  package var fellows: [Fellow]

  /// Another store, and its names of the repositories to empty.
  package struct Fellow: Sendable, Hashable {
    /// Where it is after a restart.
    package var location: String

    /// Its names of the repositories.
    package var repositories: [String]

    /// Creates it.
    package init(location: String, repositories: [String]) {
      self.location = location
      self.repositories = repositories
    }
  }

  /// Creates a description.
  package init(
    id: String, repositories: [String], unsent: UnsentWrites, fellows: [Fellow] = []
  ) {
    self.id = id
    self.repositories = repositories
    self.unsent = unsent
    self.fellows = fellows
  }
}
