public import Foundation

/// One page of a list, as it is to be saved.
public struct ListPage<Model: Sendable>: Sendable {
  /// The list's name: the tag of its cache.
  public var list: String

  /// The models, in the order of the answer; of several with one id, the last counts.
  public var models: [Model]

  /// What the page was asked for with, as it stands in a ``PageRecord``.
  public var requirements: Data

  /// Where it belongs.
  public var place: PagePosition

  /// How many pages the list keeps; nil for all.
  public var keptPages: Int?

  /// Which models are removed that only the replaced list had; nil for none.
  public var removing: Criteria?

  /// What the app wrote after the page was fetched; only its ids count.
  ///
  /// Where the page has it, it is listed as it is, or not at all when it is not there. It is neither
  /// changed nor removed.
  public var kept: [Model]

  /// Makes a page that is to be saved.
  public init(
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
