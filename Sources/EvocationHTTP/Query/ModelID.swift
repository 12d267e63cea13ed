import Evocation

/// The id of a model as a service knows it.
enum ModelID {
  /// The id's value, for criteria.
  static func scalar<Model: Identifiable>(of model: Model) throws -> Criteria.Scalar {
    guard let scalar = scalar(ofAny: model.id) else {
      throw EvocationError.unmappable(
        model: "\(Model.self)",
        property: "id",
        reason: "a \(Model.ID.self) is not a text, number or UUID; make it conform to CriteriaValue"
      )
    }
    return scalar
  }

  private static func scalar(ofAny id: Any) -> Criteria.Scalar? {
    switch id {
    case let id as any CriteriaValue: id.criteriaValue
    case let id as any OptionalID: id.wrappedID.map(scalar(ofAny:)) ?? .null
    case let id as any RawRepresentable: scalar(ofAny: id.rawValue)
    case let id as any LosslessStringConvertible: .text(id.description)
    default: nil
    }
  }
}

/// What is asked of an optional id whose type is not known.
private protocol OptionalID {
  var wrappedID: Any? { get }
}

extension Optional: OptionalID {
  fileprivate var wrappedID: Any? { map { $0 as Any } }
}
