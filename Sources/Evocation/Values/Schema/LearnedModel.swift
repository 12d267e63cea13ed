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
    let (schema, sample) = try SchemaProbe.schema(of: type)
    self.init(schema, sample) { _ in .none }
  }

  /// Learns a type.
  ///
  /// Swift looks through the whole program for each conformance, so a caller that knows them calls this
  /// ("launch").
  init<Model: Codable & Identifiable>(_ type: Model.Type) throws(EvocationError) {
    let (schema, sample) = try SchemaProbe.schema(of: type)
    self.init(schema, sample) { IdentitySearch(sample, $0).identity }
  }

  private init<Model: Codable>(
    _ schema: ModelSchema, _ sample: Model, identity: (Fields) -> ModelIdentity
  ) {
    fields = try? FieldEncoder.fields(of: sample)
    guard let fields else {
      (self.schema, self.identity) = (schema, .none)
      return
    }
    let identity = identity(fields)
    self.schema = Self.completed(schema, fields, type: Model.self, identity: identity)
    self.identity = identity.completed(by: self.schema)
  }

  /// Returns the schema with what the type encodes: the kinds of values, and its own defaults.
  private static func completed<Model: Codable>(
    _ schema: ModelSchema, _ fields: Fields, type: Model.Type, identity: ModelIdentity
  ) -> ModelSchema {
    let defaults = defaults(schema, fields, of: type)
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

  /// Returns the optional properties that the type itself has a value for, if it reads none.
  private static func defaults<Model: Codable>(
    _ schema: ModelSchema, _ fields: Fields, of type: Model.Type
  ) -> Set<String> {
    guard schema.properties.contains(where: \.isOptional) else { return [] }
    var required = Fields()
    for (name, value) in zip(fields.names, fields.values) {
      required.append(schema[name]?.isOptional == false ? value : .scalar(.null), name)
    }
    guard
      let bare = SchemaProbe.value(
        of: type, coded: required, inputs: ProbeInputs(givesOptionals: false)),
      let fields = try? FieldEncoder.fields(of: bare)
    else { return [] }
    let known = schema.properties.filter { property in
      property.isOptional && fields[property.name].map { $0 != .scalar(.null) } ?? false
    }
    return Set(known.map(\.name))
  }

  /// Whether a type decodes from JSON what it encodes.
  private static func readsItself<Model: Codable>(_ type: Model.Type, _ fields: Fields) -> Bool {
    guard let sample = SchemaProbe.value(of: type, coded: fields),
      let json = try? ModelJSON.data(sample), let read = try? ModelJSON.model(type, json)
    else { return false }
    return (try? FieldEncoder.fields(of: read)) == (try? FieldEncoder.fields(of: sample))
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
