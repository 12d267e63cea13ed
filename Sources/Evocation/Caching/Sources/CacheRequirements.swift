/// The query whose data a cache holds, with the tag that identifies the cache.
///
/// The tag is the cache key. Requirements with the same tag are the same cache: they share age,
/// running refresh and state, in all repositories. Tags are kept across launches, so build the tag
/// from the content of the cache:
///
/// ```swift
/// struct ReposOfUser: CacheRequirements {
///   let name: String
///   var tag: String { "repos of \(name)" }
/// }
/// ```
///
/// ``Criteria`` are requirements. ``CacheTag`` is for a cache of which there is only one.
public protocol CacheRequirements: Sendable {
  /// The cache key, which identifies the cache by its UTF-8 bytes.
  var tag: String { get }
}

/// The requirements of a cache that needs only a name.
///
/// ```swift
/// settings.requirements = "settings"
/// ```
public struct CacheTag: CacheRequirements, Hashable, Codable, ExpressibleByStringLiteral,
  PlainlyPrinted
{
  /// The name.
  public var tag: String

  /// Creates requirements from a name.
  public init(_ tag: String) {
    self.tag = tag
  }

  /// Creates requirements from a literal name.
  public init(stringLiteral tag: String) {
    self.tag = tag
  }
}

extension Criteria: CacheRequirements {}
