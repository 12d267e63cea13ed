/// A change of a list, as a part of a ``StoreWrite``.
public enum ListWrite<Model: Sendable>: Sendable {
  /// Saves a page with its models.
  ///
  /// What is over ``ListPage/keptPages`` is dropped from the other end, and where the list can be
  /// continued there is changed in the stamp's record before it is written.
  case page(ListPage<Model>)

  /// Keeps a page of the list that is to take another's place, after those before it.
  ///
  /// With `only` as its place it is the first, and earlier ones go. The draft says how far the list is
  /// fetched with it.
  case draftPage(ListPage<Model>, ListDraft)

  /// Puts the draft with its models in the list's place.
  ///
  /// Models that only the replaced list had are removed where they match the criteria; nil for none. What
  /// the app wrote since the draft was begun is kept: as ``ListPage/kept``, for all of the draft's pages.
  case takeDraft(of: String, removing: Criteria?, keeping: [Model] = [])

  /// Deletes what was kept of a list that was to take another's place.
  case deleteDraft(of: String)

  /// Leaves only the first page of a list, or nothing when that page was dropped.
  case cut(String)

  /// Deletes a list, and which models that no other list has; nil for none.
  case delete(String, removing: Criteria?)
}
