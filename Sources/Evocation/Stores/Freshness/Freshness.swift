/// Whether a cache is fresh, stale, or expired.
///
/// ```swift
/// switch state.freshness {
/// case .fresh: show("up to date")
/// case .stale: show("may have changed since")
/// case .expired, nil: show("not loaded yet")
/// }
/// ```
public enum Freshness: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
  /// Not older than the maximum age.
  case fresh
  /// Older than the maximum age, invalidated, or of unknown age; still shown during a refresh.
  case stale
  /// Older than the maximum usable age, or of unknown age; no longer shown.
  case expired
}
