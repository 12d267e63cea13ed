/// How much is kept of the caches that are not observed.
///
/// What is over a limit goes when something new was saved, the longest unused first: its record in
/// the ledger, and those of its data that no kept cache of the same kind has too. What is observed
/// or being fetched stays, and so does what was just saved, whatever the limits. What cannot be
/// deleted is told to `onTrace`, and tried again the next time.
///
/// ```swift
/// let limits = CacheLimits(age: .seconds(30 * 86_400), count: 100, size: 50_000_000)
/// ```
public struct CacheLimits: Sendable, Hashable, Codable {
  /// How long an unused cache is kept; nil for ever.
  public var age: Duration?

  /// How many caches are kept, one for each tag; nil for any number.
  public var count: Int?

  /// How many bytes all caches together may take, as ``CacheDataSource/size(of:)`` counts them.
  public var size: Int?

  /// Makes limits; what is left out is not limited.
  public init(age: Duration? = nil, count: Int? = nil, size: Int? = nil) {
    self.age = age
    self.count = count
    self.size = size
  }

  /// No limit.
  public static let none = CacheLimits()
}
