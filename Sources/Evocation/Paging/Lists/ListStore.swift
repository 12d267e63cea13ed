/// Keeps lists of models: which models each has, in which order, and its pages.
///
/// A local repository that is one too keeps them beside its models, as the one on SQLite does; for
/// any other, lists are kept in memory.
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
/// The calls for one list come one after another, those that read and those for other lists at any
/// time.
public protocol ListStore<Model>: Sendable {
  /// What the lists are of.
  associatedtype Model: Sendable

  /// Saves a page with its models, and writes the stamp: all of it, or nothing.
  ///
  /// What is over ``ListPage/keptPages`` is dropped from the other end, and where the list can be
  /// continued there is changed in the stamp's record before it is written.
  func savePage(_ page: ListPage<Model>, stamp: FetchStamp) async throws

  /// Reads a part of a list, cut to what is there; nil for all of it, and nil without such a list.
  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>?

  /// How many pages a list has; nil without such a list.
  func pageCount(of list: String) async throws -> Int?

  /// Leaves only the first page of a list, or nothing when that page was dropped.
  func cutList(_ list: String) async throws

  /// Deletes a list, and which models that no other list has.
  func deleteList(_ list: String, removing criteria: Criteria?) async throws

  /// How far the list is fetched that is to take a list's place; nil when there is none.
  func draft(of list: String) async throws -> ListDraft?

  /// Keeps a page of the list that is to take another's place, after those before it.
  ///
  /// - Parameters:
  ///   - page: The page; with `only` as its place it is the first, and earlier ones go.
  ///   - draft: How far the list is fetched with it.
  /// - Throws: What the store throws; the draft is then as it was.
  func saveDraftPage(_ page: ListPage<Model>, draft: ListDraft) async throws

  /// Puts the draft with its models in the list's place, and writes the stamp.
  ///
  /// - Parameters:
  ///   - list: The list's name.
  ///   - criteria: Which models are removed that only the replaced list had; nil for none.
  ///   - stamp: What is to be remembered.
  /// - Throws: What the store throws; list and draft are then as they were.
  func takeDraft(
    of list: String, removing criteria: Criteria?, stamp: FetchStamp
  ) async throws

  /// Does the same, and leaves alone what the app wrote since the draft was begun.
  ///
  /// The default implementation takes the draft as it is.
  ///
  /// - Parameters:
  ///   - list: The list's name.
  ///   - criteria: Which models are removed that only the replaced list had; nil for none.
  ///   - kept: As ``ListPage/kept``, for all of the draft's pages.
  ///   - stamp: What is to be remembered.
  /// - Throws: What the store throws; list and draft are then as they were.
  func takeDraft(
    of list: String, removing criteria: Criteria?, keeping kept: [Model], stamp: FetchStamp
  ) async throws

  /// Deletes what was kept of a list that was to take another's place.
  func deleteDraft(of list: String) async throws
}

extension ListStore {
  /// Takes the draft as it is.
  public func takeDraft(
    of list: String, removing criteria: Criteria?, keeping kept: [Model], stamp: FetchStamp
  ) async throws {
    try await takeDraft(of: list, removing: criteria, stamp: stamp)
  }
}
