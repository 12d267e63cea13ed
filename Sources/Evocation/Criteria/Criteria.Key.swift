extension Criteria {
  /// The name of a property as the model codes it, with dots for what is nested.
  ///
  /// Written as a string literal, or declared once:
  ///
  /// ```swift
  /// extension Criteria.Key {
  ///   static let year: Self = "year"
  /// }
  /// ```
  public struct Key: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The coding key, such as `owner.city`.
    public let name: String

    /// Makes a key from a coding key's name.
    public init(_ name: String) {
      self.name = name
    }

    /// Makes a key from a literal.
    public init(stringLiteral value: String) {
      self.init(value)
    }

    /// Reads the key as a plain string.
    public init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the key as a plain string.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }
  }
}

extension Criteria.Key: CustomStringConvertible {
  /// The key as it is written in criteria, such as `"owner.name"`.
  public var description: String { name }
}
