/// What all caches offer, whether they are loaded at once or page by page.
///
/// Code takes a ``CacheProviding`` or a ``PagingCacheProviding``; this is what both have in common.
/// The members mean what they mean in ``CacheRepository``.
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

  /// Fetches the cache when it is stale, or at any age, and waits until it is saved and shown.
  @discardableResult
  func refresh(force: Bool) async throws(CacheError) -> RefreshResult

  /// Fetches the cache when it was never fetched.
  @discardableResult
  func refreshIfNoCache() async throws(CacheError) -> RefreshResult

  /// Fetches the cache when it is missing, stale, or failed last time.
  func validate() async

  /// Puts a value into the cache, which then counts as just fetched; nil clears it.
  func update(_ cache: Source.Cache?) async throws

  /// Makes the cache one that was never fetched, and deletes its data.
  func clear() async throws

  /// Declares the cache stale, which fetches it where it is observed.
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

  /// Fetches the cache at any age, and gives what that throws as its result.
  func pulled() async -> RefreshResult {
    do throws(CacheError) {
      return try await refresh(force: true)
    } catch {
      return .failed(error)
    }
  }

  /// Observes on the main actor until the task is cancelled or the closure returns false.
  @MainActor
  func following(
    forceRefresh: Bool, _ take: @escaping @MainActor (CacheState<Shown>) -> Bool
  ) -> Task<Void, Never> {
    let states = observe(forceRefresh: forceRefresh)
    return Task {
      for await state in states {
        guard take(state) else { return }
      }
    }
  }

  /// Gives what is cached, or else what a fetch gives.
  public func value() async throws -> Source.Cache { try await value(from: .both) }

  /// Gives what is cached, or else what a fetch gives; nil where ``value(from:)`` throws.
  public func valueIfAvailable() async -> Source.Cache? { await valueIfAvailable(from: .both) }
}

/// What a cache offers: a ``CacheRepository``, or the mock that takes its place in tests.
///
/// Code that shows or changes cached data takes this, so that a test can pass it a mock:
///
/// ```swift
/// struct CarList {
///   let cars: any CacheProviding<ProxyCacheDataSource<Car>>
///
///   func show(carsOf year: Int) async throws -> [Car] {
///     cars.requirements = ["year": year]
///     return try await cars.value()
///   }
/// }
/// ```
///
/// The members are those of ``CacheAccess``, and mean what they mean in ``CacheRepository``.
public protocol CacheProviding<Source>: CacheAccess where Shown == Source.Cache {}

extension CacheRepository: CacheProviding {}

/// What a list offers: a ``PagingCacheRepository``, or the mock that takes its place in tests.
///
/// ```swift
/// struct CarPages {
///   let cars: any PagingCacheProviding<CarListSource>
///
///   func scrolledToEnd() async -> String? {
///     guard case .failed(let error) = await cars.goToNextPage() else { return nil }
///     return "\(error)"
///   }
/// }
/// ```
///
/// The members mean what they mean in ``PagingCacheRepository``.
public protocol PagingCacheProviding<Source>: CacheAccess
where Source: PagingCacheDataSource, Shown == PagedCache<Source.Cache> {
  /// Loads the page after the list, and waits until it is saved and shown.
  @discardableResult
  func goToNextPage(continueWhenError: Bool) async -> PageResult

  /// Loads the page before the list, and waits until it is saved and shown.
  @discardableResult
  func goToPreviousPage(continueWhenError: Bool) async -> PageResult

  /// How many rows before the end of the list the next page is asked for.
  var prefetchDistance: Int { get }

  /// Loads the page that a row is near enough to, which appears in a view, and returns at once.
  func rowAppeared(at index: Int)
}

extension PagingCacheProviding {
  /// Loads the page after the list, again if it failed last time.
  @discardableResult
  public func goToNextPage() async -> PageResult { await goToNextPage(continueWhenError: true) }

  /// Loads the page before the list, again if it failed last time.
  @discardableResult
  public func goToPreviousPage() async -> PageResult {
    await goToPreviousPage(continueWhenError: true)
  }
}

extension PagingCacheRepository: PagingCacheProviding {}
