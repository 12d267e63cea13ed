/// Keeps lists of models: which models each has, in which order, and its pages.
///
/// A local repository that is one too keeps them beside its models, as the one on SQLite does; for
/// any other, lists are kept in memory. A list is changed by a ``StoreWrite`` with a ``ListWrite``
/// among its actions.
///
/// ## Rules
///
/// A list has a model once: where it came last. A model that is removed leaves every list, and does
/// not come back to its place when it is stored again. Models are never copied into a list.
///
/// A list whose bookkeeping cannot be true, or that is not there when a page is to be added to it, is
/// told by ``ListDamage``, and never guessed at. To replace and to delete it must still be possible.
///
/// ## Execution
///
/// The changes of one list come one after another, those that read and those for other lists at any
/// time.
public protocol ListStore<Model>: Sendable {
  /// The type of the models that are listed.
  associatedtype Model: Sendable

  /// Does all that the write says, or nothing.
  ///
  /// - Throws: What the store throws, ``OutdatedStamp`` and ``ListDamage``; nothing was done then.
  @discardableResult
  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model>

  /// Reads a part of a list, cut to what is there; nil for all of it, and nil without such a list.
  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>?

  /// How many pages a list has; nil without such a list.
  func pageCount(of list: String) async throws -> Int?

  /// How far the list is fetched that is to take a list's place; nil when there is none.
  func draft(of list: String) async throws -> ListDraft?
}
