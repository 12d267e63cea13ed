/// A local repository that lies in a store with others, all of which signing out empties at once.
///
/// Any other local repository is emptied by itself. The one on SQLite is in the store that its database
/// is.
package protocol StoredRepository<Model>: Repository {
  /// The store; the same object for all repositories in it.
  var repositoryStore: any RepositoryStore { get }

  /// What the store calls this repository, such as by its table.
  var nameInStore: String { get }
}

/// A store of several repositories, with what is remembered of them, that can be emptied as a whole.
///
/// Where several stores are emptied that outlive the process, each is told so by
/// ``prepare(_:)`` before the first of them is emptied, so that what was begun can be finished after the
/// process was killed: a store that is opened again and was prepared asks the first one. If that was
/// emptied, this one is too, before it answers anything; if not, nothing was changed.
package protocol RepositoryStore: AnyObject, Sendable {
  /// Where the store is found after a restart; nil where it does not outlive the process.
  var durableLocation: String? { get }

  /// Remembers durably that the store is about to be emptied with others.
  ///
  /// - Throws: What the store throws; nothing was changed then.
  func prepare(_ emptying: StoreEmptying) async throws

  /// Empties the named repositories, their lists, and the ledger in the store, in one transaction.
  ///
  /// It does with their unsent writes as it is told, and tells observers. Of a store that was prepared, the
  /// same transaction says that it was done.
  ///
  /// - Throws: What the store throws; nothing was changed then.
  func empty(_ emptying: StoreEmptying) async throws

  /// Forgets what was prepared: all stores were emptied, or none will be.
  func end(_ emptying: StoreEmptying) async throws
}

/// What signing out does to one store.
package struct StoreEmptying: Sendable, Hashable {
  /// What becomes of the unsent writes in it.
  package enum UnsentWrites: String, Sendable, Hashable, Codable, CaseIterable {
    /// They stay as they are.
    case stay
    /// They wait until somebody signs in again.
    case wait
    /// They are deleted.
    case go
  }

  /// Names the sign-out, another one each time.
  package var id: String

  /// What the store calls the repositories that are emptied.
  package var repositories: [String]

  /// What becomes of the unsent writes of these repositories.
  package var unsent: UnsentWrites

  /// Where all stores are that are emptied together; empty of one alone.
  ///
  /// The first one decides.
  package var locations: [String]

  /// Makes a description.
  package init(
    id: String, repositories: [String], unsent: UnsentWrites, locations: [String] = []
  ) {
    self.id = id
    self.repositories = repositories
    self.unsent = unsent
    self.locations = locations
  }
}
