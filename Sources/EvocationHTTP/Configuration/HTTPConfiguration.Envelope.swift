extension HTTPConfiguration {
  /// What the JSON has around the models.
  public enum Envelope: Sendable, Hashable {
    /// Nothing: `[{"id": 1}]`.
    case none
    /// An object that holds them under this key: `{"data": [{"id": 1}]}`.
    case key(String)
  }
}
