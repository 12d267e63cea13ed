extension Evocation {
  /// The metadata of a call, one for each repository that took part.
  public struct MetadataByRepository: Sendable {
    private var remote: Metadata?
    private var local: Metadata?

    /// Makes it empty.
    public init() {}

    /// What the repository did, or nil when it was not asked.
    public subscript(type: RepositoryType) -> Metadata? {
      get { type == .remote ? remote : local }
      set {
        switch type {
        case .remote: remote = newValue
        case .local: local = newValue
        }
      }
    }
  }
}
