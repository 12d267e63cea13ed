/// How much Evocation keeps of the caches without observers.
///
/// After each save, Evocation deletes caches over a limit, the longest unused first: the record in
/// the ledger, and the data that no other kept cache needs. It keeps caches that are observed,
/// being fetched or just saved, whatever the limits. If a deletion fails, Evocation
/// reports it to `onTrace`, and tries again after a later save.
///
/// ```swift
/// let limits = CacheLimits(age: .seconds(30 * 86_400), count: 100, size: 50_000_000)
/// ```
public struct CacheLimits: Sendable, Hashable, Codable, PlainlyPrinted {
  /// How long an unused cache stays; nil for any time.
  public var age: Duration?

  /// How many caches stay, one for each tag; nil for any number.
  public var count: Int?

  /// How many bytes all caches together may take, as ``CacheDataSource/size(of:)`` counts them.
  public var size: Int?

  /// Creates limits; nil limits nothing.
  public init(age: Duration? = nil, count: Int? = nil, size: Int? = nil) {
    self.age = age
    self.count = count
    self.size = size
  }

  /// No limit.
  public static let none = CacheLimits()
}
