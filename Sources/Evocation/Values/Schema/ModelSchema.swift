/// The keys that a `Codable` type reads, and the kinds of their values.
///
/// Evocation learns it from the type alone: it decodes the type from made-up values, and records
/// the keys that the type asks for. A type that refuses these values can conform to
/// ``CodableExample``.
package struct ModelSchema: Sendable, Hashable {
  /// The type's name, for sentences.
  package let model: String

  /// The properties, in the order in which `init(from:)` asks for them.
  package let properties: [Property]

  /// The name of the property that is the models' id; nil if none is.
  package let identifier: String?

  private let positions: [String: Int]

  package init(model: String, identifier: String? = nil, properties: [Property]) {
    self.model = model
    self.identifier = identifier
    self.properties = properties
    positions = [String: Int](
      properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The property of this name; it does not look for nested properties at dots.
  package subscript(name: String) -> Property? {
    positions[name].map { properties[$0] }
  }

  /// Returns the schema of a type, which is learned once.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  package static func of<Model: Decodable>(
    _ type: Model.Type
  ) throws(EvocationError) -> ModelSchema {
    try learned(type).schema
  }

  /// Returns the schema of a type, which is learned once.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  package static func of<Model: Codable & Identifiable>(
    _ type: Model.Type
  ) throws(EvocationError) -> ModelSchema {
    try learned(type).schema
  }

  /// Returns what is known of a type.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  static func learned<Model: Decodable>(
    _ type: Model.Type
  ) throws(EvocationError) -> LearnedModel {
    try known(type) { () throws(EvocationError) in
      if let type = type as? any (Codable & Identifiable).Type { return try LearnedModel(type) }
      if let type = type as? any Codable.Type { return try LearnedModel(coding: type) }
      return try LearnedModel(decoding: type)
    }
  }

  /// Returns what is known of a type.
  ///
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)``.
  static func learned<Model: Codable & Identifiable>(
    _ type: Model.Type
  ) throws(EvocationError) -> LearnedModel {
    try known(type) { () throws(EvocationError) in try LearnedModel(type) }
  }

  private static func known<Model>(
    _ type: Model.Type, or learn: () throws(EvocationError) -> LearnedModel
  ) throws(EvocationError) -> LearnedModel {
    let id = ObjectIdentifier(type)
    if let known = cache.withLock({ $0[id] }) { return try known.get() }
    let made = Result { () throws(EvocationError) in try learn() }
    return try cache.withLock { cache in
      let first = cache[id] ?? made
      cache[id] = first
      return first
    }.get()
  }

  private static let cache = Lock<[ObjectIdentifier: Result<LearnedModel, EvocationError>]>([:])
}

extension ModelSchema {
  /// One key of a type.
  package struct Property: Sendable, Hashable {
    /// The coding key.
    package let name: String

    /// The kind of the key's value.
    package let kind: Kind

    /// Whether the type can be decoded without this value: it is optional or has a default.
    package let isOptional: Bool

    /// Whether the type itself has a value, if it reads none.
    package let hasDefault: Bool

    package init(name: String, kind: Kind, isOptional: Bool, hasDefault: Bool = false) {
      self.name = name
      self.kind = kind
      self.isOptional = isOptional
      self.hasDefault = hasDefault
    }
  }
}

extension Fields {
  /// Returns the same fields, with the values under keys of any kind in their JSON forms.
  package func normalized(for schema: ModelSchema) -> Fields {
    guard schema.hasJSON else { return self }
    var result = self
    for (index, name) in names.enumerated() {
      guard let kind = schema[name]?.kind, kind.hasJSON else { continue }
      result.replace(at: index, with: values[index].normalized(for: kind))
    }
    return result
  }
}

extension Field {
  fileprivate func normalized(for kind: ModelSchema.Kind) -> Field {
    switch (kind, self) {
    case (.json, _): inJSON
    case (.object(let schema), .object(let fields)): .object(fields.normalized(for: schema))
    case (.list(let kind), .list(let elements)):
      .list(elements.map { $0.normalized(for: kind) })
    case (.object, _), (.list, _), (.scalar, _): self
    }
  }

  /// The value as JSON has it, in which numbers that are not finite are text.
  private var inJSON: Field {
    switch self {
    case .scalar(let scalar): return .scalar(scalar.inJSON)
    case .list(let elements): return .list(elements.map(\.inJSON))
    case .object(var fields):
      for (index, value) in fields.values.enumerated() {
        fields.replace(at: index, with: value.inJSON)
      }
      return .object(fields)
    }
  }
}

extension ModelSchema {
  /// Whether a value of any kind is in it, whose form only JSON decides.
  fileprivate var hasJSON: Bool { properties.contains { $0.kind.hasJSON } }
}

extension ModelSchema.Kind {
  fileprivate var hasJSON: Bool {
    switch self {
    case .scalar: false
    case .list(let kind): kind.hasJSON
    case .object(let schema): schema.hasJSON
    case .json: true
    }
  }
}
