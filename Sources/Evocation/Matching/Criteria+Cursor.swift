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
