/// How much is kept of the caches that are not observed.
///
/// After each save, caches beyond a limit are deleted, the longest unused first: the record in the
/// ledger, and the data that no kept cache of the same kind needs. Caches that are observed, being
/// fetched or just saved are kept, whatever the limits. A failure to delete is reported to
/// `onTrace`, and deleting is tried again the next time.
///
/// ```swift
/// let limits = CacheLimits(age: .seconds(30 * 86_400), count: 100, size: 50_000_000)
/// ```
public struct CacheLimits: Sendable, Hashable, Codable {
  /// How long an unused cache is kept; nil for any time.
  public var age: Duration?

  /// How many caches are kept, one for each tag; nil for any number.
  public var count: Int?

  /// How many bytes all caches together may take, as ``CacheDataSource/size(of:)`` counts them.
  public var size: Int?

  /// Makes limits; nil limits nothing.
  public init(age: Duration? = nil, count: Int? = nil, size: Int? = nil) {
    self.age = age
    self.count = count
    self.size = size
  }

  /// No limit.
  public static let none = CacheLimits()
}
