/// How a cache of a registered model type is fetched, shown and kept.
///
/// ```swift
/// let cars = Evocation.cache(
///   Car.self, where: \.origin == "Japan", maxAge: .hours(5),
///   options: .init(refreshEvery: .minutes(10)))
/// ```
public struct CacheOptions: Sendable, Hashable {
  /// The pause after which an observed cache is fetched again; nil for never.
  ///
  /// It is not fetched while your app is known to be inactive or offline. See
  /// ``CacheDataSource/refreshEvery``.
  public var refreshEvery: Duration?

  /// The age after which a cache is no longer shown; nil for any age.
  public var maxUsableAge: Duration?

  /// How much is kept of the model type's caches that nobody observes.
  public var limits: CacheLimits

  /// Whether a fetch removes from the local store the models that the service no longer has.
  ///
  /// Only models that match the cache's criteria are removed, and never a model with unsent changes.
  public var removesMissing: Bool

  /// Whether a stale or missing cache is fetched as soon as it is observed.
  public var automaticallyRefresh: Bool

  /// Creates options; by default an observed cache is fetched when it is stale, and mirrors the
  /// service's answer.
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
