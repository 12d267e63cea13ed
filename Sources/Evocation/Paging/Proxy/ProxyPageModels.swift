/// The models of one fetched page, or the sign that a whole list has been fetched aside.
public struct ProxyPageModels<Model: Sendable>: RandomAccessCollection, Sendable {
  /// The models, in the order of the answer.
  public let models: [Model]

  /// How the app's writes stood when the fetch began; nil when nothing was fetched.
  let mark: WriteLog<Model>.Mark?

  /// Whether the pages are those of the draft in the store.
  let isDraft: Bool

  init(_ models: [Model], _ mark: WriteLog<Model>.Mark?, isDraft: Bool = false) {
    self.models = models
    self.mark = mark
    self.isDraft = isDraft
  }

  /// Zero.
  public var startIndex: Int { models.startIndex }

  /// How many models there are.
  public var endIndex: Int { models.endIndex }

  /// The model at a place.
  public subscript(position: Int) -> Model { models[position] }
}
