extension Criteria {
  /// Gives the same criteria with each key checked and each value as the kind that its key holds.
  ///
  /// Repositories resolve criteria before they look at a model, so that a mistake is an error even
  /// where there are no models, and so that all of them compare the same values.
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
    result.cursor = try cursor?.resolved(kinds, id: schema["id"])
    return result
  }
}

extension Criteria.Scalar {
  /// Gives the value as the place holds it, nested or not.
  func coerced(
    to target: ModelSchema.Target, key: Criteria.Key
  ) throws(EvocationError) -> Self {
    let value = try coerced(to: target.kind, key: key)
    return target.isNested ? .nestedForm(value) : value
  }
}
