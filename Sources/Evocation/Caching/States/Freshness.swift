/// Which of three windows a cache's age lies in.
public enum Freshness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Not older than the maximum age.
  case fresh
  /// Older, invalidated, or of unknown age: shown while it is refreshed.
  case usable
  /// Older than may be shown at all.
  case unusable
}
