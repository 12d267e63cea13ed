extension Criteria {
  /// Makes the place at which a model stands in the order of these criteria.
  ///
  /// ```swift
  /// let next = criteria.after(try criteria.cursor(at: page[page.count - 1]))
  /// ```
  ///
  /// - Throws: ``EvocationError/unknownKey(_:model:nearest:)`` when the model lacks a key of the
  ///   order, or what the model's `encode(to:)` throws.
  public func cursor(at model: some Encodable & Identifiable) throws -> Cursor {
    var fields = try FieldEncoder.fields(of: model)
    var isCoded = fields["id"] != nil
    if let type = type(of: model) as? any Decodable.Type {
      let schema = try ModelSchema.of(type)
      _ = try Criteria(order: order).resolved(against: schema)
      fields = fields.normalized(for: schema)
      isCoded = schema["id"] != nil
    }
    return Cursor(
      values: order.map { fields.scalar(at: $0.key) },
      id: ModelID(of: model, isCoded: isCoded).scalars
    )
  }
}

extension Criteria.Cursor {
  /// What a cursor is told whose id has more values than the models' ids, or fewer.
  package static var madeForAnotherID: EvocationError {
    .incomparableValue(
      key: "cursor", reason: "it was made for another order or id; make one for this one")
  }

  func resolved(
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
