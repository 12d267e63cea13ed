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
      let place = try schema.place(of: sort.key)
      switch place.kind {
      case .list, .object:
        throw .incomparableValue(
          key: sort.key.name, reason: "the key holds \(place.kind), which has no order"
        )
      case .scalar, .json:
        kinds.append((sort.key, place))
      }
    }
    result.cursor = try cursor?.resolved(kinds, id: schema["id"])
    return result
  }
}

extension Criteria.Cursor {
  /// What a cursor is told whose id has more values than the models' ids, or fewer.
  package static var madeForAnotherID: EvocationError {
    .incomparableValue(
      key: "cursor", reason: "it was made for another order or id; make one for this one")
  }

  fileprivate func resolved(
    _ places: [(Criteria.Key, ModelSchema.Target)], id property: ModelSchema.Property?
  ) throws(EvocationError) -> Criteria.Cursor {
    guard values.count == places.count, !id.isEmpty else {
      throw .incomparableValue(
        key: "cursor", reason: "it was made for another order; make one for this one"
      )
    }
    if let property, property.kind.scalar != nil, id.count != 1 { throw Self.madeForAnotherID }
    var values: [Criteria.Scalar] = []
    for (value, (key, place)) in zip(self.values, places) {
      // What a model has there is in its nested form already, and no date or UUID any more.
      values.append(
        place.isNested ? .nestedForm(value) : try value.coerced(to: place, key: key)
      )
    }
    guard id.count == 1, let property else { return Self(values: values, id: id) }
    if case .object = property.kind { return Self(values: values, id: id) }
    if case .list = property.kind { return Self(values: values, id: id) }
    return Self(values: values, id: [try id[0].coerced(to: property.kind, key: "id")])
  }
}

extension Criteria.Scalar {
  /// Gives the value as the place holds it, nested or not.
  func coerced(
    to place: ModelSchema.Target, key: Criteria.Key
  ) throws(EvocationError) -> Self {
    let value = try coerced(to: place.kind, key: key)
    return place.isNested ? .nestedForm(value) : value
  }
}
