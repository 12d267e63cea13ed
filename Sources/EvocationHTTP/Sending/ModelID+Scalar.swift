import Evocation

extension ModelID {
  /// Returns the single value that identifies a model to a service, the same as in local stores.
  ///
  /// An id that encodes several values is identified by its own value as a `CriteriaValue`.
  ///
  /// - Throws: `EvocationError.unmappable` for an id that has no such value.
  static func scalar<Model: Identifiable>(of model: Model) throws -> Criteria.Scalar {
    try scalar(of: model, ModelIdentity.of(Model.self))
  }

  /// Does the same with the identity of the type.
  static func scalar<Model: Identifiable>(
    of model: Model, _ identity: ModelIdentity
  ) throws -> Criteria.Scalar {
    let scalars = identity.scalars(of: model)
    guard let scalar = scalars?.count == 1 ? scalars?.first : ownScalar(of: model.id) else {
      throw EvocationError.unmappable(
        model: "\(Model.self)",
        property: "id",
        reason: "a \(Model.ID.self) is not a text, number or UUID; make it conform to CriteriaValue"
      )
    }
    return scalar
  }
}
