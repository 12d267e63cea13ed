/// Keeps lists of models: the ids of each, in order, and its pages.
///
/// A local repository that is also a list store keeps lists beside its models, as the one on SQLite
/// does; for any other, lists are kept in memory. A list is changed by a ``StoreWrite`` with a
/// ``ListWrite`` among its actions.
///
/// ## Rules
///
/// A list has a model once: where it came last. A removed model leaves every list, and does not
/// come back to a list when it is stored again. Models are never copied into a list.
///
/// Where a list's stored numbers contradict each other, or a page is added to a list that is not
/// there, it throws ``ListDamage`` and never guesses. Replacing and deleting such a list must still
/// be possible.
///
/// ## Execution
///
/// Changes of one list are called one after another; reads, and calls for other lists, at any time.
public protocol ListStore<Model>: Sendable {
  /// The type of the models that are listed.
  associatedtype Model: Sendable

  /// Carries out all actions of a write, or none.
  ///
  /// - Throws: What the store throws, ``OutdatedStamp`` and ``ListDamage``; nothing was done then.
  @discardableResult
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>

  /// Reads the part of a list in a range, nil for all of it; gives nil when there is no such list.
  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>?

  /// How many pages a list has; nil without such a list.
  func pageCount(of list: String) async throws -> Int?

  /// The draft that will replace a list; nil when there is none.
  func draft(of list: String) async throws -> ListDraft?
}

/// The present models in a part of a list, and the part's range.
public struct ListPart<Model: Sendable>: Sendable {
  /// The models, in the list's order.
  public var models: [Model]

  /// The indices of these models in the list.
  public var range: Range<Int>

  /// How many models the list has.
  public var count: Int

  /// The version of the store's state that was read; nil where the store counts none.
  public var version: UInt64?

  /// Makes a part of a list.
  public init(_ models: [Model], range: Range<Int>, count: Int, version: UInt64? = nil) {
    self.models = models
    self.range = range
    self.count = count
    self.version = version
  }
}
