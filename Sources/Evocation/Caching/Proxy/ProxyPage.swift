/// What a registered model's remote repository needs to give one page.
///
/// It is kept in the ledger, so that a list goes on after a restart.
public struct ProxyPage: PageRequirements {
  /// What a page is found by, other than the number of models before it.
  package enum Token: Sendable, Hashable, Codable {
    /// The last model before it, as a place in the order.
    case after(Criteria.Cursor)
    /// A text from the last answer.
    case cursor(String)
    /// The number of the page.
    case number(Int)
  }

  /// How many models the pages before it have.
  package var position: Int

  /// What it is found by; nil when that is its position.
  package var place: Token?

  /// How many models the list's pages have; nil for the cache's page size.
  ///
  /// A list keeps the size that it was begun with, whichever cache asks for the next page.
  package var size: Int?

  /// Makes a page's requirements.
  package init(position: Int = 0, place: Token? = nil, size: Int? = nil) {
    self.position = position
    self.place = place
    self.size = size
  }

  /// The first page.
  package static let first = ProxyPage()

  /// Whether it is an empty cursor.
  public var isEnd: Bool { place == .cursor("") }
}

/// The models of one fetched page, or a sign that a whole list has been fetched as a draft.
public struct ProxyPageModels<Model: Sendable>: RandomAccessCollection, Sendable {
  /// The models, in the order of the answer.
  package let models: [Model]

  /// The mark of the app's writes when the fetch began; nil when nothing was fetched.
  let mark: WriteLog<Model>.Mark?

  /// The service's versions of the models, in their order; empty where it has none.
  let versions: [String?]

  /// Who fetched the draft in the store; nil where the page is these models.
  let draft: Draft?

  /// Who fetched a draft.
  enum Draft: Sendable {
    /// The refresh that takes it.
    case own
    /// In part at least, an earlier refresh that was interrupted.
    case earlier
  }

  init(
    _ models: [Model], _ mark: WriteLog<Model>.Mark?, versions: [String?] = [],
    draft: Draft? = nil
  ) {
    self.models = models
    self.versions = versions
    self.mark = mark
    self.draft = draft
  }

  /// The index of the first model.
  public var startIndex: Int { models.startIndex }

  /// The index after the last model.
  public var endIndex: Int { models.endIndex }

  /// The model at an index.
  public subscript(position: Int) -> Model { models[position] }
}
