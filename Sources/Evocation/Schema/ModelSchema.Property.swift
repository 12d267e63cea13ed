extension ModelSchema {
  /// One key of a type.
  package struct Property: Sendable, Hashable {
    /// The coding key.
    package let name: String

    /// What stands under the key.
    package let kind: Kind

    /// Whether the type can be read without a value here: it is optional or has a default.
    package let isOptional: Bool

    package init(name: String, kind: Kind, isOptional: Bool) {
      self.name = name
      self.kind = kind
      self.isOptional = isOptional
    }
  }
}
