/// In which direction a list is continued.
public enum PageDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// At its end.
  case next
  /// At its beginning.
  case previous
}
