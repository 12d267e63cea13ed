extension ModelSchema.Kind {
  /// Makes the kind of what one value has coded.
  init(of field: Field, model: String) {
    switch field {
    case .scalar(let scalar):
      self.init(of: scalar)
    case .list(let elements):
      let kinds = Set(elements.map { Self(of: $0, model: model) })
      self = .list(kinds.count == 1 ? kinds.first ?? .json : .json)
    case .object(let fields):
      let properties = zip(fields.names, fields.values).map { name, value in
        ModelSchema.Property(
          name: name, kind: Self(of: value, model: name), isOptional: value == .scalar(.null)
        )
      }
      self = properties.isEmpty ? .json : .object(.init(model: model, properties: properties))
    }
  }

  init(of scalar: Criteria.Scalar) {
    self =
      switch scalar {
      case .null: .json
      case .bool: .bool
      case .integer: .integer
      case .unsigned: .unsigned
      case .real: .real
      case .decimal: .decimal
      case .text: .text
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .url: .url
      }
  }
}
