package import Foundation

/// Keeps lists of models: the ids of each list, in order, and its pages.
///
/// A local repository that is also a list store keeps lists beside its models, as the one on SQLite
/// does. For any other repository, Evocation keeps lists in memory. A ``StoreWrite`` with a
/// ``StoreWrite/list`` changes a list.
///
/// ## Rules
///
/// A list has a model once: at its last position. A removed model leaves every list, and does not
/// come back to a list when it is stored again. Models are never copied into a list.
///
/// Where a list's stored numbers contradict each other, or a page is added to a missing list, the
/// store throws ``ListDamage`` and never guesses. It must still be able to replace and delete such
/// a list.
///
/// ## Execution
///
/// Changes of one list are called one after another. Reads, and calls for other lists, may come at
/// any time.
package protocol ListStore<Model>: Sendable {
  /// The type of the listed models.
  associatedtype Model: Sendable

  /// Makes all changes of a write, or none.
  ///
  /// - Throws: The errors of the store, ``OutdatedStamp`` and ``ListDamage``; nothing was done
  ///   then.
  @discardableResult
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>

  /// Returns the part of a list in a range, nil for all of it; returns nil when there is no such
  /// list.
  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>?

  /// Returns how many pages a list has; nil without such a list.
  func pageCount(of list: String) async throws -> Int?

  /// Returns an empty collection for the pages of a refresh.
  func makePages() async throws -> any CollectedPages<Model>
}

/// The pages of a refresh that are to replace a list, in order.
///
/// They end with this object, so a refresh that fails, or whose process is killed, leaves nothing.
/// Their models take little of the app's memory where the store is a file. Writes of the store
/// call the methods, one after another.
package protocol CollectedPages<Model>: AnyObject, Sendable {
  /// The type of the models.
  associatedtype Model: Sendable

  /// Whether the server has said the version of any of their models.
  var haveVersions: Bool { get }

  /// Adds the next page.
  func add(_ page: CollectedPage<Model>) throws

  /// Calls `body` with each page.
  func forEach(_ body: (CollectedPage<Model>) throws -> Void) throws
}

/// One page of a refresh.
package struct CollectedPage<Model: Sendable>: Sendable {
  /// The models in the order of the answer.
  package var models: [Model]

  /// The server's versions of the models, in their order; empty where it has none.
  package var versions: [String?]

  /// The keys that the server's answer did not have, for each of the models; empty for none.
  package var absentKeys: [Set<String>]

  /// The requirements (the query) that the page was fetched with, as in a ``PageRecord``.
  package var requirements: Data

  /// Creates a page.
  package init(
    _ models: [Model], versions: [String?] = [], absentKeys: [Set<String>] = [],
    requirements: Data
  ) {
    (self.models, self.versions, self.absentKeys) = (models, versions, absentKeys)
    self.requirements = requirements
  }

  /// The models that have a version, each with it.
  package var knownVersions: [VersionedModel<Model>] { VersionedModel.known(models, versions) }
}

extension CollectedPage: Codable where Model: Codable {}

/// The present models in a part of a list, and the part's range.
package struct ListPart<Model: Sendable>: Sendable {
  /// The models, in the list's order.
  package var models: [Model]

  /// The indices of these models in the list.
  package var range: Range<Int>

  /// How many models the list has.
  package var count: Int

  /// The version of the store's state that was read; nil where the store counts none.
  package var version: UInt64?

  /// Creates a part of a list.
  package init(_ models: [Model], range: Range<Int>, count: Int, version: UInt64? = nil) {
    self.models = models
    self.range = range
    self.count = count
    self.version = version
  }
}
