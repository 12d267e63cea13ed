extension Criteria {
  /// Returns the same criteria, with each key checked and each value converted to its key's kind.
  ///
  /// Repositories resolve criteria before they look at a model. A mistake is therefore an error
  /// even if there are no models, and all repositories compare the same values.
  ///
  /// - Throws: ``EvocationError/unknownKey(_:model:nearest:)``,
  ///   ``EvocationError/incomparableValue(key:reason:)`` or
  ///   ``EvocationError/nestedTooDeeply(most:)``.
  package func resolved(against schema: ModelSchema) throws(EvocationError) -> Criteria {
    try checkLevels()
    var result = self
    if let predicate { result.predicate = try predicate.resolved(against: schema) }
    var kinds: [(Key, ModelSchema.Target)] = []
    for sort in order {
      let target = try schema.target(of: sort.key)
      switch target.kind {
      case .list, .object:
        throw .incomparableValue(
          key: sort.key.name, reason: "the key holds \(target.kind), which has no order"
        )
      case .scalar, .json:
        kinds.append((sort.key, target))
      }
    }
    result.cursor = try cursor?.resolved(kinds, id: schema.identifier.flatMap { schema[$0] })
    return result
  }
}

extension Criteria.Scalar {
  /// Returns the value as the key holds it, in its nested form if the key is nested.
  package func coerced(
    to target: ModelSchema.Target, key: Criteria.Key
  ) throws(EvocationError) -> Self {
    let value = try coerced(to: target.kind, key: key)
    return target.isNested ? .nestedForm(value) : value
  }
}
