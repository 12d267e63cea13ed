import Evocation
import Foundation

/// The text of a value in a path or a query.
struct ScalarText {
  let encoder: @Sendable () -> JSONEncoder

  /// The text, or nil for null, NaN and infinity.
  func text(of scalar: Criteria.Scalar) throws -> String? {
    if scalar == .null { return nil }
    if case .real(let value) = scalar, !value.isFinite { return nil }
    if case .decimal(let value) = scalar, value.isNaN { return nil }
    if case .date(let value) = scalar { return try text(of: value) }
    return scalar.exactText
  }

  /// A date is written as the models' encoder writes it, so that the service can compare the two.
  private func text(of date: Date) throws -> String {
    let json = try encoder().encode([date])
    if let texts = try? JSONDecoder().decode([String].self, from: json), let text = texts.first {
      return text
    }
    return String(decoding: json, as: UTF8.self).trimmingCharacters(in: ["[", "]", " ", "\n"])
  }
}

extension ModelID {
  /// The single value that identifies a model to a service, the same as in local stores.
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
