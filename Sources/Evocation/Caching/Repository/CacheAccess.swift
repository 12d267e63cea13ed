/// What an app asks of any cache, whether it is loaded at once or page by page.
///
/// It is ``CacheProviding`` or ``PagingCacheProviding`` that code takes; this is what both have. The
/// members mean what they mean in ``CacheRepository``.
public protocol CacheAccess<Source>: AnyObject, Sendable {
  /// How the cache is fetched, saved and observed.
  associatedtype Source: CacheDataSource

  /// What is shown of the cache.
  associatedtype Shown: Sendable

  /// The states of the cache, as they change.
  associatedtype States: ObservedSequence<CacheState<Shown>>

  /// What the cache is asked for; nil until it is set.
  var requirements: Source.Requirements? { get set }

  /// The present state of the cache; nil while it is not known.
  var state: CacheState<Shown>? { get }

  /// Gives the present state of the cache, and then each later one.
  func observe(forceRefresh: Bool) -> States

  /// Calls back with the present state of the cache, and then with each later one.
  func observe(
    forceRefresh: Bool, callback: @escaping @Sendable (CacheState<Shown>) -> Void
  ) -> Evocation.Observation

  /// Fetches the cache when it is stale, or whatever its age, and waits until it is saved and shown.
  @discardableResult
  func refresh(force: Bool) async throws(CacheError) -> RefreshResult

  /// Fetches the cache when it was never fetched.
  @discardableResult
  func refreshIfNoCache() async throws(CacheError) -> RefreshResult

  /// Fetches the cache when it is missing, stale, or failed last time.
  func validate() async

  /// Puts something into the cache, which then counts as freshly fetched; nil clears it.
  func update(_ cache: Source.Cache?) async throws

  /// Makes the cache one that was never fetched, and deletes its data.
  func clear() async throws

  /// Declares the cache stale, which has it fetched where it is observed.
  func invalidate() async throws

  /// Gives what is cached, once.
  func value(from origin: CacheOrigin) async throws -> Source.Cache

  /// Gives what is cached, once; nil where ``value(from:)`` throws.
  func valueIfAvailable(from origin: CacheOrigin) async -> Source.Cache?
}

extension CacheAccess {
  /// Gives the present state of the cache, and then each later one.
  public func observe() -> States { observe(forceRefresh: false) }

  /// Calls back with the present state of the cache, and then with each later one.
  public func observe(
    callback: @escaping @Sendable (CacheState<Shown>) -> Void
  ) -> Evocation.Observation {
    observe(forceRefresh: false, callback: callback)
  }

  /// Fetches the cache when it is stale, and waits until it is saved and shown.
  @discardableResult
  public func refresh() async throws(CacheError) -> RefreshResult {
    try await refresh(force: false)
  }

  /// Gives what is cached, or else what a fetch gives.
  public func value() async throws -> Source.Cache { try await value(from: .both) }

  /// Gives what is cached, or else what a fetch gives; nil where ``value(from:)`` throws.
  public func valueIfAvailable() async -> Source.Cache? { await valueIfAvailable(from: .both) }
}
