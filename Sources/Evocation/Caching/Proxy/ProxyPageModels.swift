/// The models of one fetched page, or the sign that a whole list has been fetched aside.
public struct ProxyPageModels<Model: Sendable>: RandomAccessCollection, Sendable {
  /// The models, in the order of the answer.
  public let models: [Model]

  /// How the app's writes stood when the fetch began; nil when nothing was fetched.
  let mark: WriteLog<Model>.Mark?

  /// Whose draft in the store the pages are; nil where they are these models.
  let draft: Draft?

  /// Who has fetched a draft.
  enum Draft: Sendable {
    /// The refresh that is to take it.
    case own
    /// An earlier refresh, in part at least, which was interrupted.
    case earlier
  }

  init(_ models: [Model], _ mark: WriteLog<Model>.Mark?, draft: Draft? = nil) {
    self.models = models
    self.mark = mark
    self.draft = draft
  }

  /// Zero, for a list without models.
  public var startIndex: Int { models.startIndex }

  /// How many models there are.
  public var endIndex: Int { models.endIndex }

  /// The model at a place.
  public subscript(position: Int) -> Model { models[position] }
}
