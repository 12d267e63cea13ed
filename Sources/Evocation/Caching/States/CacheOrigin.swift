/// Where a one-shot read may take its value from.
public enum CacheOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// The cache where it is fresh, else a fetch.
  case both
  /// Always a fetch.
  case origin
  /// The cache alone; stale or missing is an error.
  case cache
}
