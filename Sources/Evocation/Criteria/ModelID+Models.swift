extension ModelID {
  /// The ids of models, as repositories tell them apart; nil where the type has none.
  static func all<Model: Sendable>(of models: [Model]) -> [ModelID]? {
    func opened<Known: Identifiable>(_ type: Known.Type) -> [ModelID]? {
      let isCoded = (Known.self as? any Decodable.Type).map { codesID($0) } ?? false
      // The types are the same, so this is one look and not one a model.
      return (models as? [Known])?.map { ModelID(of: $0, isCoded: isCoded) }
    }
    guard let type = Model.self as? any Identifiable.Type else { return nil }
    return opened(type)
  }

  private static func codesID<Known: Decodable>(_ type: Known.Type) -> Bool {
    (try? ModelSchema.of(type))?["id"] != nil
  }
}
