extension Strategy {
  /// What happens for one action.
  public struct Rule: Sendable, Hashable {
    /// The repository that is asked first.
    public var target: Evocation.RepositoryType

    /// The repository that is asked when the target fails; nil for none.
    public var fallback: Evocation.RepositoryType?

    /// How the other repository is kept in step when the target succeeded.
    public var synchronize: Synchronization

    /// When the fallback is asked; matters to reads alone.
    public var fallsBack: FallbackCondition

    /// How long the target may take, retries included, before it counts as failed; nil for ever.
    ///
    /// The target is cancelled then. A target that does not heed it may still finish a write later.
    public var timeout: Duration?

    /// How often and when the target is asked again after a failure; nil for once.
    public var retry: Retry?

    /// How old an answer of the remote may be for local to answer a read in its place.
    ///
    /// Counted from the last successful fetch for the same criteria, by a read or by a cache, as the
    /// ledger remembers it; nil for never. Writes take no notice of it.
    public var maxAge: Duration?

    /// Whether local answers a read although it is older than `maxAge`, and is refreshed behind it.
    ///
    /// An empty local answer is not given; the target is asked.
    public var revalidates: Bool

    /// Makes a rule; by default remote alone is asked, and local is synchronized.
    public init(
      target: Evocation.RepositoryType = .remote,
      fallback: Evocation.RepositoryType? = nil,
      synchronize: Synchronization = true,
      fallsBack: FallbackCondition = .onError,
      timeout: Duration? = nil,
      retry: Retry? = nil,
      maxAge: Duration? = nil,
      revalidates: Bool = false
    ) {
      self.target = target
      self.fallback = fallback
      self.synchronize = synchronize
      self.fallsBack = fallsBack
      self.timeout = timeout
      self.retry = retry
      self.maxAge = maxAge
      self.revalidates = revalidates
    }
  }

  /// When the fallback of a read is asked.
  public enum FallbackCondition: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the target failed.
    case onError
    /// When the target failed, or had nothing to give.
    case onErrorOrEmpty
  }
}
