/// What a cache is asked for, and the tag that identifies it.
///
/// Two values with one tag are one cache: they share age, running refresh and state, whichever
/// repository they are given to. A tag is kept across launches, so make it of what the cache holds:
///
/// ```swift
/// struct ReposOfUser: CacheRequirements {
///   let name: String
///   var tag: String { "repos of \(name)" }
/// }
/// ```
///
/// ``Criteria`` are requirements, and ``CacheTag`` is for a cache of which there is only one.
public protocol CacheRequirements: Sendable {
  /// Identifies the cache, by its UTF-8 bytes.
  var tag: String { get }
}
