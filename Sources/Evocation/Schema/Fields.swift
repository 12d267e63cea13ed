/// What a model has coded under one key.
package indirect enum Field: Sendable, Hashable {
  /// A single value; null for an optional without one.
  case scalar(Criteria.Scalar)

  /// What was coded without keys.
  case list([Field])

  /// What was coded with keys.
  case object(Fields)
}

/// What a model has coded, key by key, in the order of coding.
package struct Fields: Sendable, Hashable {
  package private(set) var names: [String] = []
  package private(set) var values: [Field] = []

  package init() {}

  /// What was coded last under the key, or nil when nothing was.
  ///
  /// It looks from key to key, because models have too few for a dictionary to pay.
  package subscript(name: String) -> Field? {
    names.lastIndex(of: name).map { values[$0] }
  }

  mutating func append(_ value: Field, _ name: String) {
    names.append(name)
    values.append(value)
  }

  mutating func replace(at index: Int, with value: Field) {
    values[index] = value
  }
}

extension Fields {
  /// What is under a key, with dots for what is nested; null when nothing is.
  ///
  /// A value that is nested comes as JSON has it.
  package func field(at key: Criteria.Key) -> Field {
    if let field = self[key.name] { return field }
    for (name, rest) in key.name.splitsAtDots {
      guard let field = self[name] else { continue }
      let names = rest.split(separator: ".", omittingEmptySubsequences: false)
      return names.reduce(field) { field, name in
        guard case .object(let fields) = field else { return .scalar(.null) }
        return fields[String(name)] ?? .scalar(.null)
      }.nested
    }
    return .scalar(.null)
  }

  /// What a key is ordered by: a list or an object counts as null.
  package func scalar(at key: Criteria.Key) -> Criteria.Scalar {
    guard case .scalar(let scalar) = field(at: key) else { return .null }
    return scalar
  }

  /// The same, with values under open keys as JSON has them.
  package func normalized(for schema: ModelSchema) -> Fields {
    var result = self
    for (index, name) in names.enumerated() where schema[name]?.kind == .json {
      result.replace(at: index, with: values[index].nested)
    }
    return result
  }
}

extension Field {
  fileprivate var nested: Field {
    guard case .scalar(let scalar) = self else { return self }
    return .scalar(.nestedForm(scalar))
  }
}
