extension Criteria {
  /// The name of a property as the model encodes it, with dots for nested properties.
  ///
  /// Write it as a string literal, or declare it once:
  ///
  /// ```swift
  /// extension Criteria.Key {
  ///   static let year: Self = "year"
  /// }
  /// ```
  public struct Key: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The coding key, such as `owner.city`.
    public let name: String

    /// Creates a key from the name of a coding key.
    public init(_ name: String) {
      self.name = name
    }

    /// Creates a key from a literal.
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
  /// The key as you write it in criteria, such as `"owner.name"`.
  public var description: String { name }
}
