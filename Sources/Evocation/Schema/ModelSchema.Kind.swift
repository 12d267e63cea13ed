extension ModelSchema {
  /// What a key holds, as far as repositories tell values apart.
  package indirect enum Kind: Sendable, Hashable {
    /// A single value.
    case scalar(ScalarKind)
    /// Elements without keys, all of one kind.
    case list(Kind)
    /// Keys that are known.
    case object(ModelSchema)
    /// Anything: keys that depend on the value, as those of dictionaries and of enums with
    /// payloads, values of several kinds, and a type within itself.
    case json

    /// The kind when it is that of single values; nil for lists, objects, and what may be either.
    package var scalar: ScalarKind? {
      if case .scalar(let kind) = self { kind } else { nil }
    }

    /// Makes the kind of what one value has coded.
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
