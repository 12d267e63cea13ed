extension Evocation {
  /// The two places that hold the same models.
  public enum RepositoryType: String, Sendable, Hashable, Codable, CaseIterable {
    /// A service elsewhere.
    case remote
    /// A store on this device.
    case local

    /// The other of the two repositories.
    public var counterpart: RepositoryType {
      self == .remote ? .local : .remote
    }
  }
}
