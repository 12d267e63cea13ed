import Evocation

extension ModelID {
  /// Returns the single value that identifies a model to a service, the same as in local stores.
  ///
  /// An id that encodes several values is identified by its own value as a `CriteriaValue`.
  ///
  /// - Throws: `EvocationError.unmappable` for an id that has no such value.
  static func scalar<Model: Identifiable>(of model: Model) throws -> Criteria.Scalar {
    let id = model.id
    let scalars = scalars(of: id, isCoded: (model as? any Encodable).map { codesID($0) } ?? false)
    guard let scalar = scalars?.count == 1 ? scalars?.first : ownScalar(of: id) else {
      throw EvocationError.unmappable(
        model: "\(Model.self)",
        property: "id",
        reason: "a \(Model.ID.self) is not a text, number or UUID; make it conform to CriteriaValue"
      )
    }
    return scalar
  }

  private static func codesID(_ model: some Encodable) -> Bool {
    (try? FieldEncoder.fields(of: model))?["id"] != nil
  }
}
