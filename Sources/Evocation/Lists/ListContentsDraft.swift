/// A list that is to take another's place, with the models of its pages.
struct ListContentsDraft<Model: Sendable>: Sendable {
  var draft: ListDraft
  var pages: [ListPage<Model>]

  /// The models of all pages, each once: where and as it came last.
  var models: [Model] { pages.flatMap(\.models) }
}
