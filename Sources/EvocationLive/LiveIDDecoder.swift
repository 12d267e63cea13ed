internal import Evocation
import Foundation

/// Reads the ids of removed models, which a service sends as text.
struct LiveIDDecoder<Model: Sendable>: Sendable {
  /// The key under which models encode their ids; nil if that is not one single value.
  private let key: Criteria.Key?
  private let access: ModelAccess<Model>?

  init() {
    access = ModelAccess<Model>.make()
    let target = access.flatMap { access in
      access.identity.key.flatMap { try? access.schema.target(of: $0) }
    }
    key = if case .scalar? = target?.kind { access?.identity.key } else { nil }
  }

  /// Returns the id that a text stands for; nil if no model of the type can have it.
  func id(_ text: String) -> ModelID? {
    guard key != nil, let access else { return ModelID([.text(text)]) }
    return access.identity.scalar(ofText: text, in: access.schema).map { ModelID([$0]) }
  }

  /// Returns the criteria that name the model with an id; nil if no model of the type can have it.
  func criteria(_ text: String) -> Criteria? {
    guard let key, let scalar = id(text)?.scalars.first else { return nil }
    return Criteria(.comparison(key, .equal, .init(scalar)))
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
