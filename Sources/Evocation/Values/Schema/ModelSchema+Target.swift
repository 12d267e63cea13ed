extension ModelSchema {
  /// The value that a key of criteria leads to.
  package struct Target: Sendable, Hashable {
    /// The property that the key begins with.
    package let property: Property

    /// The keys after the property, from the outside in.
    package let path: [String]

    /// The kind of the value.
    package let kind: Kind

    /// Whether values compare in their JSON forms.
    package var isNested: Bool { !path.isEmpty || kind == .json }
  }

  /// Returns the value that a key leads to, with dots for nested keys.
  ///
  /// - Throws: ``EvocationError/unknownKey(_:model:nearest:)``.
  package func target(of key: Criteria.Key) throws(EvocationError) -> Target {
    if let property = self[key.name] {
      return Target(property: property, path: [], kind: property.kind)
    }
    for (name, rest) in key.name.splitsAtDots {
      guard let property = self[name] else { continue }
      let path = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard let kind = property.kind.kind(at: path[...]) else { break }
      return Target(property: property, path: path, kind: kind)
    }
    throw .unknownKey(key.name, model: model, nearest: nearest(to: key.name))
  }
}

extension ModelSchema.Kind {
  /// Returns the kind of the value at the path; nil if there can be none.
  fileprivate func kind(at path: ArraySlice<String>) -> Self? {
    guard let name = path.first else { return self }
    return switch self {
    case .json: .json
    case .object(let schema): schema[name]?.kind.kind(at: path.dropFirst())
    case .scalar, .list: nil
    }
  }
}

extension String {
  /// The text before and after each dot, the first dot first.
  package var splitsAtDots: [(String, String)] {
    indices.filter { self[$0] == "." }.map {
      (String(self[..<$0]), String(self[index(after: $0)...]))
    }
  }
}
