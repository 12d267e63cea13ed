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

  /// The ids of models that have to be told apart.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` when the type has none.
  static func each<Model: Sendable>(of models: [Model]) throws(EvocationError) -> [ModelID] {
    if models.isEmpty { return [] }
    guard let ids = all(of: models) else { throw .notIdentifiable(model: "\(Model.self)") }
    return ids
  }

  private static func codesID<Known: Decodable>(_ type: Known.Type) -> Bool {
    (try? ModelSchema.of(type))?["id"] != nil
  }
}

extension Array where Element: Sendable {
  /// The models whose ids are wanted.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` when the type has none.
  func selected(byID isWanted: (ModelID) -> Bool) throws(EvocationError) -> [Element] {
    zip(self, try ModelID.each(of: self)).filter { isWanted($0.1) }.map(\.0)
  }
}
