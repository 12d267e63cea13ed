internal import Foundation

/// What is known of a model type: its keys, where it encodes its ids, and what one value encodes.
struct LearnedModel: Sendable {
  let schema: ModelSchema
  /// What a value encodes; nil for a type that does not encode keys.
  let fields: Fields?
  let identity: ModelIdentity

  /// Learns a type of which no more is known than that it decodes.
  init<Model: Decodable>(decoding type: Model.Type) throws(EvocationError) {
    (schema, _) = try SchemaProbe.schema(of: type)
    (fields, identity) = (nil, .none)
  }

  /// Learns a type without ids.
  init<Model: Codable>(coding type: Model.Type) throws(EvocationError) {
    let (schema, made) = try SchemaProbe.schema(of: type)
    self.init(schema, made) { _, _ in .none }
  }

  /// Learns a type.
  ///
  /// Swift looks through the whole program for each conformance, so a caller that knows them calls this
  /// ("launch").
  init<Model: Codable & Identifiable>(_ type: Model.Type) throws(EvocationError) {
    let (schema, made) = try SchemaProbe.schema(of: type)
    self.init(schema, made) { fields, bare in
      let search = IdentitySearch(made.sample, fields)
      return search.identity(shownBy: made.bare, bare) ?? search.identity
    }
  }

  private init<Model: Codable>(
    _ schema: ModelSchema, _ made: MadeModels<Model>,
    identity: (_ fields: Fields, _ bare: Fields?) -> ModelIdentity
  ) {
    fields = try? FieldEncoder.fields(of: made.sample)
    guard let fields else {
      (self.schema, self.identity) = (schema, .none)
      return
    }
    let bare = made.bare.flatMap { try? FieldEncoder.fields(of: $0) }
    let identity = identity(fields, bare)
    var defaults = bare.map(schema.defaults)
    // A type may take a value for none only if it reads null.
    if defaults?.isEmpty != true {
      defaults = Self.bare(schema, fields, of: Model.self).map(schema.defaults)
    }
    self.schema = Self.completed(
      schema, fields, defaults: defaults ?? [], of: Model.self, identity: identity)
    self.identity = identity.completed(by: self.schema)
  }

  /// Returns the schema with what the type encodes: the kinds of values, and its own defaults.
  private static func completed<Model: Codable>(
    _ schema: ModelSchema, _ fields: Fields, defaults: Set<String>, of type: Model.Type,
    identity: ModelIdentity
  ) -> ModelSchema {
    let encoded = schema.properties.compactMap { property -> (String, ScalarKind)? in
      guard let asked = property.kind.scalar, case .scalar(let scalar)? = fields[property.name],
        let kind = scalar.kind, !asked.isStored(like: kind)
      else { return nil }
      return (property.name, kind)
    }
    // A type that reads a number or a text, and encodes the text, is read from the text too.
    let changed = encoded.isEmpty || !readsItself(type, fields) ? [] : encoded
    let kinds = Dictionary(changed) { first, _ in first }
    return ModelSchema(
      model: schema.model, identifier: identity.property,
      properties: kinds.isEmpty && defaults.isEmpty
        ? schema.properties
        : schema.properties.map { property in
          ModelSchema.Property(
            name: property.name, kind: kinds[property.name].map { .scalar($0) } ?? property.kind,
            isOptional: property.isOptional, hasDefault: defaults.contains(property.name))
        })
  }

  /// Returns what a type encodes that reads no optional value; nil if it refuses that.
  private static func bare<Model: Codable>(
    _ schema: ModelSchema, _ fields: Fields, of type: Model.Type
  ) -> Fields? {
    guard schema.properties.contains(where: \.isOptional) else { return nil }
    var required = Fields()
    for (name, value) in zip(fields.names, fields.values) {
      required.append(schema[name]?.isOptional == false ? value : .scalar(.null), name)
    }
    return SchemaProbe.value(
      of: type, coded: required, inputs: ProbeInputs(givesOptionals: false)
    ).flatMap { try? FieldEncoder.fields(of: $0) }
  }

  /// Whether a type decodes from JSON what it encodes.
  private static func readsItself<Model: Codable>(_ type: Model.Type, _ fields: Fields) -> Bool {
    guard let sample = SchemaProbe.value(of: type, coded: fields),
      let json = try? ModelJSON.data(sample), let read = try? ModelJSON.model(type, json)
    else { return false }
    return (try? FieldEncoder.fields(of: read)) == (try? FieldEncoder.fields(of: sample))
  }
}

extension ModelSchema {
  /// Returns the optional properties that the type itself has a value for, as a model shows that read none.
  fileprivate func defaults(_ bare: Fields) -> Set<String> {
    Set(
      properties.lazy.filter(\.isOptional).map(\.name).filter { name in
        bare[name].map { $0 != .scalar(.null) } ?? false
      })
  }
}

extension ScalarKind {
  /// Whether values of both kinds have the same form in rows and JSON.
  fileprivate func isStored(like other: ScalarKind) -> Bool {
    switch (self, other) {
    case (.text, .url), (.url, .text), (.integer, .unsigned), (.unsigned, .integer): true
    default: self == other
    }
  }
}
