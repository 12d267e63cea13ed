internal import Foundation

extension ModelIdentity {
  /// Returns the values of a model's id; nil if it has none.
  package func scalars<Model: Identifiable>(of model: Model) -> [Criteria.Scalar]? {
    if isPlain || key == nil { return ModelID.scalars(of: model.id, isCoded: isPlain) }
    guard let model = model as? any Encodable,
      let field = (try? FieldEncoder.fields(of: model))?.field(under: path)
    else { return nil }
    return field.scalars
  }

  /// Returns the values of an id that has no model yet; nil if it has none.
  package func scalars<Model: Identifiable>(
    of id: Model.ID, in type: Model.Type
  ) -> [Criteria.Scalar]? {
    if isPlain || key == nil { return ModelID.scalars(of: id, isCoded: isPlain) }
    func opened<Known: Codable & Identifiable>(_ type: Known.Type) -> [Criteria.Scalar]? {
      guard let learned = try? ModelSchema.learned(type), let fields = learned.fields,
        let id = id as? Known.ID
      else { return nil }
      return Self.codedForms(of: id).first { candidate in
        guard
          let model = SchemaProbe.value(
            of: type, coded: fields.replacing(path, with: .scalar(candidate))), model.id == id
        else { return false }
        // What the type does not take is made up for it, and may be this id by accident.
        return (try? FieldEncoder.fields(of: model))?.field(under: path) == .scalar(candidate)
      }.map { [$0] }
    }
    return (Model.self as? any (Codable & Identifiable).Type).flatMap { opened($0) }
  }
}

/// Ids that a service sends as text.
extension ModelIdentity {
  /// Returns the value of the id that a text stands for; nil if no model of the type can have it.
  package func scalar(ofText text: String, in schema: ModelSchema) -> Criteria.Scalar? {
    guard let key, let target = try? schema.target(of: key) else { return .text(text) }
    let scalar: Criteria.Scalar? =
      switch target.kind {
      case .scalar(.integer), .scalar(.unsigned), .scalar(.real), .scalar(.decimal):
        Self.number(text)
      case .scalar, .json, .list, .object: .text(text)
      }
    return scalar.flatMap { try? $0.coerced(to: target, key: key) }
  }

  private static func number(_ text: String) -> Criteria.Scalar? {
    if let whole = Int64(text) { return .integer(whole) }
    if let whole = UInt64(text) { return .unsigned(whole) }
    return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
  }
}
