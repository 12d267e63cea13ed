/// How Evocation fetches, shows and keeps a cache of a registered model type.
///
/// ```swift
/// let cars = Evocation.cache(
///   Car.self, where: \.origin == "Japan", maxAge: .hours(5),
///   options: .init(refreshEvery: .minutes(10)))
/// ```
public struct CacheOptions: Sendable, Hashable, PlainlyPrinted {
  /// The pause after which Evocation fetches an observed cache again; nil for never.
  ///
  /// Evocation does not do so while it knows that your app is inactive or offline. See
  /// ``CacheDataSource/refreshEvery``.
  public var refreshEvery: Duration?

  /// The age after which states no longer show the cache; nil for any age.
  public var maxUsableAge: Duration?

  /// How much Evocation keeps of the model type's caches without observers.
  public var limits: CacheLimits

  /// Whether a fetch removes models from the local store that the server no longer has.
  ///
  /// It removes only models that match the cache's criteria, and never a model with unsent changes.
  public var removesMissing: Bool

  /// Whether observing a stale or missing cache fetches it.
  public var automaticallyRefresh: Bool

  /// Creates options; by default, Evocation fetches an observed cache when it is stale.
  ///
  /// A fetch mirrors by default: it replaces the local models that match the criteria, and removes
  /// those that the answer does not contain.
  public init(
    refreshEvery: Duration? = nil, maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    removesMissing: Bool = true, automaticallyRefresh: Bool = true
  ) {
    self.refreshEvery = refreshEvery
    self.maxUsableAge = maxUsableAge
    self.limits = limits
    self.removesMissing = removesMissing
    self.automaticallyRefresh = automaticallyRefresh
  }
}
