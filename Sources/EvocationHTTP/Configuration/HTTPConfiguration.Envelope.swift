extension HTTPConfiguration {
  /// The object that the JSON wraps the models in.
  public enum Envelope: Sendable, Hashable {
    /// Nothing: `[{"id": 1}]`.
    case none
    /// An object that holds them under this key: `{"data": [{"id": 1}]}`.
    case key(String)
  }
}
