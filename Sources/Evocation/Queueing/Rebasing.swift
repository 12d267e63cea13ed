/// What becomes of a model when that changes on which it was made, property by property.
///
/// A property is one key of the object that the model is coded as. Models of a type that is not coded as an
/// object stay as they are.
enum Rebasing {
  /// A later model on top of what the earlier one has become.
  ///
  /// What the app did not change between the two takes the value that it has become.
  static func rebased<Model: Sendable>(
    _ later: Model, from earlier: Model, onto now: Model
  ) -> Model {
    guard let mine = PayloadCoding.properties(of: later),
      let before = PayloadCoding.properties(of: earlier),
      let after = PayloadCoding.properties(of: now), before != after
    else { return later }
    var result = mine
    for key in mine.keys.union(before.keys).union(after.keys) where mine[key] == before[key] {
      result[key] = after[key]
    }
    if result == mine { return later }
    // What the type refuses to be together stays as the app wrote it.
    return (try? PayloadCoding.model(Model.self, result)) ?? later
  }

  /// Whether two models have the same properties, whatever the type's own `==` says.
  static func areSame<Model: Sendable>(_ left: Model, _ right: Model) -> Bool {
    guard let one = PayloadCoding.ordered(left), let other = PayloadCoding.ordered(right)
    else { return ModelAccess<Model>.make()?.areSame(left, right) ?? false }
    return one == other
  }

  /// The property that is the id, as another model has it, whatever its key is.
  ///
  /// - Parameters:
  ///   - other: The model that has the wanted id.
  ///   - model: A model of another id.
  ///   - key: The text that names a model's instance.
  /// - Returns: That property alone.
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` where no property alone is the id.
  static func identity<Model: Sendable>(
    of other: Model, unlike model: Model, _ key: (Model) throws -> String
  ) throws -> JSONProperties {
    guard let mine = PayloadCoding.properties(of: model),
      let theirs = PayloadCoding.properties(of: other)
    else { throw EvocationError.notIdentifiable(model: "\(Model.self)") }
    let usual = ByteText("\"id\"")
    for name in [usual] + theirs.keys.filter({ $0 != usual }) where mine[name] != theirs[name] {
      var identity = JSONProperties()
      identity[name] = theirs[name]
      if let renamed = try? self.model(model, with: identity),
        try ByteText(key(renamed)) == ByteText(key(other))
      {
        return identity
      }
    }
    throw EvocationError.notIdentifiable(model: "\(Model.self)")
  }

  /// A model with some properties in place of its own.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` for a type that is not coded as an object, and
  ///   what the type's decoding throws.
  static func model<Model: Sendable>(
    _ model: Model, with properties: JSONProperties
  ) throws -> Model {
    guard var mine = PayloadCoding.properties(of: model) else {
      throw EvocationError.notIdentifiable(model: "\(Model.self)")
    }
    for name in properties.keys { mine[name] = properties[name] }
    guard let changed = try PayloadCoding.model(Model.self, mine) else {
      throw EvocationError.notIdentifiable(model: "\(Model.self)")
    }
    return changed
  }
}
