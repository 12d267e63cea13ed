extension HTTPConfiguration {
  /// The object that the JSON wraps the models in.
  public enum Envelope: Sendable, Hashable {
    /// Nothing: `[{"id": 1}]`.
    case none
    /// An object that holds them under this key: `{"data": [{"id": 1}]}`.
    case key(String)
  }

  /// Where an answer says how many models match, whatever part of them it gives.
  public enum Total: Sendable, Hashable {
    /// In a header field, such as `X-Total-Count`.
    case header(String)
    /// Under this key of the object that holds the models, with dots for nested ones: `meta.total`.
    case key(String)
  }
}
