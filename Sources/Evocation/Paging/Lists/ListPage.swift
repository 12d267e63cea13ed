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
  public var place: PagePlace

  /// How many pages the list keeps; nil for all.
  public var keptPages: Int?

  /// Which models are removed that only the replaced list had; nil for none.
  public var removing: Criteria?

  /// Makes a page.
  public init(
    list: String, models: [Model], requirements: Data, place: PagePlace, keptPages: Int? = nil,
    removing: Criteria? = nil
  ) {
    self.list = list
    self.models = models
    self.requirements = requirements
    self.place = place
    self.keptPages = keptPages
    self.removing = removing
  }
}
