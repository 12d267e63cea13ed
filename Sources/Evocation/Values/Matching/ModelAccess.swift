/// Reads the ids and encoded values of models whose static type is only `Sendable`.
///
/// There is one for each type. Its subclass knows that the type is `Codable` and `Identifiable`.
package class ModelAccess<Model: Sendable>: @unchecked Sendable {  // it is immutable
  package let schema: ModelSchema
  package let identity: ModelIdentity

  fileprivate init(_ schema: ModelSchema, _ identity: ModelIdentity) {
    (self.schema, self.identity) = (schema, identity)
  }

  /// Creates the access to a type; nil if its models have no id or are not encodable.
  package static func make() -> ModelAccess<Model>? {
    func opened<Known: Codable & Identifiable>(_ type: Known.Type) -> ModelAccess<Model>? {
      (try? ModelSchema.learned(type)).map {
        KnownModelAccess<Model, Known>($0.schema, $0.identity)
      }
    }
    guard let type = Model.self as? any (Codable & Identifiable).Type else { return nil }
    return opened(type)
  }

  /// Whether the models encode their ids as single values.
  package var isListable: Bool {
    schema.identifier.flatMap { schema[$0] }?.kind.scalar != nil
  }

  package func id(_ model: Model) throws -> ModelID {
    throw EvocationError.notIdentifiable(model: schema.model)
  }

  /// Returns the values that a model encodes, or only those under some of its keys.
  package func fields(_ model: Model, only keys: Set<String>? = nil) throws -> Fields {
    throw EvocationError.notIdentifiable(model: schema.model)
  }

  /// Whether two models are equal: by the type's `==`, and otherwise by their encoded values.
  package func areSame(_ left: Model, _ right: Model) -> Bool {
    if let left = left as? any Equatable { return Self.equals(left, right) }
    guard let left = try? fields(left), let right = try? fields(right) else { return false }
    return left == right
  }

  /// Whether two arrays have equal models in the same order.
  package func areSame(_ left: [Model], _ right: [Model]) -> Bool {
    func opened<Known: Equatable>(_ type: Known.Type) -> Bool? {
      guard let left = left as? [Known], let right = right as? [Known] else { return nil }
      return left == right
    }
    // Checks the type of the arrays once, and not the type of each model.
    if let type = Model.self as? any Equatable.Type, let areSame = opened(type) { return areSame }
    return left.count == right.count && zip(left, right).allSatisfy { areSame($0, $1) }
  }

  private static func equals<Known: Equatable>(_ left: Known, _ right: Model) -> Bool {
    (right as? Known).map { $0 == left } ?? false
  }
}

/// The access to models through `Known`, which is the same type with its conformances.
private final class KnownModelAccess<Model: Sendable, Known: Codable & Identifiable>:
  ModelAccess<Model>, @unchecked Sendable  // as above
{
  override func id(_ model: Model) throws -> ModelID {
    ModelID(of: try known(model), identity)
  }

  override func fields(_ model: Model, only keys: Set<String>? = nil) throws -> Fields {
    try FieldEncoder.fields(of: known(model), only: keys).normalized(for: schema)
  }

  private func known(_ model: Model) throws -> Known {
    guard let known = model as? Known else {
      throw EvocationError.notIdentifiable(model: schema.model)
    }
    return known
  }
}
