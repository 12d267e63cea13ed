extension Evocation {
  /// The two repositories that hold the same models.
  public enum RepositoryType: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The service.
    case remote
    /// The store on this device.
    case local

    /// The other of the two repositories.
    public var counterpart: RepositoryType {
      self == .remote ? .local : .remote
    }
  }
}
