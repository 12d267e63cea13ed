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
        self = .list(.union(of: elements.map { Self(of: $0, model: model) }))
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

    /// Returns the kind that has the values of both: an object with the keys of both, or any JSON.
    func union(_ other: Kind) -> Kind {
      switch (self, other) {
      case _ where self == other: return self
      case (.list(let own), .list(let added)): return .list(own.union(added))
      case (.object(let own), .object(let added)):
        let shared = own.properties.map { property in
          let twin = added[property.name]
          return ModelSchema.Property(
            name: property.name, kind: twin.map { property.kind.union($0.kind) } ?? property.kind,
            isOptional: property.isOptional || twin?.isOptional ?? true)
        }
        return ModelSchema.Kind.object(.init(model: own.model, properties: shared))
          .joined(with: other)
      case (.scalar, _), (.list, _), (.object, _), (.json, _): return .json
      }
    }

    /// Returns the kind that has the values of all; any JSON for none.
    static func union(of kinds: [Kind]) -> Kind {
      kinds.dropFirst().reduce(kinds.first ?? .json) { $0.union($1) }
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
