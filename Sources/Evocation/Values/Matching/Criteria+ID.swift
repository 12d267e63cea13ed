extension Criteria {
  /// Creates criteria for the one model with this id, as the model encodes it.
  ///
  /// An id that your app made names the model also after the server has given it another one.
  ///
  /// There are three cases. A model without coding keys matches by `id`. An id of several
  /// properties matches by each of them. Any other id matches by the key under which the model
  /// encodes it.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` for an id that the model does not encode.
  public init<Model: Identifiable>(id: Model.ID, of type: Model.Type) throws(EvocationError) {
    let identity = ModelIdentity.of(type)
    let keys = identity.keys
    if keys.isEmpty { throw .notIdentifiable(model: "\(type)") }
    guard let scalars = identity.scalars(of: id, in: type) else {
      // No model encodes such an id.
      self.init(.isIn(keys[0], []))
      return
    }
    guard keys.count > 1, keys.count == scalars.count else {
      self.init(.comparison(identity.key ?? keys[0], .equal, Operand(scalars.first ?? .null)))
      return
    }
    self.init(.all(zip(keys, scalars).map { .comparison($0, .equal, Operand($1)) }))
  }
}

extension Criteria.Of where Model: Identifiable {
  /// Creates criteria for the one model with this id.
  ///
  /// ```swift
  /// let cars = try await evocation.find(Car.self, where: .init(id: 7))
  /// ```
  ///
  /// If the model does not encode its id, the call throws
  /// ``EvocationError/unknownKey(_:model:nearest:)``.
  public init(id: Model.ID) {
    self.init((try? Criteria(id: id, of: Model.self)) ?? (Criteria.Key("id") == "\(id)"))
  }
}
