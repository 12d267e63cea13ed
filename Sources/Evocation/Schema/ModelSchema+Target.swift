extension ModelSchema {
  /// What a key of criteria leads to.
  package struct Target: Sendable, Hashable {
    /// The property that it begins with.
    package let property: Property

    /// The keys behind it, from the outside in.
    package let path: [String]

    /// What is there.
    package let kind: Kind

    /// Whether values there compare as JSON has them.
    package var isNested: Bool { !path.isEmpty || kind == .json }
  }

  /// Finds what a key leads to, with dots for what is nested.
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
  /// What is at the path, or nil when there can be nothing.
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
  /// What stands before and behind each dot, the first dot first.
  package var splitsAtDots: [(String, String)] {
    indices.filter { self[$0] == "." }.map {
      (String(self[..<$0]), String(self[index(after: $0)...]))
    }
  }
}
