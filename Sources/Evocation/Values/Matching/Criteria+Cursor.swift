extension Criteria {
  /// Returns the position of a model in the order of these criteria.
  ///
  /// ```swift
  /// let next = criteria.after(try criteria.cursor(at: page[page.count - 1]))
  /// ```
  ///
  /// - Throws: ``EvocationError/unknownKey(_:model:nearest:)`` if the model lacks a key of the
  ///   order, or an error of the model's `encode(to:)`.
  public func cursor(at model: some Encodable & Identifiable) throws -> Cursor {
    var fields = try FieldEncoder.fields(of: model)
    if let type = type(of: model) as? any Decodable.Type {
      let schema = try ModelSchema.of(type)
      _ = try Criteria(order: order).resolved(against: schema)
      fields = fields.normalized(for: schema)
    }
    return Cursor(
      values: order.map { fields.scalar(at: $0.key) }, id: ModelID(of: model).scalars)
  }
}

extension Criteria.Cursor {
  /// The error of a cursor whose id has more or fewer values than the models' ids.
  package static var madeForAnotherID: EvocationError {
    .incomparableValue(
      key: "cursor",
      reason: "the cursor was made for another order or id; make one for this order and id")
  }

  func resolved(
    _ targets: [(Criteria.Key, ModelSchema.Target)], id property: ModelSchema.Property?
  ) throws(EvocationError) -> Criteria.Cursor {
    guard values.count == targets.count, !id.isEmpty else {
      throw .incomparableValue(
        key: "cursor", reason: "the cursor was made for another order; make one for this order"
      )
    }
    if let property, property.kind.scalar != nil, id.count != 1 { throw Self.madeForAnotherID }
    var values: [Criteria.Scalar] = []
    for (value, (key, target)) in zip(self.values, targets) {
      // The model's value at this key is already in its nested form, and no longer a date or a
      // UUID.
      values.append(
        target.isNested ? .nestedForm(value) : try value.coerced(to: target, key: key)
      )
    }
    guard id.count == 1, let property else { return Self(values: values, id: id) }
    if case .object = property.kind { return Self(values: values, id: id) }
    if case .list = property.kind { return Self(values: values, id: id) }
    let key = Criteria.Key(property.name)
    return Self(values: values, id: [try id[0].coerced(to: property.kind, key: key)])
  }
}
