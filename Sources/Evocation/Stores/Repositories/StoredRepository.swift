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
/// If Evocation empties several stores that outlive the process, it first calls ``mark(_:)`` on each of
/// them, so that a process that was killed can be followed by one that finishes. A marked store that is
/// opened again empties itself before it answers anything. Each store records this about itself alone.
package protocol RepositoryStore: AnyObject, Sendable {
  /// Identifies the store among those of this process, also if it is opened twice.
  ///
  /// Nil if the store does not outlive the process.
  var durableLocation: String? { get }

  /// Records durably that the store is about to be emptied together with others.
  ///
  /// - Throws: What the store throws, and `EvocationError.unsentWrites` if there are some that stay.
  ///   Nothing has changed then.
  func mark(_ emptying: StoreEmptying) async throws

  /// Empties the named repositories, their lists, and the ledger in the store, in one transaction.
  ///
  /// It treats their unsent writes as the description says, and notifies observers. In a marked store,
  /// the same transaction replaces the mark by a record that it was emptied, so that it is emptied once.
  ///
  /// - Throws: What the store throws. Nothing has changed then.
  func empty(_ emptying: StoreEmptying) async throws

  /// Deletes the mark, because no store will be emptied.
  func unmark(_ emptying: StoreEmptying) async throws

  /// Whether a sign-out was cut short, as far as the store knew when it was opened.
  var hasUnfinishedSignOuts: Bool { get }

  /// The sign-outs for which the store was emptied.
  ///
  /// It blocks the thread, as ``finish(_:)`` does.
  func signOuts() throws -> [StoreEmptying]

  /// Empties the named repositories, unless they were emptied for this sign-out, which was cut short.
  ///
  /// The same transaction records that, and of which models repositories may still have to be emptied.
  ///
  /// - Throws: What the store throws. If it had to be emptied, it answers no call any more.
  func finish(_ emptying: StoreEmptying) throws
}

/// What signing out does to one store.
package struct StoreEmptying: Sendable, Hashable, Codable {
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

  /// The models whose stores are marked after this one, so that they may lack the mark.
  ///
  /// Nil if no other store that outlives the process is emptied with it.
  package var later: Set<String>?

  /// Creates a description.
  package init(
    id: String, repositories: [String], unsent: UnsentWrites, later: Set<String>? = nil
  ) {
    self.id = id
    self.repositories = repositories
    self.unsent = unsent
    self.later = later
  }
}
