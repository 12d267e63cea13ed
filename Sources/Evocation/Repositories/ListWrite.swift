package import Foundation

/// A change of a list, as ``StoreWrite/list``.
package enum ListWrite<Model: Sendable>: Sendable {
  /// Saves a page with its models.
  ///
  /// Pages beyond ``ListPage/keptPages`` are dropped from the other end; the stamp's record then
  /// says how the list can be continued there.
  case page(ListPage<Model>)

  /// Adds a page to the draft of a list.
  ///
  /// A page that is ``PagePosition/replacing`` begins a new draft. The second value describes the
  /// draft with this page.
  case draftPage(ListPage<Model>, ListDraft)

  /// Replaces the list by its draft, and saves the draft's models.
  ///
  /// Models that only the replaced list had are removed where they match the criteria; nil for
  /// none. `keeping` is as ``ListPage/kept``, for all of the draft's pages.
  case takeDraft(of: String, removing: Criteria?, keeping: [Model] = [])

  /// Deletes the draft of a list.
  case deleteDraft(of: String)

  /// Cuts a list to its first page; deletes it when that page was dropped.
  case cut(String)

  /// Deletes a list, and the models that match and no other list has; nil for none.
  ///
  /// Of the kept ones only the ids count.
  case delete(String, removing: Criteria?, keeping: [Model] = [])
}

/// One page of a list to save.
package struct ListPage<Model: Sendable>: Sendable {
  /// The list's name: the tag of its cache.
  package var list: String

  /// The models, in the order of the answer; of several with the same id, the last counts.
  package var models: [Model]

  /// The requirements that the page was fetched with, as in a ``PageRecord``.
  package var requirements: Data

  /// Where the page belongs in the list.
  package var place: PagePosition

  /// How many pages the list keeps; nil for all.
  package var keptPages: Int?

  /// The criteria of models that are removed if only the replaced list had them; nil for none.
  package var removing: Criteria?

  /// Models that the app wrote after the page was fetched; only their ids count.
  ///
  /// They are neither changed nor removed. Those that the page has are listed if they are still
  /// there.
  package var kept: [Model]

  /// Makes a page to save.
  package init(
    list: String, models: [Model], requirements: Data, place: PagePosition, keptPages: Int? = nil,
    removing: Criteria? = nil, kept: [Model] = []
  ) {
    self.list = list
    self.models = models
    self.requirements = requirements
    self.place = place
    self.keptPages = keptPages
    self.removing = removing
    self.kept = kept
  }
}

/// Describes a draft: a list that is fetched page by page to replace another.
package struct ListDraft: Sendable, Hashable, Codable {
  /// When its first page was fetched.
  package var begunAt: Date

  /// Whether the list had been declared stale when the draft was begun.
  package var isOfInvalidated: Bool

  /// Where the draft is continued, and how many pages it has.
  package var pages: PageRecord

  /// Makes a draft of one page.
  package init(begunAt: Date, isOfInvalidated: Bool, pages: PageRecord) {
    self.begunAt = begunAt
    self.isOfInvalidated = isOfInvalidated
    self.pages = pages
  }
}
