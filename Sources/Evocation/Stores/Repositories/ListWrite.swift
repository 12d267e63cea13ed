package import Foundation

/// A change of a list, as in ``StoreWrite/list``.
package enum ListWrite<Model: Sendable>: Sendable {
  /// Saves a page with its models.
  ///
  /// If the list then has more than ``ListPage/keptPages`` pages, the store drops pages at the
  /// opposite end. The stamp's record then says how to continue the list there.
  case page(ListPage<Model>)

  /// Collects a page of a refresh, which changes neither the list nor its models.
  ///
  /// It is a write because unsent changes of the page's models are based on it from now on.
  case collect(CollectedPage<Model>, in: any CollectedPages<Model>)

  /// Replaces a list by the pages that a refresh has collected, and saves their models.
  ///
  /// Models that only the replaced list had are removed if they match the criteria. With nil, none
  /// are removed. `keeping` is ``ListPage/kept`` for all of these pages.
  case replace(
    String, by: any CollectedPages<Model>, removing: Criteria?, keeping: [Model] = [])

  /// Cuts a list to its first page, or deletes the list if that page was dropped.
  case cut(String)

  /// Deletes a list, and the models that match the criteria and are in no other list.
  ///
  /// With nil in place of criteria, no models are removed. Of the kept models, only the ids count.
  case delete(String, removing: Criteria?, keeping: [Model] = [])
}

/// One page of a list to save.
package struct ListPage<Model: Sendable>: Sendable {
  /// The name of the list: the tag (cache key) of its cache.
  package var list: String

  /// The models in the order of the answer.
  ///
  /// If several have the same id, the last counts.
  package var models: [Model]

  /// The requirements (the query) that the page was fetched with, as in a ``PageRecord``.
  package var requirements: Data

  /// The position of the page in the list.
  package var place: PagePosition

  /// The number of pages that the list keeps; nil for all.
  package var keptPages: Int?

  /// The criteria of models to remove if only the replaced list had them; nil to remove none.
  package var removing: Criteria?

  /// Models that the app wrote after the page was fetched.
  ///
  /// Only their ids count. The store neither changes nor removes them. It lists those that are on
  /// the page, if it still has them.
  package var kept: [Model]

  /// Creates a page to save.
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
