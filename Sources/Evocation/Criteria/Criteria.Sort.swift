extension Criteria {
  /// One key that models are ordered by.
  public struct Sort: Sendable, Hashable, Codable {
    /// The key.
    public var key: Key

    /// Whether the greatest comes first, and null last.
    public var descending: Bool

    /// Makes a sort, from the least to the greatest by default.
    public init(_ key: Key, descending: Bool = false) {
      self.key = key
      self.descending = descending
    }
  }
}
