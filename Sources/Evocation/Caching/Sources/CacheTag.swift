/// The requirements of a cache that needs none beyond its name.
///
/// ```swift
/// settings.requirements = "settings"
/// ```
public struct CacheTag: CacheRequirements, Hashable, Codable, ExpressibleByStringLiteral {
  /// The name.
  public var tag: String

  /// Makes requirements of a name.
  public init(_ tag: String) {
    self.tag = tag
  }

  /// Makes requirements of a literal name.
  public init(stringLiteral tag: String) {
    self.tag = tag
  }
}
