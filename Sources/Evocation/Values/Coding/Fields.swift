/// The value that a model has encoded under one key.
package indirect enum Field: Sendable, Hashable {
  /// A single value; null for an optional without one.
  case scalar(Criteria.Scalar)

  /// Elements that were encoded without keys.
  case list([Field])

  /// Values that were encoded with keys.
  case object(Fields)
}

/// The values that a model has encoded, key by key, in the order of encoding.
package struct Fields: Sendable, Hashable {
  package private(set) var names: [String] = []
  package private(set) var values: [Field] = []

  package init() {}

  /// The last value that was encoded under the key; nil if there is none.
  ///
  /// It searches linearly, because models have too few keys for a dictionary to be faster.
  package subscript(name: String) -> Field? {
    names.lastIndex(of: name).map { values[$0] }
  }

  /// The names under which there is a value other than null.
  package var valued: Set<String> {
    Set(zip(names, values).lazy.filter { $1 != .scalar(.null) }.map { $0.0 })
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
  /// Returns the value under a key, with dots for nested keys; null if there is none.
  ///
  /// A nested value is in its JSON form.
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

  /// Returns the value that a key is sorted by; a list or an object counts as null.
  package func scalar(at key: Criteria.Key) -> Criteria.Scalar {
    guard case .scalar(let scalar) = field(at: key) else { return .null }
    return scalar
  }
}

extension Field {
  /// The value in its JSON form.
  var nested: Field {
    guard case .scalar(let scalar) = self else { return self }
    return .scalar(.nestedForm(scalar))
  }
}
