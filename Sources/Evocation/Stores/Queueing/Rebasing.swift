/// Applies the changes of a model on top of another state of its base, property by property.
///
/// A property is one key of the object that the model is coded as. Models of a type that is not
/// coded as an object stay as they are.
package enum Rebasing {
  /// Returns a later model on top of what became of the earlier one.
  ///
  /// A property that the app did not change between the two takes its present value.
  package static func rebased<Model: Sendable>(
    _ later: Model, from earlier: Model, onto now: Model
  ) -> Model {
    guard let mine = ModelJSON.properties(of: later),
      let before = ModelJSON.properties(of: earlier),
      let after = ModelJSON.properties(of: now), before != after
    else { return later }
    var result = mine
    for key in mine.keys.union(before.keys).union(after.keys) where mine[key] == before[key] {
      result[key] = after[key]
    }
    if result == mine { return later }
    // If the type refuses the combination, the model stays as the app wrote it.
    return (try? ModelJSON.model(Model.self, result)) ?? later
  }

  /// Returns a model with the values that another state of it has under some keys.
  ///
  /// If the type refuses the combination, the model stays as it is.
  package static func completed<Model: Sendable>(
    _ model: Model, under keys: Set<String>, from held: Model
  ) -> Model {
    func fields(of model: Model) -> Fields? {
      (model as? any Encodable).flatMap { try? FieldEncoder.fields(of: $0) }
    }
    // Most are the same there, and encoding to JSON costs several times as much as looking.
    guard let theirs = fields(of: held), let own = fields(of: model) else { return model }
    let different = keys.filter { theirs[$0] ?? .scalar(.null) != own[$0] ?? .scalar(.null) }
    guard !different.isEmpty, let properties = ModelJSON.properties(of: held) else { return model }
    var known = JSONProperties()
    for key in different {
      guard let name = ModelJSON.ordered(ifCoded: key) else { continue }
      let text = ByteText(String(decoding: name, as: UTF8.self))
      known[text] = properties[text] ?? Array("null".utf8)
    }
    if known.keys.isEmpty { return model }
    return (try? Self.model(model, with: known)) ?? model
  }

  /// Returns the keys under which a state of a model has a value that two other states do not have.
  package static func values<Model: Sendable>(
    of model: Model, missingIn states: (Model, Model)
  ) -> Set<String> {
    func valued(_ model: Model) -> Set<String> {
      (model as? any Encodable).flatMap { try? FieldEncoder.fields(of: $0).valued } ?? []
    }
    return valued(model).subtracting(valued(states.0)).subtracting(valued(states.1))
  }

  /// Whether two models have the same properties, whatever the `==` of their type returns.
  package static func areSame<Model: Sendable>(_ left: Model, _ right: Model) -> Bool {
    guard let one = ModelJSON.ordered(ifCoded: left),
      let other = ModelJSON.ordered(ifCoded: right)
    else { return ModelAccess<Model>.make()?.areSame(left, right) ?? false }
    return one == other
  }

  /// Finds the property that is the id, whatever its key, and returns it as another model has it.
  ///
  /// - Parameters:
  ///   - other: The model that has the wanted id.
  ///   - model: A model with another id.
  ///   - key: Returns the text that names a model's instance.
  /// - Returns: That property alone.
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` if no single property is the id.
  static func identity<Model: Sendable>(
    of other: Model, unlike model: Model, _ key: (Model) throws -> String
  ) throws -> JSONProperties {
    guard let mine = ModelJSON.properties(of: model),
      let theirs = ModelJSON.properties(of: other)
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

  /// Returns a model with some of its properties replaced.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` for a type that is not coded as an
  ///   object, and what the type's decoding throws.
  static func model<Model: Sendable>(
    _ model: Model, with properties: JSONProperties
  ) throws -> Model {
    guard var mine = ModelJSON.properties(of: model) else {
      throw EvocationError.notIdentifiable(model: "\(Model.self)")
    }
    for name in properties.keys { mine[name] = properties[name] }
    guard let changed = try ModelJSON.model(Model.self, mine) else {
      throw EvocationError.notIdentifiable(model: "\(Model.self)")
    }
    return changed
  }
}
