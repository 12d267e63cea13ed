extension HTTPConfiguration {
  /// Why the authorization hook is asked.
  public enum Occasion: String, Sendable, Hashable, CaseIterable {
    /// A request is about to be sent.
    case request
    /// The service answered 401 to the credential that the hook gave; give a new one.
    case refusal
  }
}
