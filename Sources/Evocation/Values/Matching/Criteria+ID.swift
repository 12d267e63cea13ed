extension Criteria {
  /// Creates criteria for the one model with this id, as the model encodes it.
  ///
  /// There are three cases. A model without coding keys matches by `id`. An id of several
  /// properties matches by each of them. Any other id matches by the key under which the model
  /// encodes it.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` for an id that the model does not encode.
  package init<Model: Identifiable>(id: Model.ID, of type: Model.Type) throws(EvocationError) {
    guard let schema = Self.schema(of: type) else {
      self.init(key: "id", ModelID(id, of: type).scalars)
      return
    }
    let scalars = ModelID(id, of: type).scalars
    guard let property = schema["id"] else {
      let key = Key(\Model.id)
      guard schema[key.name] != nil else { throw .notIdentifiable(model: schema.model) }
      self.init(key: key, scalars)
      return
    }
    guard case .object(let parts) = property.kind, parts.properties.count == scalars.count else {
      self.init(key: "id", scalars)
      return
    }
    let each = zip(parts.properties, scalars).map {
      Predicate.comparison(Key("id.\($0.name)"), .equal, Operand($1))
    }
    self.init(.all(each))
  }

  /// Returns the keys under which models encode the values of their ids; none if they do not.
  static func idKeys<Model: Identifiable>(of type: Model.Type) -> [Key] {
    guard let schema = schema(of: type) else { return ["id"] }
    guard let property = schema["id"] else {
      let key = Key(\Model.id)
      return schema[key.name] == nil ? [] : [key]
    }
    guard case .object(let parts) = property.kind else { return ["id"] }
    return parts.properties.map { Key("id.\($0.name)") }
  }

  private init(key: Key, _ scalars: [Scalar]) {
    self.init(.comparison(key, .equal, Operand(scalars.first ?? .null)))
  }

  private static func schema<Model>(of type: Model.Type) -> ModelSchema? {
    (type as? any Decodable.Type).flatMap { try? ModelSchema.of($0) }
  }
}
