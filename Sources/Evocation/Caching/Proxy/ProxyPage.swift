/// The parameters that a registered model's remote repository needs for one page.
///
/// The ledger keeps them, so that a list continues after a restart.
///
/// A list's source knows the first page, and each fetched page the next one:
///
/// ```swift
/// let first = list.source.firstPage(criteria)
/// let page = try await list.source.fetchFreshCache(criteria, pagingRequirements: first)
/// ```
public struct ProxyPage: PageRequirements, PlainlyPrinted {
  /// The data by which a page is found, other than the number of models before it.
  package enum Token: Sendable, Hashable, Codable {
    /// The position of the last model before the page in the order.
    case after(Criteria.Cursor)
    /// A text from the last answer.
    case cursor(String)
    /// The number of the page.
    case number(Int)
  }

  /// How many models the pages before it have.
  package var position: Int

  /// The data by which the page is found; nil when its position suffices.
  package var place: Token?

  /// How many models the list's pages have; nil for the cache's page size.
  ///
  /// A list keeps the size that it began with, whichever cache loads the next page.
  package var size: Int?

  /// Creates a page's requirements.
  package init(position: Int = 0, place: Token? = nil, size: Int? = nil) {
    self.position = position
    self.place = place
    self.size = size
  }

  /// The first page.
  package static let first = ProxyPage()

  /// Whether the page has an empty cursor.
  public var isEnd: Bool { place == .cursor("") }
}

/// The models of one fetched page, or the pages of a whole list that the store has collected.
///
/// The list's source returns them as the content of a page:
///
/// ```swift
/// let page = try await list.source.fetchFreshCache(criteria, pagingRequirements: first)
/// for car in page.content { print(car.id) }
/// ```
public struct ProxyPageModels<Model: Sendable>: RandomAccessCollection, Sendable, PlainlyPrinted,
  RetriedFetch
{
  /// The models, in the order of the answer.
  package let models: [Model]

  /// The position in the log of the app's writes when the fetch began; nil when nothing was
  /// fetched.
  let mark: WriteLog<Model>.Mark?

  /// The server's versions of the models, in their order; empty where it has none.
  let versions: [String?]

  /// The keys of which the answer says nothing.
  let unsaid: UnsaidKeys

  let attempts: Int

  var leftOut: Int? { unsaid.leftOut.map(\.count) }

  /// The pages that are to replace the list, and how it then continues; nil where the page consists
  /// of these models.
  let collected: Collected?

  typealias Collected = (pages: any CollectedPages<Model>, record: PageRecord)

  init(
    _ models: [Model], _ mark: WriteLog<Model>.Mark?, versions: [String?] = [],
    unsaid: UnsaidKeys = .none, attempts: Int = 1, collected: Collected? = nil
  ) {
    self.models = models
    self.versions = versions
    self.unsaid = unsaid
    self.mark = mark
    self.attempts = attempts
    self.collected = collected
  }

  /// The index of the first model.
  public var startIndex: Int { models.startIndex }

  /// The index after the last model.
  public var endIndex: Int { models.endIndex }

  /// The model at an index.
  public subscript(position: Int) -> Model { models[position] }
}
