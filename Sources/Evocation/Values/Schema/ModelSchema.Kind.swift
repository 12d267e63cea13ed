extension ModelSchema {
  /// The kind of a key's value, as far as repositories distinguish values.
  package indirect enum Kind: Sendable, Hashable {
    /// A single value.
    case scalar(ScalarKind)
    /// Elements without keys, all of one kind.
    case list(Kind)
    /// An object with known keys.
    case object(ModelSchema)
    /// A value of any kind.
    ///
    /// It stands for keys that depend on the value, as in dictionaries and in enums with payloads.
    /// It also stands for values of several kinds, and for a type inside itself.
    case json

    /// The kind of a single value; nil for lists, for objects, and for values of any kind.
    package var scalar: ScalarKind? {
      if case .scalar(let kind) = self { kind } else { nil }
    }

    /// Creates the kind of one encoded value.
    init(of field: Field, model: String) {
      switch field {
      case .scalar(let scalar):
        self = scalar.kind.map { .scalar($0) } ?? .json
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

    /// Returns the kind with the keys that another one has besides, each of which may be absent.
    func joined(with other: Kind) -> Kind {
      guard case .object(let schema) = self, case .object(let more) = other else { return self }
      let missing = more.properties.filter { schema[$0.name] == nil }.map {
        ModelSchema.Property(name: $0.name, kind: $0.kind, isOptional: true)
      }
      return missing.isEmpty
        ? self
        : .object(.init(model: schema.model, properties: schema.properties + missing))
    }
  }
}

extension ModelSchema.Kind: CustomStringConvertible {
  /// The kind with its article, for sentences.
  package var description: String {
    switch self {
    case .scalar(let kind): kind.description
    case .list: "a list"
    case .object: "an object"
    case .json: "a value of any kind"
    }
  }
}
