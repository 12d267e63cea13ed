internal import Evocation
import Foundation

/// Reads the ids of removed models, which a service sends as text.
struct LiveIDDecoder<Model: Sendable>: Sendable {
  /// The key under which models encode their ids; nil if that is not one single value.
  private let key: Criteria.Key?
  private let target: ModelSchema.Target?

  init() {
    func coded<Known: Codable & Identifiable>(_ type: Known.Type) -> Criteria.Key {
      Criteria.Key(\Known.id)
    }
    let schema = ModelAccess<Model>.make()?.schema
    let type = Model.self as? any (Codable & Identifiable).Type
    let key = schema?["id"] == nil ? type.map { coded($0) } : "id"
    target = key.flatMap { try? schema?.target(of: $0) }
    self.key = if case .scalar? = target?.kind { key } else { nil }
  }

  /// Returns the id that a text stands for; nil if no model of the type can have it.
  func id(_ text: String) -> ModelID? {
    guard let key, let target else { return ModelID([.text(text)]) }
    let scalar: Criteria.Scalar? =
      switch target.kind {
      case .scalar(.integer), .scalar(.unsigned), .scalar(.real), .scalar(.decimal): number(text)
      case .scalar, .json, .list, .object: .text(text)
      }
    return scalar.flatMap { try? $0.coerced(to: target, key: key) }.map { ModelID([$0]) }
  }

  private func number(_ text: String) -> Criteria.Scalar? {
    if let whole = Int64(text) { return .integer(whole) }
    if let whole = UInt64(text) { return .unsigned(whole) }
    return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
  }

  /// Returns the change that removes the models with these ids.
  ///
  /// It names them by criteria. Ids of several values have to be compared with those of all models.
  func removal(
    of ids: [ModelID], in local: any Repository<Model>
  ) async throws -> StoreWrite<Model>.Change? {
    guard !ids.isEmpty else { return nil }
    if let key {
      return .mirror([], for: Criteria(.isIn(key, ids.flatMap(\.scalars))))
    }
    let gone = Set(ids.map(\.description))
    let models = try await local.find(Criteria()).value
    let found = try models.selected { gone.contains($0.description) }
    return found.isEmpty ? nil : .remove(found)
  }
}
